// Shuffles and votes.
#pragma once

#include "torchada_threads.h"

namespace torchada {

#if TORCHADA_WARP_SIZE == 32
#define TORCHADA_MASKED TORCHADA_DEVICE
#else
// What 32 bits of a mask mean for 128 lanes has not been published.
#define TORCHADA_MASKED                                                                     \
  __attribute__((noinline,                                                                  \
                 error("operations with a mask of 32 lanes are not supported on mp_21 and " \
                       "mp_22, whose warps have 128 threads"))) TORCHADA_DEVICE
#endif

TORCHADA_DEVICE unsigned int lane() { return torchada_thread_index() % TORCHADA_WARP_SIZE; }

// The value of a lane, eight bytes at a time; the caller's own where `from` is its own lane.
template <typename Type>
TORCHADA_DEVICE Type read_lane(unsigned int mask, Type value, unsigned int from) {
  static_assert(sizeof(Type) <= 32 && __is_trivially_copyable(Type),
                "a value of at most 32 bytes can go to another lane");
  unsigned long long bits[(sizeof(Type) + 7) / 8] = {};
  __builtin_memcpy(bits, &value, sizeof(Type));
  for (unsigned long long& piece : bits) piece = torchada_meet(kRead, mask, piece, from);
  __builtin_memcpy(&value, bits, sizeof(Type));
  return value;
}

TORCHADA_DEVICE unsigned int meet(Meeting kind, unsigned int mask, unsigned long long value) {
  return static_cast<unsigned int>(torchada_meet(kind, mask, value, 0));
}

template <typename Type, typename Combine>
TORCHADA_DEVICE Type reduce(unsigned int mask, Type value, Combine combine) {
  // All lanes read all others, so that each combines them in the same order.
  Type result = read_lane(mask, value, __builtin_ffs(mask) - 1);
  for (unsigned int left = mask & (mask - 1); left != 0; left &= left - 1) {
    result = combine(result, read_lane(mask, value, __builtin_ffs(left) - 1));
  }
  return result;
}

}  // namespace torchada

TORCHADA_DEVICE void __syncwarp() { torchada::meet(torchada::kSync, 0, 0); }
TORCHADA_MASKED void __syncwarp(unsigned int mask) { torchada::meet(torchada::kSync, mask, 0); }

#define TORCHADA_SHUFFLE(name, type, from)                                         \
  template <typename Type>                                                         \
  TORCHADA_MASKED Type __shfl##name##_sync(unsigned int mask, Type value, type by, \
                                           int width = 32) {                       \
    const unsigned int lane = torchada::lane();                                    \
    const unsigned int end = (lane & ~(width - 1)) + width;                        \
    return torchada::read_lane(mask, value, from);                                 \
  }
TORCHADA_SHUFFLE(, int, end - width + (by & (width - 1)))
TORCHADA_SHUFFLE(_up, unsigned int, lane - (end - width) < by ? lane : lane - by)
TORCHADA_SHUFFLE(_down, unsigned int, lane + by < end ? lane + by : lane)
// As documented: a lane of a later segment is not read.
TORCHADA_SHUFFLE(_xor, int, (lane ^ by) >= end ? lane : lane ^ by)
#undef TORCHADA_SHUFFLE

#define TORCHADA_VOTE(type, name, expression) \
  TORCHADA_MASKED type name(unsigned int mask, int predicate) { return expression; }
TORCHADA_VOTE(unsigned int, __ballot_sync, torchada::meet(torchada::kVote, mask, predicate != 0))
TORCHADA_VOTE(int, __any_sync, __ballot_sync(mask, predicate) != 0)
TORCHADA_VOTE(int, __all_sync, !__any_sync(mask, !predicate))
TORCHADA_VOTE(int, __uni_sync, __all_sync(mask, predicate) || __all_sync(mask, !predicate))
#undef TORCHADA_VOTE
template <typename Type>
TORCHADA_MASKED unsigned int __match_any_sync(unsigned int mask, Type value) {
  static_assert(sizeof(Type) <= 8, "values of at most 8 bytes can be compared");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(Type));
  return torchada::meet(torchada::kMatch, mask, bits);
}
template <typename Type>
TORCHADA_MASKED unsigned int __match_all_sync(unsigned int mask, Type value, int* all) {
  const unsigned int same = __match_any_sync(mask, value);
  *all = __all_sync(mask, same == __ballot_sync(mask, 1));
  return *all ? same : 0;
}

// The lanes that are here when nothing else in the block can run. Line and column tell one place
// from another.
TORCHADA_MASKED unsigned int __activemask(unsigned int line = __builtin_LINE(),
                                          unsigned int column = __builtin_COLUMN()) {
  return torchada::meet(torchada::kActive, 0, line * 0x100000000ULL + column);
}

#define TORCHADA_REDUCE(type, name, expression)                                              \
  TORCHADA_MASKED type __reduce_##name##_sync(unsigned int mask, type value) {               \
    return torchada::reduce(mask, value, [](type a, type b) -> type { return expression; }); \
  }
#define TORCHADA_REDUCE_ANY(name, expression) \
  TORCHADA_REDUCE(unsigned int, name, expression) TORCHADA_REDUCE(int, name, expression)
TORCHADA_REDUCE_ANY(add, a + b)
TORCHADA_REDUCE_ANY(min, a < b ? a : b)
TORCHADA_REDUCE_ANY(max, a > b ? a : b)
TORCHADA_REDUCE(unsigned int, and, a& b)
TORCHADA_REDUCE(unsigned int, or, a | b)
TORCHADA_REDUCE(unsigned int, xor, a ^ b)
#undef TORCHADA_REDUCE
#undef TORCHADA_REDUCE_ANY
