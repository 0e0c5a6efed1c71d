// Replaces the part of libstdc++ that holds a thread's exceptions: the original has them in a
// PT_TLS segment. The two functions and the layout belong to the C++ ABI (Itanium C++ ABI,
// Exception Handling, 2.2.2).
#include <cxxabi.h>

#include <cstddef>
#include <cstdlib>

#include "src/companion/thread_state.h"

namespace {

using Exceptions = decltype(torchada::ThreadState::exceptions);
static_assert(offsetof(Exceptions, caught) == 0);
static_assert(offsetof(Exceptions, uncaught) == sizeof(void*));

}  // namespace

extern "C" __cxxabiv1::__cxa_eh_globals* __cxxabiv1::__cxa_get_globals() noexcept {
  torchada::ThreadState& state = torchada::thread_state();
  // Two threads that throw must not share it. libstdc++ ends the process too where it finds no
  // room.
  if (torchada::is_shared(state)) abort();
  return reinterpret_cast<__cxxabiv1::__cxa_eh_globals*>(&state.exceptions);
}

extern "C" __cxxabiv1::__cxa_eh_globals* __cxxabiv1::__cxa_get_globals_fast() noexcept {
  return __cxa_get_globals();
}
