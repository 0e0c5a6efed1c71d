// What sanitizers have to be told where a stack is left for another.
//   begin       nothing runs on this stack, and nothing that did will go on
//   forget      the same while it is the stack that runs, from a handler
//   leave_for   just before `to` goes on
//   arrive      just after it came from `from`
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace musa {

#if defined(__SANITIZE_ADDRESS__)
struct StackNotes {
  void begin(const void* memory, std::size_t bytes) {
    bottom = memory;
    size = bytes;
    forget();
  }
  void forget() { __asan_unpoison_memory_region(bottom, size); }
  void end() {}
  void leave_for(const StackNotes& to) {
    __sanitizer_start_switch_fiber(&frames, to.bottom, to.size);
  }
  void arrive(StackNotes* from) {
    __sanitizer_finish_switch_fiber(frames, &from->bottom, &from->size);
  }
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* frames = nullptr;
};
#elif defined(__SANITIZE_THREAD__)
struct StackNotes {
  void begin(const void*, std::size_t) {
    end();
    fiber = __tsan_create_fiber(0);
  }
  void forget() {}
  void end() {
    if (fiber != nullptr) __tsan_destroy_fiber(fiber);
  }
  // Inline: a function would be left on another stack than it was entered on.
  __attribute__((always_inline)) void leave_for(const StackNotes& to) {
    fiber = __tsan_get_current_fiber();  // A thread's own has not begun.
    __tsan_switch_to_fiber(to.fiber, 0);
  }
  void arrive(StackNotes*) {}
  void* fiber = nullptr;
};
#else
struct StackNotes {
  void begin(const void*, std::size_t) {}
  void forget() {}
  void end() {}
  void leave_for(const StackNotes&) {}
  void arrive(StackNotes*) {}
};
#endif

}  // namespace musa
