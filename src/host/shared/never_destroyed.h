#pragma once

namespace host {

// The library's one object of a type, made at first use. It is never destroyed: streams, other
// threads and the destructors of static objects may still use it while the process exits.
template <typename Object>
Object& never_destroyed() {
  static Object& object = *new Object;
  return object;
}

}  // namespace host
