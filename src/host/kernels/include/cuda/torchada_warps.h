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

TORCHADA_DEVICE unsigned int lane() { return torchada_here.index % TORCHADA_WARP_SIZE; }

template <typename T>
TORCHADA_DEVICE uint64_t bits_of(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable<T>::value,
                "a value of at most 8 bytes can go to another lane");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

// The value of a lane; the caller's own where `from` is its own lane.
template <typename T>
TORCHADA_DEVICE T read_lane(unsigned int mask, T value, unsigned int from) {
  const uint64_t bits = torchada_here.engine->meet(TORCHADA_MEET_READ, mask, bits_of(value), from);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

TORCHADA_DEVICE unsigned int meet(torchada_meeting kind, unsigned int mask, uint64_t value) {
  return static_cast<unsigned int>(torchada_here.engine->meet(kind, mask, value, 0));
}

template <typename T, typename Combine>
TORCHADA_DEVICE T reduce(unsigned int mask, T value, Combine combine) {
  // All lanes read all others, so that each combines them in the same order.
  T result = read_lane(mask, value, __builtin_ffs(mask) - 1);
  for (unsigned int left = mask & (mask - 1); left != 0; left &= left - 1) {
    result = combine(result, read_lane(mask, value, __builtin_ffs(left) - 1));
  }
  return result;
}

}  // namespace torchada

TORCHADA_DEVICE void __syncwarp() { torchada::meet(TORCHADA_MEET_SYNC, 0, 0); }
TORCHADA_MASKED void __syncwarp(unsigned int mask) { torchada::meet(TORCHADA_MEET_SYNC, mask, 0); }

#define TORCHADA_SHUFFLE(name, type, from)                                                     \
  template <typename T>                                                                        \
  TORCHADA_MASKED T __shfl##name##_sync(unsigned int mask, T value, type by, int width = 32) { \
    const unsigned int lane = torchada::lane();                                                \
    const unsigned int end = (lane & ~(width - 1)) + width;                                    \
    return torchada::read_lane(mask, value, from);                                             \
  }
TORCHADA_SHUFFLE(, int, end - width + (by & (width - 1)))
TORCHADA_SHUFFLE(_up, unsigned int, lane - (end - width) < by ? lane : lane - by)
TORCHADA_SHUFFLE(_down, unsigned int, lane + by < end ? lane + by : lane)
// As documented: a lane of a later segment is not read.
TORCHADA_SHUFFLE(_xor, int, (lane ^ by) >= end ? lane : lane ^ by)
#undef TORCHADA_SHUFFLE

#define TORCHADA_VOTE(type, name, expression) \
  TORCHADA_MASKED type name(unsigned int mask, int predicate) { return expression; }
TORCHADA_VOTE(unsigned int, __ballot_sync, torchada::meet(TORCHADA_MEET_VOTE, mask, predicate != 0))
TORCHADA_VOTE(int, __any_sync, __ballot_sync(mask, predicate) != 0)
TORCHADA_VOTE(int, __all_sync, !__any_sync(mask, !predicate))
TORCHADA_VOTE(int, __uni_sync, __all_sync(mask, predicate) || __all_sync(mask, !predicate))
#undef TORCHADA_VOTE
template <typename T>
TORCHADA_MASKED unsigned int __match_any_sync(unsigned int mask, T value) {
  return torchada::meet(TORCHADA_MEET_MATCH, mask, torchada::bits_of(value));
}
template <typename T>
TORCHADA_MASKED unsigned int __match_all_sync(unsigned int mask, T value, int* all) {
  const unsigned int same = __match_any_sync(mask, value);
  *all = __all_sync(mask, same == __ballot_sync(mask, 1));
  return *all ? same : 0;
}

// The lanes that are here when nothing else in the block can run. `here` tells one place from
// another.
TORCHADA_MASKED unsigned int torchada_active(uint64_t here) {
  return torchada::meet(TORCHADA_MEET_ACTIVE, 0, here);
}
#ifdef TORCHADA_PARSE
__device__ unsigned int __activemask();
#else
#define __activemask() torchada_active(__COUNTER__)
#endif

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
