// Copies between arrays and rows of memory. Offsets and widths are in bytes.
#include "src/host/musa/array.h"
#include "src/host/musa/copy.h"
#include "src/host/musa/operations.h"
#include "src/host/shared/forward.h"

namespace musa {
namespace {

Span rows_of(const void* memory, std::size_t pitch) {
  Span span;
  span.start = static_cast<unsigned char*>(const_cast<void*>(memory));
  span.pitch = pitch;
  return span;
}

// A plane of an array. Boxes and layers are only for copies with three dimensions.
musaError_t plane_of(musaArray_const_t handle, std::size_t x, std::size_t y, const Shape& shape,
                     Span* span) {
  const auto array = resolve_array(handle);
  if (array == nullptr) return musaErrorInvalidResourceHandle;
  if (array->extent.depth != 0) return musaErrorInvalidValue;
  return span_of_array(*array, x, y, 0, shape, span);
}

// Each is a copy of a plane at once or, with a stream, in that stream.
template <typename... InStream>
musaError_t into_array(musaArray_t dst, std::size_t x, std::size_t y, const void* src,
                       std::size_t pitch, std::size_t width, std::size_t height,
                       musaMemcpyKind kind, InStream... stream) {
  if (width > pitch && height > 1) return musaErrorInvalidPitchValue;
  Copy copy;
  copy.shape = {width, height, 1};
  copy.from = rows_of(src, pitch);
  const musaError_t status =
      api([&](Runtime&) { return plane_of(dst, x, y, copy.shape, &copy.to); });
  return status != musaSuccess ? status : perform_copy(copy, kind, stream...);
}

template <typename... InStream>
musaError_t from_array(void* dst, std::size_t pitch, musaArray_const_t src, std::size_t x,
                       std::size_t y, std::size_t width, std::size_t height, musaMemcpyKind kind,
                       InStream... stream) {
  if (width > pitch && height > 1) return musaErrorInvalidPitchValue;
  Copy copy;
  copy.shape = {width, height, 1};
  copy.to = rows_of(dst, pitch);
  const musaError_t status =
      api([&](Runtime&) { return plane_of(src, x, y, copy.shape, &copy.from); });
  return status != musaSuccess ? status : perform_copy(copy, kind, stream...);
}

template <typename... InStream>
musaError_t between_arrays(musaArray_t dst, std::size_t dst_x, std::size_t dst_y,
                           musaArray_const_t src, std::size_t src_x, std::size_t src_y,
                           std::size_t width, std::size_t height, musaMemcpyKind kind,
                           InStream... stream) {
  Copy copy;
  copy.shape = {width, height, 1};
  const musaError_t status = api([&](Runtime&) {
    MUSA_RETURN_IF_ERROR(plane_of(dst, dst_x, dst_y, copy.shape, &copy.to));
    return plane_of(src, src_x, src_y, copy.shape, &copy.from);
  });
  return status != musaSuccess ? status : perform_copy(copy, kind, stream...);
}

}  // namespace

HOST_FORWARD(musaError_t, 8, memcpy_2d_to_array, into_array, )
HOST_FORWARD(musaError_t, 9, memcpy_2d_to_array_async, into_array, )
HOST_FORWARD(musaError_t, 8, memcpy_2d_from_array, from_array, )
HOST_FORWARD(musaError_t, 9, memcpy_2d_from_array_async, from_array, )
HOST_FORWARD(musaError_t, 9, memcpy_2d_array_to_array, between_arrays, )
HOST_FORWARD(musaError_t, 10, memcpy_2d_array_to_array_async, between_arrays, )

}  // namespace musa
