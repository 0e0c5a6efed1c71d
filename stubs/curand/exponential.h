// exp(), because the libraries need libc alone.
#pragma once

#include <stdint.h>
#include <string.h>

namespace torchada::curand {

// Two to the power of a normal exponent.
inline double power_of_two(int exponent) {
  const uint64_t bits = static_cast<uint64_t>(exponent + 1023) << 52;
  double out = 0;
  memcpy(&out, &bits, sizeof out);
  return out;
}

// Within one unit in the last place.
inline double exponential(double x) {
  constexpr double kMost = 709.8, kLeast = -745.2;  // Beyond them: infinite, and 0.
  constexpr double kPerLog = 0x1.71547652b82fep+0;  // 1 / ln 2.
  // ln 2 in two parts. The products of the first with small whole numbers are exact.
  constexpr double kLog = 0x1.62e42fee00000p-1, kLogRest = 0x1.a39ef35793c76p-33;
  if (x != x) return x;
  if (x > kMost) return __builtin_inf();
  if (x < kLeast) return 0;
  // x is power * ln 2 + (high - low), which is small.
  const int power = static_cast<int>(x * kPerLog + (x < 0 ? -0.5 : 0.5));
  const double high = x - power * kLog;
  const double low = power * kLogRest;
  const double small = high - low;
  double series = 0;  // (exp(small) - 1 - small) / small^2
  constexpr int kTerms = 14;
  for (int i = kTerms; i >= 2; --i) series = (series * small + 1) / i;
  // Now series is (1 / 2!) + small / 3! + ...
  const double result = 1 + (high + (small * small * series - low));
  // In two steps, because neither infinity nor a denormal result has a normal exponent.
  const int half = power / 2;
  return result * power_of_two(half) * power_of_two(power - half);
}

}  // namespace torchada::curand
