// State of one thread in one library: 16 bytes at most, initial-exec, so that reading it is one
// instruction and a late dlopen always finds room in the static TLS reserve.
#pragma once

#include "stubs/table.h"

namespace torchada {

struct Thread {
  int32_t last_error;  // The status that the shim itself returned last; see errors.cpp.
  uint8_t opening;     // Depth of our own dlopen calls on this thread.
};
static_assert(sizeof(Thread) <= 16);

extern "C" TORCHADA_HIDDEN
    __attribute__((tls_model("initial-exec"))) thread_local Thread torchada_thread;

}  // namespace torchada
