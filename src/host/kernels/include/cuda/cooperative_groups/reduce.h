// Reductions in a tile or a coalesced group.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define TORCHADA_OPERATION(name, expression)           \
  template <typename T = void>                         \
  struct name {                                        \
    template <typename A>                              \
    __host__ __device__ A operator()(A a, A b) const { \
      return expression;                               \
    }                                                  \
  };
TORCHADA_OPERATION(plus, a + b)
TORCHADA_OPERATION(less, b < a ? b : a)
TORCHADA_OPERATION(greater, a < b ? b : a)
TORCHADA_OPERATION(bit_and, a& b)
TORCHADA_OPERATION(bit_or, a | b)
TORCHADA_OPERATION(bit_xor, a ^ b)
#undef TORCHADA_OPERATION

template <typename Group, typename T, typename Combine>
TORCHADA_DEVICE T reduce(const Group& group, T value, Combine combine) {
  return torchada::reduce(group.mask, value, combine);
}
// Each step doubles what a thread knows, so all get the same bits.
template <unsigned int kSize, typename Parent, typename T, typename Combine>
TORCHADA_DEVICE T reduce(const thread_block_tile<kSize, Parent>& tile, T value, Combine combine) {
  for (unsigned int other = 1; other < kSize; other *= 2) {
    value = combine(value, tile.shfl_xor(value, other));
  }
  return value;
}

}  // namespace cooperative_groups
