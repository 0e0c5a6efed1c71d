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

// Of three numbers, for dynamic programming: 32 bits, or two of 16 bits in a word.
namespace torchada {
template <typename Number>
TORCHADA_DEVICE unsigned int halves(unsigned int a, unsigned int b, unsigned int c,
                                    Number (*operation)(Number, Number, Number)) {
  unsigned int result = 0;
  for (int at = 0; at < 32; at += 16) {
    const Number made = operation(static_cast<Number>(a >> at), static_cast<Number>(b >> at),
                                  static_cast<Number>(c >> at));
    result |= static_cast<unsigned int>(static_cast<unsigned short>(made)) << at;
  }
  return result;
}
template <typename Number>
TORCHADA_DEVICE Number wrapped_sum(Number a, Number b) {
  return static_cast<Number>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));
}
}  // namespace torchada
#define TORCHADA_THREE(name, expression)                                             \
  namespace torchada {                                                               \
  template <typename Number>                                                         \
  TORCHADA_DEVICE Number name(Number x, Number y, Number z) {                        \
    return expression;                                                               \
  }                                                                                  \
  template <typename Number>                                                         \
  TORCHADA_DEVICE Number name##_relu(Number x, Number y, Number z) {                 \
    return max(name<Number>(x, y, z), 0);                                            \
  }                                                                                  \
  }                                                                                  \
  TORCHADA_THREE_OF(name, _s32, int, (a, b, c))                                      \
  TORCHADA_THREE_OF(name, _u32, unsigned int, (a, b, c))                             \
  TORCHADA_THREE_HALVES(name, _s16x2, short)                                         \
  TORCHADA_THREE_HALVES(name, _u16x2, unsigned short)                                \
  TORCHADA_DEVICE int __##name##_s32_relu(int a, int b, int c) {                     \
    return torchada::name##_relu(a, b, c);                                           \
  }                                                                                  \
  TORCHADA_DEVICE unsigned int __##name##_s16x2_relu(unsigned int a, unsigned int b, \
                                                     unsigned int c) {               \
    return torchada::halves<short>(a, b, c, torchada::name##_relu<short>);           \
  }
#define TORCHADA_THREE_OF(name, suffix, type, arguments)          \
  TORCHADA_DEVICE type __##name##suffix(type a, type b, type c) { \
    return torchada::name<type> arguments;                        \
  }
#define TORCHADA_THREE_HALVES(name, suffix, type)                                                 \
  TORCHADA_DEVICE unsigned int __##name##suffix(unsigned int a, unsigned int b, unsigned int c) { \
    return torchada::halves<type>(a, b, c, torchada::name<type>);                                 \
  }
TORCHADA_THREE(viaddmax, max(wrapped_sum(x, y), z))
TORCHADA_THREE(viaddmin, min(wrapped_sum(x, y), z))
TORCHADA_THREE(vimax3, max(max(x, y), z))
TORCHADA_THREE(vimin3, min(min(x, y), z))
#undef TORCHADA_THREE
#undef TORCHADA_THREE_OF
#undef TORCHADA_THREE_HALVES
// The larger or the smaller one, and whether that is the first.
#define TORCHADA_WHICH(name, function, op)                                                      \
  TORCHADA_DEVICE int __vi##name##_s32_relu(int a, int b) { return max(function(a, b), 0); }    \
  TORCHADA_DEVICE unsigned int __vi##name##_s16x2_relu(unsigned int a, unsigned int b) {        \
    return __vmaxs2(__v##function##s2(a, b), 0);                                                \
  }                                                                                             \
  TORCHADA_DEVICE int __vib##name##_s32(int a, int b, bool* first) {                            \
    *first = a op b;                                                                            \
    return function(a, b);                                                                      \
  }                                                                                             \
  TORCHADA_DEVICE unsigned int __vib##name##_u32(unsigned int a, unsigned int b, bool* first) { \
    *first = a op b;                                                                            \
    return function(a, b);                                                                      \
  }                                                                                             \
  TORCHADA_WHICH_HALVES(name, function, op, s, short)                                           \
  TORCHADA_WHICH_HALVES(name, function, op, u, unsigned short)
#define TORCHADA_WHICH_HALVES(name, function, op, sign, type)                             \
  TORCHADA_DEVICE unsigned int __vib##name##_##sign##16x2(unsigned int a, unsigned int b, \
                                                          bool* high, bool* low) {        \
    *high = static_cast<type>(a >> 16) op static_cast<type>(b >> 16);                     \
    *low = static_cast<type>(a) op static_cast<type>(b);                                  \
    return __v##function##sign##2(a, b);                                                  \
  }
TORCHADA_WHICH(max, max, >=)
TORCHADA_WHICH(min, min, <=)
#undef TORCHADA_WHICH
#undef TORCHADA_WHICH_HALVES
