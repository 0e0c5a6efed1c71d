#include "src/host/musa/graph/user_object.h"

#include "src/host/shared/never_destroyed.h"

namespace musa {

UserObjectTable& user_object_table() { return host::never_destroyed<UserObjectTable>(); }

UserObject::~UserObject() {
  {
    const std::lock_guard lock(user_object_table().mutex);
    user_object_table().entries.erase(handle);
  }
  destroy_(pointer_);
}

}  // namespace musa
