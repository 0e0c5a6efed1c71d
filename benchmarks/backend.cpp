// A MUSA runtime whose functions do nothing, so that only the call itself costs time.
#define BENCH_EXPORT(name) \
  extern "C" int name(int*) { return 0; }
#include "backend.inc"

// The only function that a replacement library itself calls, to choose between spellings.
extern "C" int musaRuntimeGetVersion(int* version) {
  if (version) *version = BENCH_SDK;
  return 0;
}
