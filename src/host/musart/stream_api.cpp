#include <algorithm>

#include "event.h"
#include "handles.h"
#include "pool.h"

namespace musart {
namespace {

// Priorities are kept and ordered as a program expects, but the operating system shares out the
// CPU.
constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -1;

thread_local musaStreamCaptureMode capture_mode = musaStreamCaptureModeGlobal;

musaError_t create_stream(musaStream_t* handle, unsigned int flags, int priority) {
  return api([&](Runtime& runtime) {
    if (handle == nullptr || (flags & ~static_cast<unsigned int>(musaStreamNonBlocking)) != 0) {
      return musaErrorInvalidValue;
    }
    auto stream = runtime.current().add_stream(
        flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
    *handle = static_cast<musaStream_t>(stream_handles().add(std::move(stream)));
    return musaSuccess;
  });
}

template <typename Value, typename Read>
musaError_t read_stream(musaStream_t handle, Value* value, Read&& read) {
  return api([&](Runtime& runtime) {
    if (value == nullptr) return musaErrorInvalidValue;
    const auto stream = resolve_stream(runtime, handle);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    *value = read(*stream);
    return musaSuccess;
  });
}

musaError_t run_in_stream(musaStream_t handle, std::function<void()> function) {
  return api([&](Runtime& runtime) {
    const auto stream = resolve_stream(runtime, handle);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    runtime.device(stream->device())->submit(stream, [&runtime, run = std::move(function)] {
      runtime.gate.run_host_function(run);
    });
    return musaSuccess;
  });
}

}  // namespace
}  // namespace musart

using musart::api;
using musart::resolve_stream;
using musart::Runtime;
using musart::Stream;

musaError_t musaStreamCreate(musaStream_t* pStream) {
  return musart::create_stream(pStream, musaStreamDefault, musart::kLeastPriority);
}

musaError_t musaStreamCreateWithFlags(musaStream_t* pStream, unsigned int flags) {
  return musart::create_stream(pStream, flags, musart::kLeastPriority);
}

musaError_t musaStreamCreateWithPriority(musaStream_t* pStream, unsigned int flags, int priority) {
  return musart::create_stream(pStream, flags, priority);
}

musaError_t musaStreamDestroy(musaStream_t stream) {
  return api([&](Runtime& runtime) {
    // The default streams are not in the table, so they cannot be destroyed.
    const auto removed = musart::stream_handles().remove(stream);
    if (removed == nullptr) return musaErrorInvalidResourceHandle;
    runtime.device(removed->device())->remove_stream(removed);
    return musaSuccess;
  });
}

musaError_t musaStreamQuery(musaStream_t stream) {
  return api([&](Runtime& runtime) {
    const auto found = resolve_stream(runtime, stream);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    musart::Device& device = *runtime.device(found->device());
    const bool done = std::ranges::all_of(device.pending_before(found), [](const auto& milestone) {
      return milestone.stream->has_reached(milestone.position);
    });
    return done ? device.fault.load() : musaErrorNotReady;
  });
}

musaError_t musaStreamSynchronize(musaStream_t stream) {
  return api([&](Runtime& runtime) {
    const auto found = resolve_stream(runtime, stream);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    musart::Device& device = *runtime.device(found->device());
    const musaError_t status = musart::wait_all(device, device.pending_before(found));
    musart::release_excess(device.ordinal);
    return status;
  });
}

musaError_t musaStreamWaitEvent(musaStream_t stream, musaEvent_t event, unsigned int flags) {
  return api([&](Runtime& runtime) {
    // musaEventWaitExternal has a meaning only while a stream captures, which none does.
    if (flags != musaEventWaitDefault) return musaErrorInvalidValue;
    const auto waiting = resolve_stream(runtime, stream);
    const auto awaited = musart::resolve_event(event);
    if (waiting == nullptr || awaited == nullptr) return musaErrorInvalidResourceHandle;
    const auto recording = awaited->recording();
    // An event that was never recorded holds nobody up.
    if (recording == nullptr) return musaSuccess;
    runtime.device(waiting->device())->submit(waiting, [recording] { recording->wait(); });
    return musaSuccess;
  });
}

musaError_t musaStreamGetPriority(musaStream_t hStream, int* priority) {
  return musart::read_stream(hStream, priority, [](Stream& stream) { return stream.priority(); });
}

musaError_t musaStreamGetFlags(musaStream_t hStream, unsigned int* flags) {
  return musart::read_stream(hStream, flags, [](Stream& stream) { return stream.flags(); });
}

musaError_t musaStreamGetId(musaStream_t hStream, unsigned long long* streamId) {
  return musart::read_stream(hStream, streamId, [](Stream& stream) { return stream.id(); });
}

musaError_t musaStreamGetDevice(musaStream_t hStream, int* device) {
  return musart::read_stream(hStream, device, [](Stream& stream) { return stream.device(); });
}

musaError_t musaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return api([&](Runtime&) {
    // Either may be left out.
    if (leastPriority != nullptr) *leastPriority = musart::kLeastPriority;
    if (greatestPriority != nullptr) *greatestPriority = musart::kGreatestPriority;
    return musaSuccess;
  });
}

musaError_t musaLaunchHostFunc(musaStream_t stream, musaHostFn_t fn, void* userData) {
  if (fn == nullptr) return musart::record_error(musaErrorInvalidValue);
  return musart::run_in_stream(stream, [fn, userData] { fn(userData); });
}

musaError_t musaStreamAddCallback(musaStream_t stream, musaStreamCallback_t callback,
                                  void* userData, unsigned int flags) {
  if (callback == nullptr || flags != 0) return musart::record_error(musaErrorInvalidValue);
  return musart::run_in_stream(
      stream, [stream, callback, userData] { callback(stream, musaSuccess, userData); });
}

musaError_t musaStreamIsCapturing(musaStream_t stream,
                                  enum musaStreamCaptureStatus* pCaptureStatus) {
  return musart::read_stream(stream, pCaptureStatus,
                             [](Stream&) { return musaStreamCaptureStatusNone; });
}

musaError_t musaThreadExchangeStreamCaptureMode(enum musaStreamCaptureMode* mode) {
  return api([&](Runtime&) {
    if (mode == nullptr || *mode < musaStreamCaptureModeGlobal ||
        *mode > musaStreamCaptureModeRelaxed) {
      return musaErrorInvalidValue;
    }
    *mode = std::exchange(musart::capture_mode, *mode);
    return musaSuccess;
  });
}

// The other results describe a capture and there is none. Not touching them also serves callers of
// the older form with three arguments.
musaError_t musaStreamGetCaptureInfo(musaStream_t stream,
                                     enum musaStreamCaptureStatus* captureStatus_out,
                                     unsigned long long*, musaGraph_t*, const musaGraphNode_t**,
                                     size_t*) {
  return musaStreamIsCapturing(stream, captureStatus_out);
}

musaError_t musaStreamGetCaptureInfo_v2(musaStream_t stream,
                                        enum musaStreamCaptureStatus* captureStatus_out,
                                        unsigned long long*, musaGraph_t*, const musaGraphNode_t**,
                                        size_t*) {
  return musaStreamIsCapturing(stream, captureStatus_out);
}
