// A copy of rows in slices, as the kinds of copies make it up.
#ifndef TORCHADA_HOST_MUSART_COPY_H_
#define TORCHADA_HOST_MUSART_COPY_H_

#include "span.h"

namespace musart {

struct Copy {
  Shape shape;
  Span to;
  Span from;
};

// When the source is read, as far as the caller can tell.
enum class SourceOrder {
  kConvenient,  // small pageable memory at once, everything else when the copy's turn comes
  kInStream,    // when the copy's turn comes, whatever memory it is
  kAtOnce,      // before the call returns
};

Copy flat_copy(void* dst, const void* src, std::size_t count);
// Finds out what memory the copy concerns; an error if it leaves that, or does not fit `kind`.
musaError_t check_copy(Runtime& runtime, Copy* copy, musaMemcpyKind kind);
musaError_t copy_in_stream(Runtime& runtime, Copy copy, musaMemcpyKind kind,
                           const std::shared_ptr<Stream>& stream,
                           SourceOrder order = SourceOrder::kConvenient);
// Whole calls.
musaError_t copy_sync(Copy copy, musaMemcpyKind kind);
musaError_t copy_async(Copy copy, musaMemcpyKind kind, musaStream_t handle);

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_COPY_H_
