// The wrapper of the functions that only a runtime has. All others hand their arguments to an
// operation of the driver.
#pragma once

#include <new>
#include <utility>

#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

namespace musart {

// Runs `body` with the ordinal of the thread's device. The caller may be C, so no exception leaves.
template <typename Body>
musaError_t call(Body&& body) noexcept {
  int device = 0;
  const musaError_t usable = musa::get_device(&device);
  if (usable != musaSuccess) return recorded(usable);
  try {
    return recorded(std::forward<Body>(body)(device));
  } catch (const std::bad_alloc&) {
    return recorded(musaErrorMemoryAllocation);
  } catch (...) {
    return recorded(musaErrorUnknown);
  }
}

}  // namespace musart
