// On which SDK the tests run.
#pragma once

#include <cstdlib>

#include "support.h"

// major*10000 + minor*100 + patch, from SDKS_VERSION; what runs the tests sets it.
inline int sdk() {
  const char* text = std::getenv("SDKS_VERSION");
  if (text == nullptr) std::abort();
  return std::atoi(text);
}
