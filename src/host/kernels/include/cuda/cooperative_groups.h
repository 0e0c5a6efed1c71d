// Groups of a block: the block itself, tiles of a warp, and the threads that are together. Grids
// and clusters are refused.
#pragma once

#include "torchada_device.h"

namespace cooperative_groups {

struct thread_block {
  TORCHADA_DEVICE static void sync() { __syncthreads(); }
  TORCHADA_DEVICE static unsigned int thread_rank() { return torchada_here.index; }
  TORCHADA_DEVICE static unsigned int size() { return torchada_here.count; }
  TORCHADA_DEVICE static unsigned int num_threads() { return torchada_here.count; }
  TORCHADA_DEVICE static dim3 group_index() { return blockIdx; }
  TORCHADA_DEVICE static dim3 thread_index() { return threadIdx; }
  TORCHADA_DEVICE static dim3 dim_threads() { return blockDim; }
};
TORCHADA_DEVICE thread_block this_thread_block() { return {}; }

// The lanes of a mask.
struct coalesced_group {
  unsigned int mask;

  TORCHADA_DEVICE void sync() const { __syncwarp(mask); }
  TORCHADA_DEVICE unsigned int size() const { return __popc(mask); }
  TORCHADA_DEVICE unsigned int num_threads() const { return size(); }
  TORCHADA_DEVICE unsigned int thread_rank() const {
    return __popc(mask & ((1U << torchada::lane()) - 1));
  }
  template <typename T>
  TORCHADA_DEVICE T shfl(T value, int rank) const {
    return from(value, rank);
  }
  template <typename T>
  TORCHADA_DEVICE T shfl_up(T value, unsigned int delta) const {
    return from(value, thread_rank() < delta ? thread_rank() : thread_rank() - delta);
  }
  template <typename T>
  TORCHADA_DEVICE T shfl_down(T value, unsigned int delta) const {
    return from(value, thread_rank() + delta < size() ? thread_rank() + delta : thread_rank());
  }
  template <typename T>
  TORCHADA_DEVICE T shfl_xor(T value, unsigned int other) const {
    return from(value, thread_rank() ^ other);
  }
  TORCHADA_DEVICE int any(int predicate) const { return __any_sync(mask, predicate); }
  TORCHADA_DEVICE int all(int predicate) const { return __all_sync(mask, predicate); }
  TORCHADA_DEVICE unsigned int ballot(int predicate) const {
    const unsigned int votes = __ballot_sync(mask, predicate);
    unsigned int packed = 0;
    for (unsigned int i = 0, rank = 0; i < 32; ++i) {
      if ((mask >> i & 1) != 0) packed |= (votes >> i & 1) << rank++;
    }
    return packed;
  }

 private:
  template <typename T>
  TORCHADA_DEVICE T from(T value, unsigned int rank) const {
    unsigned int lane = 0;
    for (unsigned int i = 0, seen = 0; i < 32; ++i) {
      if ((mask >> i & 1) != 0 && seen++ == rank) lane = i;
    }
    return torchada::read_lane(mask, value, lane);
  }
};

// A part of a warp, of kSize threads.
template <unsigned int kSize, typename Parent = void>
struct thread_block_tile : coalesced_group {
  static_assert(kSize <= 32 && (kSize & (kSize - 1)) == 0, "tiles of at most 32 threads");
  TORCHADA_DEVICE thread_block_tile()
      : coalesced_group{(kSize == 32 ? ~0U : (1U << kSize % 32) - 1)
                        << (torchada::lane() & ~(kSize - 1))} {}
  TORCHADA_DEVICE static constexpr unsigned int size() { return kSize; }
  TORCHADA_DEVICE static constexpr unsigned int num_threads() { return kSize; }
  TORCHADA_DEVICE static unsigned int thread_rank() { return torchada::lane() % kSize; }
  TORCHADA_DEVICE static unsigned int meta_group_rank() { return torchada_here.index / kSize; }
  TORCHADA_DEVICE static unsigned int meta_group_size() {
    return (torchada_here.count + kSize - 1) / kSize;
  }
};
template <unsigned int kSize, typename Parent>
TORCHADA_DEVICE thread_block_tile<kSize, Parent> tiled_partition(const Parent&) {
  return {};
}
TORCHADA_DEVICE coalesced_group coalesced_threads() { return {__activemask()}; }

template <typename Group>
TORCHADA_DEVICE void sync(const Group& group) {
  group.sync();
}

// For the translator to refuse.
struct grid_group {
  __device__ void sync() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long size() const;
};
__device__ grid_group this_grid();
struct cluster_group {
  __device__ void sync() const;
};
__device__ cluster_group this_cluster();

}  // namespace cooperative_groups
