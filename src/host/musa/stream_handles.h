// The streams behind the handles that a program holds.
#pragma once

#include <memory>
#include <utility>

#include "src/host/musa/runtime.h"
#include "src/host/shared/handle_table.h"

namespace musa {

using StreamHandles = host::HandleTable<host::HandleKind::kStream, musaStream_t, Stream>;

StreamHandles& stream_handles();

// Null if the handle is not live. 0 and musaStreamLegacy are the current device's legacy stream,
// musaStreamPerThread the calling thread's own stream on that device.
std::shared_ptr<Stream> resolve_stream(Runtime& runtime, musaStream_t handle);

// An API function about a stream, whose body also gets its object.
template <typename Body>
musaError_t in_stream(musaStream_t handle, Body&& body) noexcept {
  return api([&](Runtime& runtime) -> musaError_t {
    const auto stream = resolve_stream(runtime, handle);
    return stream == nullptr ? musaErrorInvalidResourceHandle : body(runtime, stream);
  });
}

}  // namespace musa
