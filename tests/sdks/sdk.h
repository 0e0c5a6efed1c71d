// The SDK on which the tests run.
#pragma once

#include <cstdlib>

#include "tests/conformance/support.h"

// major*10000 + minor*100 + patch, from SDKS_VERSION, which the caller of the tests sets.
inline int sdk() {
  const char* text = std::getenv("SDKS_VERSION");
  if (text == nullptr) std::abort();
  return std::atoi(text);
}
