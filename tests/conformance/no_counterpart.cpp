// What is called in place of a function that MUSA has no counterpart of.
#include <gtest/gtest.h>

extern "C" int no_counterpart() {
  constexpr int kNotSupported = 801;  // cudaErrorNotSupported
  ADD_FAILURE() << "MUSA has no such function: leave the test out";
  return kNotSupported;
}
