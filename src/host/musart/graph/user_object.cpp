#include "src/host/musart/graph/user_object.h"

#include <climits>
#include <mutex>

#include "src/host/musart/graph/graph.h"

namespace musart {
namespace {

// The references of the program itself. The handle of an object stays valid while only graphs refer
// to it.
struct Entry {
  std::weak_ptr<UserObject> object;
  UserObjectReferences callers;
};

struct Table {
  std::mutex mutex;
  std::map<musaUserObject_t, Entry> entries;
  std::uintptr_t next = 0;
};

Table& table() {
  static auto* const all = new Table;
  return *all;
}

bool is_count(unsigned int count) { return count != 0 && count <= INT_MAX; }

}  // namespace

UserObject::~UserObject() {
  {
    const std::lock_guard lock(table().mutex);
    table().entries.erase(handle);
  }
  destroy_(pointer_);
}

}  // namespace musart

using musart::api;
using musart::Runtime;
using musart::with_graphs;

musaError_t musaUserObjectCreate(musaUserObject_t* object_out, void* ptr, musaHostFn_t destroy,
                                 unsigned int initialRefcount, unsigned int flags) {
  return api([&](Runtime&) {
    if (object_out == nullptr || destroy == nullptr || !musart::is_count(initialRefcount) ||
        flags != musaUserObjectNoDestructorSync) {
      return musaErrorInvalidValue;
    }
    // The object is made last: if an earlier step fails, `destroy` must not be called.
    auto& table = musart::table();
    const std::lock_guard lock(table.mutex);
    table.next += 64;
    const auto handle = reinterpret_cast<musaUserObject_t>(table.next);
    musart::Entry& entry = table.entries[handle];
    auto object = std::make_shared<musart::UserObject>(ptr, destroy);
    object->handle = handle;
    entry.object = object;
    entry.callers = {std::move(object), initialRefcount};
    *object_out = handle;
    return musaSuccess;
  });
}

musaError_t musaUserObjectRetain(musaUserObject_t object, unsigned int count) {
  return api([&](Runtime&) {
    if (!musart::is_count(count)) return musaErrorInvalidValue;
    auto& table = musart::table();
    std::shared_ptr<musart::UserObject> alive;  // released after the lock
    const std::lock_guard lock(table.mutex);
    const auto found = table.entries.find(object);
    if (found == table.entries.end()) return musaErrorInvalidValue;
    alive = found->second.object.lock();
    if (alive == nullptr || count > INT_MAX - found->second.callers.count) {
      return musaErrorInvalidValue;
    }
    found->second.callers.object = alive;
    found->second.callers.count += count;
    return musaSuccess;
  });
}

musaError_t musaUserObjectRelease(musaUserObject_t object, unsigned int count) {
  std::shared_ptr<musart::UserObject> released;  // released after the lock
  return api([&](Runtime&) {
    auto& table = musart::table();
    const std::lock_guard lock(table.mutex);
    const auto found = table.entries.find(object);
    if (!musart::is_count(count) || found == table.entries.end() ||
        found->second.callers.count < count) {
      return musaErrorInvalidValue;
    }
    found->second.callers.count -= count;
    if (found->second.callers.count == 0) released = std::move(found->second.callers.object);
    return musaSuccess;
  });
}

musaError_t musaGraphRetainUserObject(musaGraph_t graph, musaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  std::shared_ptr<musart::UserObject> alive;  // released after the locks
  return with_graphs([&](Runtime&) {
    const auto found = musart::graphs().find(graph);
    if (found == nullptr || !musart::is_count(count) ||
        (flags & ~static_cast<unsigned int>(musaGraphUserObjectMove)) != 0) {
      return musaErrorInvalidValue;
    }
    auto& table = musart::table();
    const std::lock_guard lock(table.mutex);
    const auto entry = table.entries.find(object);
    if (entry == table.entries.end()) return musaErrorInvalidValue;
    alive = entry->second.object.lock();
    if (alive == nullptr) return musaErrorInvalidValue;
    musart::UserObjectReferences& callers = entry->second.callers;
    const bool move = (flags & musaGraphUserObjectMove) != 0;
    if (move && callers.count < count) return musaErrorInvalidValue;
    musart::UserObjectReferences& owned = found->user_objects[object];
    if (count > INT_MAX - owned.count) return musaErrorInvalidValue;
    owned.object = alive;
    owned.count += count;
    if (move) callers.count -= count;
    if (callers.count == 0) callers.object = nullptr;
    return musaSuccess;
  });
}

musaError_t musaGraphReleaseUserObject(musaGraph_t graph, musaUserObject_t object,
                                       unsigned int count) {
  std::shared_ptr<musart::UserObject> released;  // released after the locks
  return with_graphs([&](Runtime&) {
    const auto found = musart::graphs().find(graph);
    if (found == nullptr || !musart::is_count(count)) return musaErrorInvalidValue;
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
