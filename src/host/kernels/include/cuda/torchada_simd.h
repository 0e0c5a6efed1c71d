// Functions of two or four small numbers in a word.
#pragma once

#include "torchada_threads.h"

namespace torchada {
// Each pair of numbers; the operation gets the least and the most of their type, too.
template <typename Number, typename Operation>
TORCHADA_DEVICE unsigned int lanes(unsigned int a, unsigned int b, Operation operation) {
  constexpr int kBits = 8 * sizeof(Number);
  constexpr int kLeast = static_cast<Number>(-1) < 0 ? -(1 << (kBits - 1)) : 0;
  constexpr int kMost = kLeast + (1 << kBits) - 1;
  constexpr unsigned int kMask = (1U << kBits) - 1;
  unsigned int result = 0;
  for (int at = 0; at < 32; at += kBits) {
    const int x = static_cast<Number>(a >> at), y = static_cast<Number>(b >> at);
    result |= (static_cast<unsigned int>(operation(x, y, kLeast, kMost)) & kMask) << at;
  }
  return result;
}
template <typename Number>
TORCHADA_DEVICE unsigned int sum_of_differences(unsigned int a, unsigned int b) {
  unsigned int sum = 0;
  for (int at = 0; at < 32; at += 8 * sizeof(Number)) {
    const int x = static_cast<Number>(a >> at), y = static_cast<Number>(b >> at);
    sum += static_cast<unsigned int>(x > y ? x - y : y - x);
  }
  return sum;
}
TORCHADA_DEVICE int clamped(int x, int least, int most) {
  return x < least ? least : x > most ? most : x;
}
}  // namespace torchada

#define TORCHADA_LANES(name, type, count, parameters, a, b, expression)        \
  TORCHADA_DEVICE unsigned int name##count parameters {                        \
    return torchada::lanes<type>(a, b, [](int x, int y, int least, int most) { \
      return (void)least, (void)most, expression;                              \
    });                                                                        \
  }
#define TORCHADA_ONE(name, sign, expression)                              \
  TORCHADA_LANES(name, sign short, 2, (unsigned int a), a, 0, expression) \
  TORCHADA_LANES(name, sign char, 4, (unsigned int a), a, 0, expression)
#define TORCHADA_TWO(name, sign, expression)                                              \
  TORCHADA_LANES(name, sign short, 2, (unsigned int a, unsigned int b), a, b, expression) \
  TORCHADA_LANES(name, sign char, 4, (unsigned int a, unsigned int b), a, b, expression)
#define TORCHADA_EITHER(name, expression)   \
  TORCHADA_TWO(name##s, signed, expression) \
  TORCHADA_TWO(name##u, unsigned, expression)
TORCHADA_ONE(__vabs, signed, x < 0 ? -x : x)
TORCHADA_ONE(__vabsss, signed, torchada::clamped(x < 0 ? -x : x, least, most))
TORCHADA_ONE(__vneg, signed, -x)
TORCHADA_ONE(__vnegss, signed, torchada::clamped(-x, least, most))
TORCHADA_TWO(__vadd, signed, x + y)
TORCHADA_TWO(__vsub, signed, x - y)
TORCHADA_TWO(__vaddss, signed, torchada::clamped(x + y, least, most))
TORCHADA_TWO(__vsubss, signed, torchada::clamped(x - y, least, most))
TORCHADA_TWO(__vaddus, unsigned, torchada::clamped(x + y, least, most))
TORCHADA_TWO(__vsubus, unsigned, torchada::clamped(x - y, least, most))
TORCHADA_TWO(__vhaddu, unsigned, (x + y) >> 1)
TORCHADA_EITHER(__vavg, (x + y + (x + y >= 0)) >> 1)
TORCHADA_EITHER(__vabsdiff, x > y ? x - y : y - x)
TORCHADA_EITHER(__vmin, x < y ? x : y)
TORCHADA_EITHER(__vmax, x > y ? x : y)
#define TORCHADA_COMPARISON(name, op)      \
  TORCHADA_EITHER(__vcmp##name, -(x op y)) \
  TORCHADA_EITHER(__vset##name, x op y)
TORCHADA_COMPARISON(ge, >=)
TORCHADA_COMPARISON(gt, >)
TORCHADA_COMPARISON(le, <=)
TORCHADA_COMPARISON(lt, <)
TORCHADA_TWO(__vcmpeq, signed, -(x == y))
TORCHADA_TWO(__vcmpne, signed, -(x != y))
TORCHADA_TWO(__vseteq, signed, x == y)
TORCHADA_TWO(__vsetne, signed, x != y)
#undef TORCHADA_COMPARISON
#undef TORCHADA_EITHER
#undef TORCHADA_TWO
#undef TORCHADA_ONE
#undef TORCHADA_LANES
#define TORCHADA_SAD(name, type)                                      \
  TORCHADA_DEVICE unsigned int name(unsigned int a, unsigned int b) { \
    return torchada::sum_of_differences<type>(a, b);                  \
  }
TORCHADA_SAD(__vsads2, short)
TORCHADA_SAD(__vsads4, signed char)
TORCHADA_SAD(__vsadu2, unsigned short)
TORCHADA_SAD(__vsadu4, unsigned char)
#undef TORCHADA_SAD
