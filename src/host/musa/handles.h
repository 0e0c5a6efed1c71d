// Finds the objects behind the handles that a program holds. A dead handle is an error, never a
// crash.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "src/host/musa/runtime.h"

namespace musa {

template <typename Object>
class HandleTable {
 public:
  void* add(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    void* handle = object.get();
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  std::shared_ptr<Object> find(const void* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  std::shared_ptr<Object> remove(const void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    auto object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  template <typename Accept>
  std::vector<std::shared_ptr<Object>> list(Accept&& accept) const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Object>> listed;
    for (const auto& [handle, object] : objects_) {
      if (accept(*object)) listed.push_back(object);
    }
    return listed;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const void*, std::shared_ptr<Object>> objects_;
};

class Event;

HandleTable<Stream>& stream_handles();
HandleTable<Event>& event_handles();

// Null if the handle is not live. 0 and musaStreamLegacy are the current device's legacy stream,
// musaStreamPerThread the calling thread's own stream on that device.
std::shared_ptr<Stream> resolve_stream(Runtime& runtime, musaStream_t handle);
std::shared_ptr<Event> resolve_event(musaEvent_t handle);

// An API function about a stream, whose body also gets its object.
template <typename Body>
musaError_t in_stream(musaStream_t handle, Body&& body) noexcept {
  return api([&](Runtime& runtime) -> musaError_t {
    const auto stream = resolve_stream(runtime, handle);
    return stream == nullptr ? musaErrorInvalidResourceHandle : body(runtime, stream);
  });
}

}  // namespace musa
