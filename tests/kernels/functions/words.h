// What functions of words do, said otherwise than in the stand-in's headers: bit by bit, and with
// numbers that are large enough.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace words {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = unsigned long long;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s64 = long long;

inline bool bit(u64 x, int at) { return (x >> at & 1) != 0; }
inline int count_bits(u64 x) {
  int count = 0;
  for (int i = 0; i < 64; ++i) count += bit(x, i);
  return count;
}
inline int leading_zeros(u64 x, int bits) {
  int count = 0;
  while (count < bits && !bit(x, bits - 1 - count)) ++count;
  return count;
}
inline int first_bit(u64 x) {
  for (int i = 0; i < 64; ++i) {
    if (bit(x, i)) return i + 1;
  }
  return 0;
}
inline u64 reversed(u64 x, int bits) {
  u64 made = 0;
  for (int i = 0; i < bits; ++i) made |= u64{bit(x, i)} << (bits - 1 - i);
  return made;
}
inline u32 permuted(u32 a, u32 b, u32 selector) {
  const u32 words[] = {a, b};
  u32 made = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 pick = selector >> 4 * i & 15;
    u32 byte = words[pick / 4 % 2] >> 8 * (pick % 4) & 255;
    if (pick >= 8) byte = byte >= 128 ? 255 : 0;
    made += byte << 8 * i;
  }
  return made;
}
inline int signed24(u32 x) { return static_cast<int>(x << 8) / 256; }
inline s64 distance(s64 a, s64 b) { return a > b ? a - b : b - a; }

template <typename T>
T max_of(T a, T b) {
  return std::max(a, b);
}
template <typename T>
T min_of(T a, T b) {
  return std::min(a, b);
}
inline s64 magnitude(s64 x) { return x < 0 ? -x : x; }
// Half of it; 0.5 is rounded away from 0.
inline s64 rounded_half(s64 x) { return (x < 0 ? x - 1 : x + 1) / 2; }
template <typename T>
s64 clamped(s64 x) {
  return std::clamp<s64>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

template <typename A, typename B>
u32 dot(u32 a, u32 b, int from) {
  s64 sum = 0;
  for (std::size_t i = 0; i < 4 / sizeof(A); ++i) {
    sum += static_cast<s64>(static_cast<A>(a >> 8 * sizeof(A) * i)) *
           static_cast<B>(b >> 8 * (i + static_cast<std::size_t>(from)));
  }
  return static_cast<u32>(sum);
}

// The numbers of a word, and what `operation` makes of those of three.
template <typename T, typename Operation>
u32 each(u32 a, u32 b, u32 c, Operation operation) {
  u32 made = 0;
  for (std::size_t at = 0; at < 32; at += 8 * sizeof(T)) {
    const auto one =
        operation(static_cast<T>(a >> at), static_cast<T>(b >> at), static_cast<T>(c >> at));
    made |= static_cast<u32>(static_cast<std::make_unsigned_t<T>>(one)) << at;
  }
  return made;
}
template <typename T, typename Operation>
u32 sum_of_each(u32 a, u32 b, Operation operation) {
  s64 sum = 0;
  for (std::size_t at = 0; at < 32; at += 8 * sizeof(T)) {
    sum += operation(static_cast<T>(a >> at), static_cast<T>(b >> at));
  }
  return static_cast<u32>(sum);
}

}  // namespace words

// Of numbers x, y and z, which are as large as they need to be; `sum` is that of the type.
#define EACH(type, expression)                                 \
  each<type>(a, b, c, [](type p, type q, type r) {             \
    [[maybe_unused]] const s64 x = p, y = q, z = r;            \
    [[maybe_unused]] const s64 sum = static_cast<type>(x + y); \
    return EACH_RESULT(expression);                            \
  })
#define EACH_RESULT(expression) static_cast<s64>(expression)
#define ALONE(type, expression)                               \
  [](s64 x, s64 y, s64 z) {                                   \
    const s64 sum = static_cast<type>(x + y);                 \
    return (void)sum, (void)z, static_cast<type>(expression); \
  }(static_cast<type>(a), static_cast<type>(b), static_cast<type>(c))
#define SUM(type, expression) sum_of_each<type>(a, b, [](s64 x, s64 y) { return expression; })
