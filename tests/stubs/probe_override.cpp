// A library for TORCHADA_OVERRIDE: replaces one function and links with the replacement library it
// overrides.
#include "tests/stubs/probe.h"

extern "C" int probe_add(int a, int b) { return 1000000 + a + b; }
// Keeps the replacement library as a dependency.
extern "C" int override_uses_the_library() { return probe_errno(); }
