// Scans in a tile or a coalesced group.
#pragma once

#include "reduce.h"

namespace cooperative_groups {

template <typename Group, typename T, typename Combine = plus<>>
TORCHADA_DEVICE T inclusive_scan(const Group& group, T value, Combine combine = {}) {
  for (unsigned int by = 1; by < group.size(); by *= 2) {
    const T before = group.shfl_up(value, by);
    if (group.thread_rank() >= by) value = combine(before, value);
  }
  return value;
}
template <typename Group, typename T, typename Combine = plus<>>
TORCHADA_DEVICE T exclusive_scan(const Group& group, T value, Combine combine = {}) {
  const T before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T() : before;
}

}  // namespace cooperative_groups
