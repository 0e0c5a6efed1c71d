// A copy of rows in slices, the form to which all copies are reduced.
#pragma once

#include "src/host/musa/span.h"

namespace musa {

struct Copy {
  Shape shape;
  Span to;
  Span from;
};

// When the source is read, as the caller sees it.
enum class SourceOrder {
  kConvenient,  // small pageable memory at once, everything else when the copy runs
  kInStream,    // when the copy runs, whatever kind of memory it is
  kAtOnce,      // before the call returns
};

Copy flat_copy(void* dst, const void* src, std::size_t count);
// Finds the memory that the copy uses. Fails if the copy leaves that memory or does not fit `kind`,
// or if the device that does it has no access.
musaError_t check_copy(Runtime& runtime, Copy* copy, musaMemcpyKind kind, int device);
musaError_t copy_in_stream(Runtime& runtime, Copy copy, musaMemcpyKind kind,
                           const std::shared_ptr<Stream>& stream,
                           SourceOrder order = SourceOrder::kConvenient);
// Complete API calls: at once, or in a stream.
musaError_t perform_copy(Copy copy, musaMemcpyKind kind);
musaError_t perform_copy(Copy copy, musaMemcpyKind kind, musaStream_t handle);

}  // namespace musa
