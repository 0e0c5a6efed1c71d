#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "tests/long_run/work.h"

void require(long status, const char* call, const char* file, int line) {
  if (status == 0) return;
  std::fprintf(stderr, "%s:%d: %s returned %ld, expected 0\n", file, line, call, status);
  std::_Exit(1);
}

void compare(const char* what, const Numbers& expected, const Numbers& got, float tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i < got.size() && std::fabs(expected[i] - got[i]) <= tolerance) continue;
    std::fprintf(stderr, "%s: value %zu of %zu is %g, expected %g\n", what, i, expected.size(),
                 static_cast<double>(i < got.size() ? got[i] : NAN),
                 static_cast<double>(expected[i]));
    std::_Exit(1);
  }
}

Numbers numbers(std::size_t count, unsigned seed) {
  Numbers out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>((i * 7 + seed) % 11) - 5;
  return out;
}
