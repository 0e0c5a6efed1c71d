// Scans in a tile or a coalesced group.
#pragma once

#include "reduce.h"

namespace cooperative_groups {

template <typename Group, typename Type, typename Combine = plus<>>
TORCHADA_DEVICE Type inclusive_scan(const Group& group, Type value, Combine combine = {}) {
  for (unsigned int by = 1; by < group.size(); by *= 2) {
    const Type before = group.shfl_up(value, by);
    if (group.thread_rank() >= by) value = combine(before, value);
  }
  return value;
}
template <typename Group, typename Type, typename Combine = plus<>>
TORCHADA_DEVICE Type exclusive_scan(const Group& group, Type value, Combine combine = {}) {
  const Type before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? Type() : before;
}

}  // namespace cooperative_groups
