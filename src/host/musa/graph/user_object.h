// User objects: data of the program that lives as long as anything refers to it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "musa_runtime_api.h"

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

}  // namespace musa
