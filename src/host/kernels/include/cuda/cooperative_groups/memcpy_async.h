// Copies into shared memory. They are done when the call returns.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <typename Group, typename To, typename From>
TORCHADA_DEVICE void memcpy_async(const Group& group, To* to, const From* from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes; i += group.size()) {
    reinterpret_cast<char*>(to)[i] = reinterpret_cast<const char*>(from)[i];
  }
}
template <typename Group>
TORCHADA_DEVICE void wait(const Group& group) {
  group.sync();
}
template <unsigned int, typename Group>
TORCHADA_DEVICE void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
