// Events shared between processes.
#include "src/host/musart/event.h"
#include "src/host/musart/handles.h"
#include "src/host/musart/ipc_handle.h"
#include "src/host/musart/shared_event.h"

using musart::api;
using musart::Runtime;

musaError_t musaIpcGetEventHandle(musaIpcEventHandle_t* handle, musaEvent_t event) {
  return api([&](Runtime&) {
    if (handle == nullptr) return musaErrorInvalidValue;
    const auto found = musart::resolve_event(event);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    // Only events made for sharing can be shared, and an opened event cannot be passed on.
    const auto& shared = found->shared();
    if (shared == nullptr || shared->is_imported()) return musaErrorInvalidResourceHandle;
    musart::write_handle(shared->contents(), handle, sizeof(*handle));
    return musaSuccess;
  });
}

musaError_t musaIpcOpenEventHandle(musaEvent_t* event, musaIpcEventHandle_t handle) {
  return api([&](Runtime& runtime) {
    if (event == nullptr) return musaErrorInvalidValue;
    musart::IpcContents contents{};
    if (!musart::read_handle(&handle, musart::SharedKind::kEvent, &contents)) {
      return musaErrorInvalidResourceHandle;
    }
    if (musart::is_from_this_process(contents)) return musaErrorDeviceUninitialized;
    auto shared = musart::SharedEvent::open(contents);
    if (shared == nullptr) return musaErrorInvalidResourceHandle;
    auto opened = std::make_shared<musart::Event>(runtime.current_ordinal(),
                                                  musaEventInterprocess | musaEventDisableTiming,
                                                  std::move(shared));
    *event = static_cast<musaEvent_t>(musart::event_handles().add(std::move(opened)));
    return musaSuccess;
  });
}
