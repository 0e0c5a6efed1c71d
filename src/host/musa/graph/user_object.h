// User objects: data of the program that lives as long as anything refers to it.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "musa_runtime_api.h"
#include "src/host/shared/handle_table.h"

namespace musa {

// Calls the program back when the last reference is released. No lock may be held then.
class UserObject {
 public:
  UserObject(void* pointer, musaHostFn_t destroy) : pointer_(pointer), destroy_(destroy) {}
  ~UserObject();
  UserObject(const UserObject&) = delete;
  UserObject& operator=(const UserObject&) = delete;

  musaUserObject_t handle = nullptr;

 private:
  void* const pointer_;
  const musaHostFn_t destroy_;
};

struct UserObjectReferences {
  std::shared_ptr<UserObject> object;
  unsigned int count = 0;
};

// The references owned by a graph, by handle.
using UserObjects = std::map<musaUserObject_t, UserObjectReferences>;

struct UserObjectTable {
  // The references of the program itself. The handle of an object stays valid while only graphs
  // refer to it.
  struct Entry {
    std::weak_ptr<UserObject> object;
    UserObjectReferences callers;
  };

  std::mutex mutex;
  std::map<musaUserObject_t, Entry> entries;
  host::HandleNumbers<host::HandleKind::kUserObject> numbers;
};

UserObjectTable& user_object_table();

}  // namespace musa
