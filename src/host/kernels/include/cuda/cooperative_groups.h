// The grid, the block, tiles of a warp, and the threads that are together. There are no clusters.
#pragma once
#define _COOPERATIVE_GROUPS_H_  // of a toolkit's own header

#include "torchada_device.h"

namespace cooperative_groups {

// The lanes of a mask, 0 for the block; which part of its parent it is, and of how many.
struct coalesced_group {
  unsigned int mask;
  unsigned int part = 0;
  unsigned int parts = 1;

  TORCHADA_DEVICE void sync() const { mask == 0 ? __syncthreads() : __syncwarp(mask); }
  TORCHADA_DEVICE unsigned int size() const {
    return mask == 0 ? torchada_thread_count() : __popc(mask);
  }
  TORCHADA_DEVICE unsigned int num_threads() const { return size(); }
  TORCHADA_DEVICE unsigned int thread_rank() const {
    return mask == 0 ? torchada_thread_index() : __popc(mask & ((1U << torchada::lane()) - 1));
  }
  TORCHADA_DEVICE unsigned int meta_group_rank() const { return part; }
  TORCHADA_DEVICE unsigned int meta_group_size() const { return parts; }
#define TORCHADA_SHUFFLE(name, rank)                             \
  template <typename Type>                                       \
  TORCHADA_DEVICE Type name(Type value, unsigned int by) const { \
    return from(value, rank);                                    \
  }
  TORCHADA_SHUFFLE(shfl, by % size())
  TORCHADA_SHUFFLE(shfl_up, thread_rank() - (thread_rank() < by ? 0 : by))
  TORCHADA_SHUFFLE(shfl_down, thread_rank() + (thread_rank() + by < size() ? by : 0))
  TORCHADA_SHUFFLE(shfl_xor, thread_rank() ^ by)
#undef TORCHADA_SHUFFLE
  TORCHADA_DEVICE int any(int predicate) const { return __any_sync(mask, predicate); }
  TORCHADA_DEVICE int all(int predicate) const { return __all_sync(mask, predicate); }
  TORCHADA_DEVICE unsigned int ballot(int predicate) const {
    return packed(__ballot_sync(mask, predicate));
  }
  template <typename Type>
  TORCHADA_DEVICE unsigned int match_any(Type value) const {
    return packed(__match_any_sync(mask, value));
  }
  template <typename Type>
  TORCHADA_DEVICE unsigned int match_all(Type value, int& all) const {
    return packed(__match_all_sync(mask, value, &all));
  }

 private:
  // Of the bits of lanes those of ranks.
  TORCHADA_DEVICE unsigned int packed(unsigned int lanes) const {
    unsigned int ranks = 0;
    for (unsigned int i = 0, rank = 0; i < 32; ++i) {
      if ((mask >> i & 1) != 0) ranks |= (lanes >> i & 1) << rank++;
    }
    return ranks;
  }
  template <typename Type>
  TORCHADA_DEVICE Type from(Type value, unsigned int rank) const {
    unsigned int lane = torchada::lane();
    for (unsigned int i = 0, seen = 0; i < 32; ++i) {
      if ((mask >> i & 1) != 0 && seen++ == rank) lane = i;
    }
    return torchada::read_lane(mask, value, lane);
  }
};

// Nobody passes before all have come, so the second half may be all of a barrier.
template <typename Group>
struct torchada_halves {
  struct arrival_token {};
  TORCHADA_DEVICE static arrival_token barrier_arrive() { return {}; }
  TORCHADA_DEVICE static void barrier_wait(arrival_token&&) { Group::sync(); }
};

struct thread_block : torchada_halves<thread_block> {
  TORCHADA_DEVICE static void sync() { __syncthreads(); }
  TORCHADA_DEVICE static unsigned int thread_rank() { return torchada_thread_index(); }
  TORCHADA_DEVICE static unsigned int size() { return torchada_thread_count(); }
  TORCHADA_DEVICE static unsigned int num_threads() { return torchada_thread_count(); }
  TORCHADA_DEVICE static dim3 group_index() { return blockIdx; }
  TORCHADA_DEVICE static dim3 thread_index() { return threadIdx; }
  TORCHADA_DEVICE static dim3 group_dim() { return blockDim; }
  TORCHADA_DEVICE static dim3 dim_threads() { return blockDim; }
  TORCHADA_DEVICE operator coalesced_group() const { return {0}; }
};
TORCHADA_DEVICE thread_block this_thread_block() { return {}; }

TORCHADA_DEVICE unsigned int torchada_tile(unsigned int size) {
  return (size == 32 ? ~0U : (1U << size % 32) - 1) << (torchada::lane() & ~(size - 1));
}
// Which part of a group the thread is in, and of how many of that size.
template <typename Group>
TORCHADA_DEVICE coalesced_group torchada_part(const Group& group, unsigned int mask,
                                              unsigned int size) {
  return {mask, static_cast<unsigned int>(group.thread_rank()) / size,
          (static_cast<unsigned int>(group.size()) + size - 1) / size};
}

// A part of a warp, of kSize threads.
template <unsigned int kSize, typename Parent = void>
struct thread_block_tile : coalesced_group {
  static_assert(kSize <= 32 && (kSize & (kSize - 1)) == 0, "tiles of at most 32 threads");
  template <typename Group>
  TORCHADA_DEVICE explicit thread_block_tile(const Group& group)
      : coalesced_group(torchada_part(group, torchada_tile(kSize), kSize)) {}
  template <typename Other>
  TORCHADA_DEVICE thread_block_tile(const thread_block_tile<kSize, Other>& tile)
      : coalesced_group(tile) {}
  TORCHADA_DEVICE static constexpr unsigned int size() { return kSize; }
  TORCHADA_DEVICE static constexpr unsigned int num_threads() { return kSize; }
  TORCHADA_DEVICE static unsigned int thread_rank() { return torchada::lane() % kSize; }
};
template <unsigned int kSize, typename Parent>
TORCHADA_MASKED thread_block_tile<kSize, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<kSize, Parent>(parent);
}
TORCHADA_DEVICE thread_block_tile<1> this_thread() { return thread_block_tile<1>(thread_block()); }
TORCHADA_DEVICE coalesced_group coalesced_threads(unsigned int line = __builtin_LINE(),
                                                  unsigned int column = __builtin_COLUMN()) {
  return {__activemask(line, column)};
}
template <typename Group, typename Label>
TORCHADA_DEVICE coalesced_group labeled_partition(const Group& group, Label label) {
  const unsigned int mask = __match_any_sync(group.mask, label);
  const unsigned int first = mask & -mask;
  const unsigned int firsts = __ballot_sync(group.mask, first == 1U << torchada::lane());
  return {mask, static_cast<unsigned int>(__popc(firsts & (first - 1))),
          static_cast<unsigned int>(__popc(firsts))};
}
template <typename Group>
TORCHADA_DEVICE coalesced_group binary_partition(const Group& group, bool predicate) {
  return labeled_partition(group, predicate);
}

// Any of them.
using thread_group = coalesced_group;
// The lanes of `size` ranks, which need not lie side by side.
TORCHADA_DEVICE coalesced_group tiled_partition(const thread_group& group, unsigned int size) {
  if (group.mask == 0) return torchada_part(group, torchada_tile(size), size);
  const unsigned int begin = group.thread_rank() / size * size;
  unsigned int mask = 0;
  for (unsigned int left = group.mask, rank = 0; left != 0; left &= left - 1, ++rank) {
    if (rank - begin < size) mask |= left & -left;
  }
  return torchada_part(group, mask, size);
}

struct grid_group : torchada_halves<grid_group> {
  TORCHADA_DEVICE static bool is_valid() { return torchada_grid_barrier(0) != 0; }
  // Ends the kernel where the launch is not cooperative.
  TORCHADA_DEVICE static void sync() {
    __syncthreads();
    if (torchada_thread_index() == 0 && torchada_grid_barrier(1) == 0) __trap();
    __syncthreads();
  }
  TORCHADA_DEVICE static dim3 block_index() { return blockIdx; }
  TORCHADA_DEVICE static dim3 group_dim() { return gridDim; }
  TORCHADA_DEVICE static dim3 dim_blocks() { return gridDim; }
  TORCHADA_DEVICE static dim3 dim_threads() {
    return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z};
  }
  TORCHADA_DEVICE static dim3 thread_index() {
    return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
            blockIdx.z * blockDim.z + threadIdx.z};
  }
  TORCHADA_DEVICE static unsigned long long num_blocks() {
    return 1ULL * gridDim.x * gridDim.y * gridDim.z;
  }
  TORCHADA_DEVICE static unsigned long long block_rank() {
    return (1ULL * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  TORCHADA_DEVICE static unsigned long long size() {
    return num_blocks() * torchada_thread_count();
  }
  TORCHADA_DEVICE static unsigned long long num_threads() { return size(); }
  TORCHADA_DEVICE static unsigned long long thread_rank() {
    return block_rank() * torchada_thread_count() + torchada_thread_index();
  }
};
TORCHADA_DEVICE grid_group this_grid() { return {}; }
// Declared whole, so that sources with them are refused by name.
#define TORCHADA_SEVERAL TORCHADA_REFUSES("a launch on several devices at once") __device__
struct multi_grid_group {
  TORCHADA_SEVERAL static void sync();
  TORCHADA_SEVERAL static bool is_valid();
  TORCHADA_SEVERAL static unsigned long long size();
  TORCHADA_SEVERAL static unsigned long long num_threads();
  TORCHADA_SEVERAL static unsigned long long thread_rank();
  TORCHADA_SEVERAL static unsigned int num_grids();
  TORCHADA_SEVERAL static unsigned int grid_rank();
  TORCHADA_SEVERAL operator thread_group() const;
};
TORCHADA_SEVERAL multi_grid_group this_multi_grid();
#undef TORCHADA_SEVERAL
#define TORCHADA_CLUSTER TORCHADA_REFUSES("a cluster") __device__ static
struct cluster_group {
  struct arrival_token {};
  TORCHADA_CLUSTER void sync();
  TORCHADA_CLUSTER arrival_token barrier_arrive();
  TORCHADA_CLUSTER void barrier_wait();
  TORCHADA_CLUSTER void barrier_wait(arrival_token&&);
  TORCHADA_CLUSTER unsigned int size();
  TORCHADA_CLUSTER unsigned int num_threads();
  TORCHADA_CLUSTER unsigned int thread_rank();
  TORCHADA_CLUSTER unsigned int num_blocks();
  TORCHADA_CLUSTER unsigned int block_rank();
  TORCHADA_CLUSTER dim3 dim_blocks();
  TORCHADA_CLUSTER dim3 block_index();
  template <typename Type>
  TORCHADA_CLUSTER Type* map_shared_rank(Type* address, int rank);
};
#undef TORCHADA_CLUSTER
TORCHADA_REFUSES("a cluster") __device__ cluster_group this_cluster();

template <typename Group>
TORCHADA_DEVICE auto sync(const Group& group) -> decltype(group.sync()) {
  return group.sync();
}
template <typename Group>
TORCHADA_DEVICE auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <typename Group>
TORCHADA_DEVICE auto group_size(const Group& group) -> decltype(group.size()) {
  return group.size();
}
template <typename Group, typename Function, typename... Arguments>
TORCHADA_DEVICE void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
template <typename Group, typename Function, typename... Arguments>
TORCHADA_DEVICE auto invoke_one_broadcast(const Group& group, Function&& function,
                                          Arguments&&... arguments)
    -> decltype(function(static_cast<Arguments&&>(arguments)...)) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
