// The grid, the block, tiles of a warp, and the threads that are together. There are no clusters.
#pragma once
#define _COOPERATIVE_GROUPS_H_  // of a toolkit's own header

#include "torchada_device.h"

namespace cooperative_groups {

// The lanes of a mask. 0 stands for the block.
struct coalesced_group {
  unsigned int mask;

  TORCHADA_DEVICE void sync() const { mask == 0 ? __syncthreads() : __syncwarp(mask); }
  TORCHADA_DEVICE unsigned int size() const {
    return mask == 0 ? torchada_thread_count() : __popc(mask);
  }
  TORCHADA_DEVICE unsigned int num_threads() const { return size(); }
  TORCHADA_DEVICE unsigned int thread_rank() const {
    return mask == 0 ? torchada_thread_index() : __popc(mask & ((1U << torchada::lane()) - 1));
  }
  TORCHADA_DEVICE static unsigned int meta_group_rank() { return 0; }
  TORCHADA_DEVICE static unsigned int meta_group_size() { return 1; }
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

struct thread_block {
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

// A part of a warp, of kSize threads.
template <unsigned int kSize, typename Parent = void>
struct thread_block_tile : coalesced_group {
  static_assert(kSize <= 32 && (kSize & (kSize - 1)) == 0, "tiles of at most 32 threads");
  TORCHADA_DEVICE thread_block_tile() : coalesced_group{torchada_tile(kSize)} {}
  template <typename Other>
  TORCHADA_DEVICE thread_block_tile(const thread_block_tile<kSize, Other>&) : thread_block_tile() {}
  TORCHADA_DEVICE static constexpr unsigned int size() { return kSize; }
  TORCHADA_DEVICE static constexpr unsigned int num_threads() { return kSize; }
  TORCHADA_DEVICE static unsigned int thread_rank() { return torchada::lane() % kSize; }
  TORCHADA_DEVICE static unsigned int meta_group_rank() { return torchada_thread_index() / kSize; }
  TORCHADA_DEVICE static unsigned int meta_group_size() {
    return (torchada_thread_count() + kSize - 1) / kSize;
  }
};
template <unsigned int kSize, typename Parent>
TORCHADA_MASKED thread_block_tile<kSize, Parent> tiled_partition(const Parent&) {
  return {};
}
TORCHADA_DEVICE thread_block_tile<1> this_thread() { return {}; }
TORCHADA_DEVICE coalesced_group coalesced_threads(unsigned int line = __builtin_LINE(),
                                                  unsigned int column = __builtin_COLUMN()) {
  return {__activemask(line, column)};
}
template <typename Group, typename Label>
TORCHADA_DEVICE coalesced_group labeled_partition(const Group& group, Label label) {
  return {__match_any_sync(group.mask, label)};
}
template <typename Group>
TORCHADA_DEVICE coalesced_group binary_partition(const Group& group, bool predicate) {
  return {__match_any_sync(group.mask, predicate)};
}

// Any of them.
using thread_group = coalesced_group;
TORCHADA_DEVICE coalesced_group tiled_partition(const thread_group&, unsigned int size) {
  return {torchada_tile(size)};
}

struct grid_group {
  TORCHADA_DEVICE static bool is_valid() { return torchada_grid_barrier(0) != 0; }
  // Ends the kernel where the launch is not cooperative.
  TORCHADA_DEVICE static void sync() {
    __syncthreads();
    if (torchada_thread_index() == 0 && torchada_grid_barrier(1) == 0) __trap();
    __syncthreads();
  }
  TORCHADA_REFUSES("the two halves of a barrier of the grid") __device__ int barrier_arrive() const;
  TORCHADA_REFUSES("the two halves of a barrier of the grid") __device__ void barrier_wait() const;
  TORCHADA_DEVICE static dim3 block_index() { return blockIdx; }
  TORCHADA_DEVICE static dim3 group_dim() { return gridDim; }
  TORCHADA_DEVICE static dim3 dim_blocks() { return gridDim; }
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
struct multi_grid_group {
  TORCHADA_REFUSES("a launch on several devices at once") __device__ void sync() const;
};
TORCHADA_REFUSES("a launch on several devices at once")
__device__ multi_grid_group this_multi_grid();
struct cluster_group {
  TORCHADA_REFUSES("a cluster") __device__ void sync() const;
};
TORCHADA_REFUSES("a cluster") __device__ cluster_group this_cluster();

template <typename Group>
TORCHADA_DEVICE auto sync(const Group& group) -> decltype(group.sync()) {
  return group.sync();
}

}  // namespace cooperative_groups
