// Reductions in a tile or a coalesced group.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define TORCHADA_OPERATION(name, expression)                       \
  template <typename Type = void>                                  \
  struct name {                                                    \
    template <typename Value>                                      \
    __host__ __device__ Value operator()(Value a, Value b) const { \
      return expression;                                           \
    }                                                              \
  };
TORCHADA_OPERATION(plus, a + b)
TORCHADA_OPERATION(less, b < a ? b : a)
TORCHADA_OPERATION(greater, a < b ? b : a)
TORCHADA_OPERATION(bit_and, a& b)
TORCHADA_OPERATION(bit_or, a | b)
TORCHADA_OPERATION(bit_xor, a ^ b)
#undef TORCHADA_OPERATION

template <typename Group, typename Type, typename Combine>
TORCHADA_DEVICE Type reduce(const Group& group, Type value, Combine combine) {
  return torchada::reduce(group.mask, value, combine);
}
// Each step doubles what a thread knows, so all get the same bits.
template <unsigned int kSize, typename Parent, typename Type, typename Combine>
TORCHADA_DEVICE Type reduce(const thread_block_tile<kSize, Parent>& tile, Type value,
                            Combine combine) {
  for (unsigned int other = 1; other < kSize; other *= 2) {
    value = combine(value, tile.shfl_xor(value, other));
  }
  return value;
}

}  // namespace cooperative_groups
