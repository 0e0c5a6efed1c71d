// Copies between arrays and rows of memory. Offsets and widths are in bytes.
#include "src/host/musa/array.h"
#include "src/host/musa/copy.h"
#include "src/host/musa/operations.h"

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

musaError_t into_array(musaArray_t dst, std::size_t x, std::size_t y, const void* src,
                       std::size_t pitch, std::size_t width, std::size_t height, Copy* copy) {
  if (width > pitch) return musaErrorInvalidPitchValue;
  copy->shape = {width, height, 1};
  copy->from = rows_of(src, pitch);
  return plane_of(dst, x, y, copy->shape, &copy->to);
}

musaError_t from_array(void* dst, std::size_t pitch, musaArray_const_t src, std::size_t x,
                       std::size_t y, std::size_t width, std::size_t height, Copy* copy) {
  if (width > pitch) return musaErrorInvalidPitchValue;
  copy->shape = {width, height, 1};
  copy->to = rows_of(dst, pitch);
  return plane_of(src, x, y, copy->shape, &copy->from);
}

// `prepare` fills in the copy, `perform` executes it.
template <typename Prepare, typename Perform>
musaError_t prepared(Prepare&& prepare, Perform&& perform) {
  Copy copy;
  const musaError_t status = api([&](Runtime&) { return prepare(&copy); });
  return status != musaSuccess ? status : perform(copy);
}

musaError_t between_arrays(musaArray_t dst, std::size_t dst_x, std::size_t dst_y,
                           musaArray_const_t src, std::size_t src_x, std::size_t src_y,
                           std::size_t width, std::size_t height, Copy* copy) {
  copy->shape = {width, height, 1};
  MUSA_RETURN_IF_ERROR(plane_of(dst, dst_x, dst_y, copy->shape, &copy->to));
  return plane_of(src, src_x, src_y, copy->shape, &copy->from);
}

}  // namespace

musaError_t memcpy_2d_array_to_array_async(musaArray_t dst, std::size_t dst_x, std::size_t dst_y,
                                           musaArray_const_t src, std::size_t src_x,
                                           std::size_t src_y, std::size_t width, std::size_t height,
                                           musaMemcpyKind kind, musaStream_t stream) {
  return prepared(
      [&](Copy* copy) {
        return between_arrays(dst, dst_x, dst_y, src, src_x, src_y, width, height, copy);
      },
      [&](const Copy& copy) { return copy_async(copy, kind, stream); });
}

musaError_t memcpy_2d_to_array(musaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                               size_t spitch, size_t width, size_t height,
                               enum musaMemcpyKind kind) {
  return prepared(
      [&](Copy* copy) {
        return into_array(dst, wOffset, hOffset, src, spitch, width, height, copy);
      },
      [&](const Copy& copy) { return copy_sync(copy, kind); });
}

musaError_t memcpy_2d_to_array_async(musaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void* src, size_t spitch, size_t width, size_t height,
                                     enum musaMemcpyKind kind, musaStream_t stream) {
  return prepared(
      [&](Copy* copy) {
        return into_array(dst, wOffset, hOffset, src, spitch, width, height, copy);
      },
      [&](const Copy& copy) { return copy_async(copy, kind, stream); });
}

musaError_t memcpy_2d_from_array(void* dst, size_t dpitch, musaArray_const_t src, size_t wOffset,
                                 size_t hOffset, size_t width, size_t height,
                                 enum musaMemcpyKind kind) {
  return prepared(
      [&](Copy* copy) {
        return from_array(dst, dpitch, src, wOffset, hOffset, width, height, copy);
      },
      [&](const Copy& copy) { return copy_sync(copy, kind); });
}

musaError_t memcpy_2d_from_array_async(void* dst, size_t dpitch, musaArray_const_t src,
                                       size_t wOffset, size_t hOffset, size_t width, size_t height,
                                       enum musaMemcpyKind kind, musaStream_t stream) {
  return prepared(
      [&](Copy* copy) {
        return from_array(dst, dpitch, src, wOffset, hOffset, width, height, copy);
      },
      [&](const Copy& copy) { return copy_async(copy, kind, stream); });
}

musaError_t memcpy_2d_array_to_array(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     musaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, enum musaMemcpyKind kind) {
  return prepared(
      [&](Copy* copy) {
        return between_arrays(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width,
                              height, copy);
      },
      [&](const Copy& copy) { return copy_sync(copy, kind); });
}

}  // namespace musa
