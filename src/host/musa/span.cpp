#include "src/host/musa/span.h"

namespace musa {
namespace {

// Returns false if the span exceeds the address space.
bool count_bytes(const Shape& shape, Span* span) {
  std::size_t rows = 0;
  std::size_t slices = 0;
  return !__builtin_mul_overflow(shape.height - 1, span->pitch, &rows) &&
         !__builtin_mul_overflow(shape.depth - 1, span->slice, &slices) &&
         !__builtin_add_overflow(rows, slices, &span->bytes) &&
         !__builtin_add_overflow(span->bytes, shape.width, &span->bytes) &&
         span->bytes <= UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(span->start);
}

}  // namespace

musaError_t classify(Runtime& runtime, const Shape& shape, Span* span) {
  if (span->start == nullptr || !count_bytes(shape, span)) return musaErrorInvalidValue;
  bool usable = true;
  const auto use = [&](const Allocation& allocation) {
    usable = usable && !allocation.free_pending && allocation.allows(span->user, span->is_written);
    span->kind = allocation.kind;
    span->device = allocation.device;
    span->waits = span->waits || allocation.waits;
  };
  if (runtime.allocations.with_range(span->start, span->bytes, use)) {
    return usable ? musaSuccess : musaErrorInvalidValue;
  }
  if (runtime.allocations.was_freed(span->start) ||
      runtime.allocations.overlaps(span->start, span->bytes)) {
    return musaErrorInvalidValue;
  }
  span->kind = MemoryKind::kPageable;
  return musaSuccess;
}

musaError_t span_of_pitched(const musaPitchedPtr& pitched, const musaPos& position,
                            const Shape& shape, Span* span) {
  if (pitched.ptr == nullptr) return musaErrorInvalidValue;
  std::size_t end = 0;
  if (__builtin_add_overflow(position.x, shape.width, &end)) return musaErrorInvalidValue;
  const bool one_row = shape.height == 1 && shape.depth == 1 && position.y == 0 && position.z == 0;
  if (end > pitched.pitch && !one_row) {
    return shape.width > pitched.pitch ? musaErrorInvalidPitchValue : musaErrorInvalidValue;
  }
  // Slices are ysize rows apart, so a row beyond ysize belongs to the next slice.
  if (__builtin_add_overflow(position.y, shape.height, &end)) return musaErrorInvalidValue;
  const bool one_slice = shape.depth == 1 && position.z == 0;
  if (end > pitched.ysize && !one_slice) return musaErrorInvalidValue;
  std::size_t offset = 0;
  std::size_t rows = 0;
  if (__builtin_mul_overflow(pitched.pitch, pitched.ysize, &span->slice) ||
      __builtin_mul_overflow(position.z, span->slice, &offset) ||
      __builtin_mul_overflow(position.y, pitched.pitch, &rows) ||
      __builtin_add_overflow(offset, rows, &offset) ||
      __builtin_add_overflow(offset, position.x, &offset) ||
      offset > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(pitched.ptr)) {
    return musaErrorInvalidValue;
  }
  span->start = static_cast<unsigned char*>(pitched.ptr) + offset;
  span->pitch = pitched.pitch;
  return musaSuccess;
}

bool is_still_valid(Runtime& runtime, const Span& span) {
  if (!is_known(span.kind)) return true;
  bool valid = true;
  const auto use = [&](const Allocation& allocation) {
    valid = valid && allocation.kind == span.kind && allocation.is_live() &&
            allocation.allows(span.user, span.is_written);
  };
  return runtime.allocations.with_range(span.start, span.bytes, use) && valid;
}

}  // namespace musa
