#include "src/host/musa/event.h"
#include "src/host/musa/graph/capture.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/pool.h"
#include "src/host/musa/runtime.h"
#include "src/host/musa/stream_handles.h"

namespace musa {
namespace {

constexpr unsigned int kKnownEventFlags =
    musaEventBlockingSync | musaEventDisableTiming | musaEventInterprocess;

musaError_t create_event(musaEvent_t* handle, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (handle == nullptr || (flags & ~kKnownEventFlags) != 0) return musaErrorInvalidValue;
    const bool shared = (flags & musaEventInterprocess) != 0;
    if (shared && (flags & musaEventDisableTiming) == 0) return musaErrorInvalidValue;
    auto with_others = shared ? SharedEvent::create() : nullptr;
    if (shared && with_others == nullptr) return musaErrorOperatingSystem;
    auto event = std::make_shared<Event>(runtime.current().ordinal, flags, std::move(with_others));
    *handle = event_handles().insert(event);
    return musaSuccess;
  });
}

musaError_t record_event(musaEvent_t event_handle, musaStream_t stream_handle, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (flags != musaEventRecordDefault && flags != musaEventRecordExternal) {
      return musaErrorInvalidValue;
    }
    const auto event = resolve_event(event_handle);
    const auto stream = resolve_stream(runtime, stream_handle);
    if (event == nullptr || stream == nullptr || event->device() != stream->device()) {
      return musaErrorInvalidResourceHandle;
    }
    if (any_capture()) {
      bool captured = false;
      MUSA_RETURN_IF_ERROR(capture_event_record(event, event_handle, stream, flags, &captured));
      if (captured) return musaSuccess;
    }
    // musaEventRecordExternal is meaningful only while the stream captures.
    if (flags != musaEventRecordDefault) return musaErrorInvalidValue;
    auto recording = event->new_recording();
    runtime.device(stream->device())->submit(stream, [recording] { recording->complete(); });
    event->set_recording(std::move(recording));
    return musaSuccess;
  });
}

}  // namespace

musaError_t event_create(musaEvent_t* event) { return create_event(event, musaEventDefault); }

musaError_t event_create_with_flags(musaEvent_t* event, unsigned int flags) {
  return create_event(event, flags);
}

musaError_t event_destroy(musaEvent_t event) {
  return api([&](Runtime&) {
    // A recording not yet complete lives on in the stream and in those who wait for it.
    return event_handles().remove(event) != nullptr ? musaSuccess : musaErrorInvalidResourceHandle;
  });
}

musaError_t event_record(musaEvent_t event, musaStream_t stream) {
  return record_event(event, stream, musaEventRecordDefault);
}

musaError_t event_record_with_flags(musaEvent_t event, musaStream_t stream, unsigned int flags) {
  return record_event(event, stream, flags);
}

musaError_t event_query(musaEvent_t event) {
  return api([&](Runtime& runtime) {
    const auto found = resolve_event(event);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    MUSA_RETURN_IF_ERROR(check_not_captured(*found));
    MUSA_RETURN_IF_ERROR(check_unsafe_call());
    const auto recording = found->recording();
    if (recording != nullptr && !recording->is_done()) return musaErrorNotReady;
    return runtime.device(found->device())->fault.load();
  });
}

musaError_t event_synchronize(musaEvent_t event) {
  return api([&](Runtime& runtime) {
    const auto found = resolve_event(event);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    MUSA_RETURN_IF_ERROR(check_not_captured(*found));
    MUSA_RETURN_IF_ERROR(check_unsafe_call());
    const auto recording = found->recording();
    if (recording != nullptr && !recording->is_done()) {
      if (on_stream_thread()) return musaErrorNotPermitted;
      recording->wait();
    }
    release_excess(found->device());
    return runtime.device(found->device())->fault.load();
  });
}

musaError_t event_elapsed_time(float* ms, musaEvent_t start, musaEvent_t end) {
  return api([&](Runtime&) {
    if (ms == nullptr) return musaErrorInvalidValue;
    const auto first = resolve_event(start);
    const auto last = resolve_event(end);
    if (first == nullptr || last == nullptr || first->device() != last->device() ||
        ((first->flags() | last->flags()) & musaEventDisableTiming) != 0) {
      return musaErrorInvalidResourceHandle;
    }
    MUSA_RETURN_IF_ERROR(check_not_captured(*first));
    MUSA_RETURN_IF_ERROR(check_not_captured(*last));
    const auto from = first->recording();
    const auto to = last->recording();
    if (from == nullptr || to == nullptr) return musaErrorInvalidResourceHandle;
    if (!from->is_done() || !to->is_done()) return musaErrorNotReady;
    *ms = std::chrono::duration<float, std::milli>(to->time() - from->time()).count();
    return musaSuccess;
  });
}

}  // namespace musa
