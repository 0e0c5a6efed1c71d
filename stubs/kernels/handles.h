// Handles that are torchada's own. None of MUSA's handles is one: they are addresses of other
// memory.
#pragma once

#include <stddef.h>

namespace torchada::kernels {

// A kind of handles, each of which stands for a value. A handle is the address of its place.
class HandleTable {
 public:
  // Null without memory, or if there are too many. `value` is not null.
  void* make(void* value);
  // The value with which it was made. Null if there is no such handle.
  void* value_of(const void* handle);
  // The same, and ends the handle. Of two threads that drop it, one finds it gone.
  void* drop(void* handle);
  // The handle of a value for which is_meant(value) holds, or null.
  template <typename Test>
  void* find(Test is_meant) {
    void** const all = __atomic_load_n(&places_, __ATOMIC_ACQUIRE);
    const size_t made = __atomic_load_n(&next_place_, __ATOMIC_ACQUIRE);
    for (size_t i = 0; all && i < kMost && i < made; ++i) {
      void* const value = __atomic_load_n(all + i, __ATOMIC_ACQUIRE);
      if (value && is_meant(value)) return all + i;
    }
    return nullptr;
  }

 private:
  static constexpr size_t kMost = size_t{1} << 17;
  void** reserve_places();

  void** places_ = nullptr;  // Null where there is no handle.
  size_t next_place_ = 0;    // Places are used in turn, so that a handle is not used again at once.
};

// Those of modules and libraries that know names only: each has a context.
void* make_handle(void* context);
void* context_of_handle(const void* handle);
bool drop_handle(void* handle);

}  // namespace torchada::kernels
