// A MUSA runtime whose functions do nothing, so that a call costs the way there and back.
#define BENCH_EXPORT(name) \
  extern "C" int name(int*) { return 0; }
#include "backend.inc"

// The one function that a shim calls on its own account, to choose between spellings.
extern "C" int musaRuntimeGetVersion(int* version) {
  if (version) *version = BENCH_SDK;
  return 0;
}
