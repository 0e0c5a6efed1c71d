#include <algorithm>

#include "src/host/musa/busy_time.h"
#include "src/host/musa/event.h"
#include "src/host/musa/graph/capture.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/pool.h"
#include "src/host/musa/stream_handles.h"

namespace musa {
namespace {

// Priorities are kept and ordered as a program expects, but the operating system schedules the CPU.
constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -1;

musaError_t create_stream(musaStream_t* handle, unsigned int flags, int priority) {
  return api([&](Runtime& runtime) {
    if (handle == nullptr || (flags & ~static_cast<unsigned int>(musaStreamNonBlocking)) != 0) {
      return musaErrorInvalidValue;
    }
    auto stream = runtime.current().add_stream(
        flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
    *handle = stream_handles().insert(stream);
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

// With two pointers in it, the function needs no memory of its own in the queue.
template <typename Function>
musaError_t run_in_stream(Runtime& runtime, const std::shared_ptr<Stream>& stream,
                          Function function) {
  runtime.device(stream->device())->submit(stream, [function] {
    Runtime::get().gate.run_host_function(function);
  });
  return musaSuccess;
}

musaError_t launch_host_function(musaStream_t handle, const musaHostNodeParams& host) {
  return api([&](Runtime& runtime) {
    const auto stream = resolve_stream(runtime, handle);
    if (host.fn == nullptr) return musaErrorInvalidValue;
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    MUSA_RETURN_IF_CAPTURED(stream,
                            [&](Body* body) { return make_host_body(runtime, &host, body); });
    return run_in_stream(runtime, stream, [host] { host.fn(host.userData); });
  });
}

}  // namespace

musaError_t stream_create(musaStream_t* pStream) {
  return create_stream(pStream, musaStreamDefault, kLeastPriority);
}

musaError_t stream_create_with_flags(musaStream_t* pStream, unsigned int flags) {
  return create_stream(pStream, flags, kLeastPriority);
}

musaError_t stream_create_with_priority(musaStream_t* pStream, unsigned int flags, int priority) {
  return create_stream(pStream, flags, priority);
}

musaError_t check_stream(musaStream_t stream) {
  return api([&](Runtime& runtime) {
    return resolve_stream(runtime, stream) != nullptr ? musaSuccess
                                                      : musaErrorInvalidResourceHandle;
  });
}

musaError_t stream_destroy(musaStream_t stream) {
  return api([&](Runtime& runtime) {
    // The table does not contain the default streams, so programs cannot destroy them.
    const auto removed = stream_handles().remove(stream);
    if (removed == nullptr) return musaErrorInvalidResourceHandle;
    leave_capture(*removed);
    runtime.device(removed->device())->remove_stream(removed);
    return musaSuccess;
  });
}

musaError_t stream_query(musaStream_t stream) {
  return in_stream(stream, [&](Runtime& runtime, const auto& found) {
    MUSA_RETURN_IF_ERROR(refuse_if_capturing(*found));
    MUSA_RETURN_IF_ERROR(check_unsafe_call());
    Device& device = *runtime.device(found->device());
    const bool done = std::ranges::all_of(device.pending_before(found), [](const auto& milestone) {
      return milestone.stream->has_reached(milestone.position);
    });
    return done ? device.fault.load() : musaErrorNotReady;
  });
}

musaError_t stream_synchronize(musaStream_t stream) {
  return in_stream(stream, [&](Runtime& runtime, const auto& found) {
    MUSA_RETURN_IF_ERROR(refuse_if_capturing(*found));
    MUSA_RETURN_IF_ERROR(check_unsafe_call());
    Device& device = *runtime.device(found->device());
    const musaError_t status = wait_all(device, device.pending_before(found));
    release_excess(device.ordinal);
    return status;
  });
}

musaError_t stream_wait_event(musaStream_t stream, musaEvent_t event, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (flags != musaEventWaitDefault && flags != musaEventWaitExternal) {
      return musaErrorInvalidValue;
    }
    const auto waiting = resolve_stream(runtime, stream);
    const auto awaited = resolve_event(event);
    if (waiting == nullptr || awaited == nullptr) return musaErrorInvalidResourceHandle;
    if (any_capture() || awaited->captured() != nullptr) {
      bool handled = false;
      const musaError_t status = capture_event_wait(awaited, event, waiting, flags, &handled);
      if (handled || status != musaSuccess) return status;
    }
    // musaEventWaitExternal is meaningful only while the stream captures.
    if (flags != musaEventWaitDefault) return musaErrorInvalidValue;
    const auto recording = awaited->recording();
    // An event that was never recorded delays nobody.
    if (recording == nullptr) return musaSuccess;
    runtime.device(waiting->device())->submit(waiting, [recording] { recording->wait(); });
    return musaSuccess;
  });
}

musaError_t stream_get_priority(musaStream_t hStream, int* priority) {
  return read_stream(hStream, priority, [](Stream& stream) { return stream.priority(); });
}

musaError_t stream_get_flags(musaStream_t hStream, unsigned int* flags) {
  return read_stream(hStream, flags, [](Stream& stream) { return stream.flags(); });
}

musaError_t stream_get_id(musaStream_t hStream, unsigned long long* streamId) {
  return read_stream(hStream, streamId, [](Stream& stream) { return stream.id(); });
}

musaError_t stream_get_device(musaStream_t hStream, int* device) {
  return read_stream(hStream, device, [](Stream& stream) { return stream.device(); });
}

musaError_t device_get_stream_priority_range(int* leastPriority, int* greatestPriority) {
  return api([&](Runtime& runtime) {
    runtime.current();
    // Each result is optional.
    if (leastPriority != nullptr) *leastPriority = kLeastPriority;
    if (greatestPriority != nullptr) *greatestPriority = kGreatestPriority;
    return musaSuccess;
  });
}

musaError_t launch_host_func(musaStream_t stream, musaHostFn_t fn, void* userData) {
  return launch_host_function(stream, {fn, userData});
}

bool run_here(musaStream_t handle, void (*work)(void*), void* data) noexcept {
  if (any_capture() || on_stream_thread()) return false;
  bool ran = false;
  static_cast<void>(in_stream(handle, [&](Runtime& runtime, const auto& stream) {
    if (!runtime.device(stream->device())->begin_here(stream)) return musaErrorNotReady;
    struct End {
      Stream& stream;
      ~End() { stream.end_here(); }
    } const end{*stream};
    const OnStreamThread here(stream->device());
    const Busy busy(runtime.device(stream->device())->busy_time());
    const auto mapped = runtime.gate.enter();
    work(data);
    ran = true;
    return musaSuccess;
  }));
  return ran;
}

musaError_t stream_add_callback(musaStream_t stream, musaStreamCallback_t callback, void* userData,
                                unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (callback == nullptr || flags != 0) return musaErrorInvalidValue;
    const auto found = resolve_stream(runtime, stream);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    MUSA_RETURN_IF_ERROR(refuse_if_capturing(*found));
    return run_in_stream(runtime, found,
                         [stream, callback, userData] { callback(stream, musaSuccess, userData); });
  });
}

}  // namespace musa
