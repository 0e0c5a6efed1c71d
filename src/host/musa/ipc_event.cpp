// Events shared between processes.
#include "src/host/musa/event.h"
#include "src/host/musa/ipc_handle.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/shared_event.h"
#include "src/host/musa/stream_handles.h"

namespace musa {

musaError_t ipc_get_event_handle(musaIpcEventHandle_t* handle, musaEvent_t event) {
  return api([&](Runtime&) {
    if (handle == nullptr) return musaErrorInvalidValue;
    const auto found = resolve_event(event);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    // Only events made for sharing can be shared, and an opened event cannot be passed on.
    const auto& shared = found->shared();
    if (shared == nullptr || shared->is_imported()) return musaErrorInvalidResourceHandle;
    write_handle(shared->contents(), handle, sizeof(*handle));
    return musaSuccess;
  });
}

musaError_t ipc_open_event_handle(musaEvent_t* event, musaIpcEventHandle_t handle) {
  return api([&](Runtime& runtime) {
    if (event == nullptr) return musaErrorInvalidValue;
    IpcContents contents{};
    if (!read_handle(&handle, SharedKind::kEvent, &contents)) {
      return musaErrorInvalidResourceHandle;
    }
    if (is_from_this_process(contents)) return musaErrorDeviceUninitialized;
    auto shared = SharedEvent::open(contents);
    if (shared == nullptr) return musaErrorInvalidResourceHandle;
    auto opened =
        std::make_shared<Event>(runtime.current().ordinal,
                                musaEventInterprocess | musaEventDisableTiming, std::move(shared));
    *event = event_handles().insert(opened);
    return musaSuccess;
  });
}

}  // namespace musa
