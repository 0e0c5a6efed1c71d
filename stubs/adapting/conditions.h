// What CUDA documents about arguments (mappings/forward/conditions.yaml). Asked only after MUSA has
// failed a call: its status may be one that no public source explains, but a wrong leading
// dimension is what CUDA's documentation says it is.
#pragma once

#include <stdarg.h>
#include <stdint.h>

namespace torchada {

// The status of the first broken condition, or 0. `conditions` is the number of arguments and then
// the steps (src/shared/condition_steps.h); `arguments` has each as int64_t, with CUDA's value.
int broken_condition(const uint8_t* conditions, va_list arguments);

// The same for arguments that follow, converted by condition_argument.
int broken_condition(const uint8_t* conditions, ...);

inline int64_t condition_argument(const void* value) {
  return static_cast<int64_t>(reinterpret_cast<uintptr_t>(value));
}
template <typename Integer>
int64_t condition_argument(Integer value) {
  return static_cast<int64_t>(value);
}
template <typename Object>
int64_t condition_argument(Object* value) {
  return condition_argument(static_cast<const void*>(value));
}

// The same for an adapter that is written by hand, with all arguments of its function in order.
template <typename... Arguments>
int documented_status(const uint8_t* conditions, Arguments... arguments) {
  return broken_condition(conditions, condition_argument(arguments)...);
}

}  // namespace torchada
