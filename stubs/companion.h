// The companion (src/companion): what a program asks for by TORCHADA_TRACE and the like lives in a
// library of its own, which nothing loads otherwise.
#pragma once

namespace torchada {

// A function of libexec/torchada_companion.so, which is loaded at the first use; null where it is
// missing or of another release, of which one line tells.
void* companion_function(const char* name);

// The same with its type: companion_function<decltype(torchada_companion_log)>("...").
template <typename Function>
Function* companion_function(const char* name) {
  return reinterpret_cast<Function*>(companion_function(name));
}

}  // namespace torchada
