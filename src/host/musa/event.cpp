#include "src/host/musa/event.h"

#include "src/host/shared/never_destroyed.h"

namespace musa {

EventHandles& event_handles() { return host::never_destroyed<EventHandles>(); }

std::shared_ptr<Event> resolve_event(musaEvent_t handle) { return event_handles().find(handle); }

}  // namespace musa
