// Arrays: rows of elements in slices, reached by copies only.
#ifndef TORCHADA_HOST_MUSART_ARRAY_H_
#define TORCHADA_HOST_MUSART_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "span.h"

namespace musart {

struct Array {
  std::uintptr_t base = 0;  // of its allocation
  int on_device = 0;
  musaChannelFormatDesc format{};
  musaExtent extent{};  // in elements; 0 for dimensions it does not have
  unsigned int flags = 0;
  std::size_t element_size = 0;
  bool is_level = false;  // of a mipmapped array, which it comes and goes with

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
// The span of a box in the array; `x` in bytes. An error if the box leaves the array.
musaError_t span_of_array(const Array& array, std::size_t x, std::size_t y, std::size_t z,
                          const Shape& shape, Span* span);
// The bytes of an element in a copy between two sides, either of which may be no array (null):
// extents are in elements of the array, in bytes without one. An error if two arrays differ.
musaError_t element_of_copy(const Array* to, const Array* from, std::size_t* size);
// musaMemcpy2DArrayToArray in a stream, which has no name of its own.
musaError_t array_to_array_async(musaArray_t dst, std::size_t dst_x, std::size_t dst_y,
                                 musaArray_const_t src, std::size_t src_x, std::size_t src_y,
                                 std::size_t width, std::size_t height, musaMemcpyKind kind,
                                 musaStream_t stream);
// After a device reset: its arrays are gone.
void forget_arrays(int device);

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_ARRAY_H_
