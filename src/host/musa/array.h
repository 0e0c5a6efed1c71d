// Arrays: rows of elements in slices. Programs reach them by copies, textures and surfaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/host/musa/span.h"

namespace musa {

struct Array {
  musaArray_t handle = nullptr;
  std::uintptr_t base = 0;  // of its allocation
  int on_device = 0;
  musaChannelFormatDesc format{};
  musaExtent extent{};  // in elements; 0 for dimensions that it lacks
  unsigned int flags = 0;
  std::size_t element_size = 0;
  bool is_level = false;  // of a mipmapped array, which creates and destroys it

  int device() const { return on_device; }
  std::size_t row_bytes() const { return extent.width * element_size; }
  std::size_t rows() const { return extent.height > 0 ? extent.height : 1; }
  std::size_t slices() const { return extent.depth > 0 ? extent.depth : 1; }
};

struct MipmappedArray {
  int on_device = 0;
  std::vector<std::shared_ptr<Array>> levels;  // from the largest

  int device() const { return on_device; }
};

// Null if the handle is not live.
std::shared_ptr<Array> resolve_array(const void* handle);
std::shared_ptr<MipmappedArray> resolve_mipmapped_array(const void* handle);
// The span of a box in the array. `x` is in bytes. Fails if the box leaves the array.
musaError_t span_of_array(const Array& array, std::size_t x, std::size_t y, std::size_t z,
                          const Shape& shape, Span* span);
// The bytes of an element in a copy between two sides. A side that is no array is null. Extents are
// in elements of the array, or in bytes without an array. Fails if the two arrays differ.
musaError_t element_of_copy(const Array* to, const Array* from, std::size_t* size);
// Bytes; 0 if there are no arrays or textures of this format.
std::size_t element_size_of(const musaChannelFormatDesc& format);
// Called by a device reset: the arrays, textures and surfaces of the device cease to exist.
void forget_arrays(int device);
void forget_textures(int device);
void forget_surfaces(int device);

}  // namespace musa
