// The companion (src/companion) is a separate library for what users must ask for, by
// TORCHADA_TRACE and similar variables. Otherwise it is never loaded.
#pragma once

#include "stubs/system/signals_held.h"
#include "stubs/system/unfinished.h"

namespace torchada {

// Exists while the companion works for us. It has locks, so no signal handler may come in, and a
// child of fork() must know what it inherited.
struct CompanionWork {
  HandlersHeld held;
  Unfinished unfinished;
};

// A function of libexec/torchada_companion.so, which is loaded at the first use. Null if the file
// is missing or belongs to another release; one line says so. Null in a process that was cut off
// (unfinished.h).
void* companion_function(const char* name);

// The same with its type: companion_function<decltype(torchada_companion_log)>("...").
template <typename Function>
Function* companion_function(const char* name) {
  return reinterpret_cast<Function*>(companion_function(name));
}

}  // namespace torchada
