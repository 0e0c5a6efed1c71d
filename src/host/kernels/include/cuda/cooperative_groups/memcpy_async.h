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
// So many elements as both have.
template <typename Group, typename Type, typename ToCount, typename FromCount>
TORCHADA_DEVICE void memcpy_async(const Group& group, Type* to, const ToCount& to_count,
                                  const Type* from, const FromCount& from_count) {
  const size_t most = to_count, there = from_count;
  memcpy_async(group, to, from, (most < there ? most : there) * sizeof(Type));
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
