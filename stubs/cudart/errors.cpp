// The last error of a thread has two sources: MUSA's own state and what the replacement library
// itself returned (unsupported calls, missing kernel images). A program sees them as one.
#include "facts.h"
#include "stubs/system/thread.h"

extern "C" int torchada_adapter_cudaGetLastError() {
  const int own = torchada::last_error();
  torchada::set_last_error(0);
  // Asked even if the replacement library has an error pending: one read clears both, and MUSA's
  // wins.
  const int backend = musaGetLastError();
  return backend != 0 ? backend : own;
}

extern "C" int torchada_adapter_cudaPeekAtLastError() {
  const int backend = musaPeekAtLastError();
  return backend != 0 ? backend : torchada::last_error();
}
