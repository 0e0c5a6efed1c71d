// What every operation of the driver does first and last.
#pragma once

#include <new>
#include <system_error>
#include <utility>

#include "musa_runtime_api.h"
#include "src/host/musa/fork_guard.h"

namespace musa {

// Runs the body of an operation. No exception leaves it: libmusart has a C++ runtime of its own,
// and programs may be C.
template <typename Body>
musaError_t api_call(Body&& body) noexcept {
  // Worker threads and held locks do not survive a fork, so a call in the child fails at once.
  if (in_forked_child()) return musaErrorInitializationError;
  try {
    return std::forward<Body>(body)();
  } catch (const std::bad_alloc&) {
    return musaErrorMemoryAllocation;
  } catch (const std::system_error&) {
    return musaErrorOperatingSystem;
  } catch (...) {
    return musaErrorUnknown;
  }
}

}  // namespace musa

#define MUSA_RETURN_IF_ERROR(expression)                      \
  do {                                                        \
    const musaError_t status_of_call = (expression);          \
    if (status_of_call != musaSuccess) return status_of_call; \
  } while (false)
