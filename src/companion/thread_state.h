// State of one thread, by pthread_getspecific: a PT_TLS segment takes room that dlopen may not
// find, and memory that the C library takes from the program's malloc, which may call CUDA.
#pragma once

#include <cstdint>

namespace torchada::trace {
class Recording;
}

namespace torchada {

struct ThreadState {
  trace::Recording* innermost;  // The recorded call that this thread is in.
  std::int32_t id;              // The gettid() number; 0 until needed, and in a child of fork().
  const void* observed;         // The frame of the observed call that this thread is in.
  // The profiler's, made when the thread needs it.
  struct {
    void* stacks;
    void (*drop)(void* stacks);
  } externals;
  // Inside the companion's own work: calls to CUDA do not come from the program.
  bool busy;
  // What libstdc++ knows about the exceptions of this thread (exception_state.cpp).
  struct {
    void* caught;
    unsigned uncaught;
  } exceptions;
};

// The state of the calling thread, made at the first use and given back when the thread ends. Where
// none can be made (while one is being made for this thread, or if the C library has no room), all
// threads get one and the same, which is always busy: is_shared() is then true.
ThreadState& thread_state();
bool is_shared(const ThreadState& state);

// From now on, a thread that ends calls `work`, with its state.
void at_end_of_threads(void (*work)());

// The same as thread_state, but null instead of making one.
ThreadState* known_thread_state();

// In a child of fork(): forgets the threads that are gone.
void forget_other_threads();

}  // namespace torchada
