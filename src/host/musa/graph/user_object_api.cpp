#include <climits>

#include "src/host/musa/graph/graph.h"
#include "src/host/musa/graph/user_object.h"
#include "src/host/musa/operations.h"

namespace musa {
namespace {

bool is_count(unsigned int count) { return count != 0 && count <= INT_MAX; }

}  // namespace

musaError_t user_object_create(musaUserObject_t* object_out, void* ptr, musaHostFn_t destroy,
                               unsigned int initialRefcount, unsigned int flags) {
  return api([&](Runtime&) {
    if (object_out == nullptr || destroy == nullptr || !is_count(initialRefcount) ||
        flags != musaUserObjectNoDestructorSync) {
      return musaErrorInvalidValue;
    }
    // The object is made last: if an earlier step fails, `destroy` must not be called.
    auto& objects = user_object_table();
    const std::lock_guard lock(objects.mutex);
    const auto handle = reinterpret_cast<musaUserObject_t>(objects.numbers.next());
    UserObjectTable::Entry& entry = objects.entries[handle];
    auto object = std::make_shared<UserObject>(ptr, destroy);
    object->handle = handle;
    entry.object = object;
    entry.callers = {std::move(object), initialRefcount};
    *object_out = handle;
    return musaSuccess;
  });
}

musaError_t user_object_retain(musaUserObject_t object, unsigned int count) {
  return api([&](Runtime&) {
    if (!is_count(count)) return musaErrorInvalidValue;
    auto& objects = user_object_table();
    std::shared_ptr<UserObject> alive;  // released after the lock
    const std::lock_guard lock(objects.mutex);
    const auto found = objects.entries.find(object);
    if (found == objects.entries.end()) return musaErrorInvalidValue;
    alive = found->second.object.lock();
    if (alive == nullptr || count > INT_MAX - found->second.callers.count) {
      return musaErrorInvalidValue;
    }
    found->second.callers.object = alive;
    found->second.callers.count += count;
    return musaSuccess;
  });
}

musaError_t user_object_release(musaUserObject_t object, unsigned int count) {
  std::shared_ptr<UserObject> released;  // released after the lock
  return api([&](Runtime&) {
    auto& objects = user_object_table();
    const std::lock_guard lock(objects.mutex);
    const auto found = objects.entries.find(object);
    if (!is_count(count) || found == objects.entries.end() || found->second.callers.count < count) {
      return musaErrorInvalidValue;
    }
    found->second.callers.count -= count;
    if (found->second.callers.count == 0) released = std::move(found->second.callers.object);
    return musaSuccess;
  });
}

musaError_t graph_retain_user_object(musaGraph_t graph, musaUserObject_t object, unsigned int count,
                                     unsigned int flags) {
  std::shared_ptr<UserObject> alive;  // released after the locks
  return with_graphs([&](Runtime&) {
    const auto found = graphs().find(graph);
    if (found == nullptr || !is_count(count) ||
        (flags & ~static_cast<unsigned int>(musaGraphUserObjectMove)) != 0) {
      return musaErrorInvalidValue;
    }
    auto& objects = user_object_table();
    const std::lock_guard lock(objects.mutex);
    const auto entry = objects.entries.find(object);
    if (entry == objects.entries.end()) return musaErrorInvalidValue;
    alive = entry->second.object.lock();
    if (alive == nullptr) return musaErrorInvalidValue;
    UserObjectReferences& callers = entry->second.callers;
    const bool move = (flags & musaGraphUserObjectMove) != 0;
    if (move && callers.count < count) return musaErrorInvalidValue;
    UserObjectReferences& owned = found->user_objects[object];
    if (count > INT_MAX - owned.count) return musaErrorInvalidValue;
    owned.object = alive;
    owned.count += count;
    if (move) callers.count -= count;
    if (callers.count == 0) callers.object = nullptr;
    return musaSuccess;
  });
}

musaError_t graph_release_user_object(musaGraph_t graph, musaUserObject_t object,
                                      unsigned int count) {
  std::shared_ptr<UserObject> released;  // released after the locks
  return with_graphs([&](Runtime&) {
    const auto found = graphs().find(graph);
    if (found == nullptr || !is_count(count)) return musaErrorInvalidValue;
    const auto owned = found->user_objects.find(object);
    if (owned == found->user_objects.end() || owned->second.count < count) {
      return musaErrorInvalidValue;
    }
    owned->second.count -= count;
    if (owned->second.count == 0) {
      released = std::move(owned->second.object);
      found->user_objects.erase(owned);
    }
    return musaSuccess;
  });
}

}  // namespace musa
