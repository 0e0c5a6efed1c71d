// CUB's algorithms of warps and blocks, each against the same on the host.
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>

#include "../programs/program.h"

constexpr int kThreads = 128;
constexpr int kItems = 4;
constexpr int kAll = kThreads * kItems;

struct Longer {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

// out: 32 numbers of each warp's algorithms.
__global__ void warps(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int>;
  using Wide = cub::WarpScan<long long>;
  using Sort = cub::WarpMergeSort<int, 2>;
  __shared__ typename Reduce::TempStorage reduce[4];
  __shared__ typename Scan::TempStorage scan[4];
  __shared__ typename Wide::TempStorage wide[4];
  __shared__ typename Sort::TempStorage sort[4];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int value = in[threadIdx.x];
  int* const mine = out + warp * 192;
  const int sum = Reduce(reduce[warp]).Sum(value);
  __syncwarp();
  const int longest = Reduce(reduce[warp]).Reduce(value, Longer());
  __syncwarp();
  const int headed = Reduce(reduce[warp]).HeadSegmentedSum(value, lane % 8 == 0);
  int inclusive, exclusive;
  Scan(scan[warp]).Scan(value, inclusive, exclusive, 0, Longer());
  __syncwarp();
  Scan(scan[warp]).InclusiveSum(value, inclusive);
  long long large;
  Wide(wide[warp]).InclusiveSum(value * 0x100000000LL, large);
  int two[2] = {value, -value};
  Sort(sort[warp]).Sort(two, Less());
  mine[lane] = lane == 0 ? sum : 0;
  mine[32 + lane] = lane == 0 ? longest : exclusive;
  mine[64 + lane] = lane % 8 == 0 ? headed : 0;
  mine[96 + lane] = inclusive - static_cast<int>(large >> 32);
  mine[128 + 2 * lane] = two[0];
  mine[128 + 2 * lane + 1] = two[1];
}

template <cub::BlockReduceAlgorithm kAlgorithm>
__global__ void reduce(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, kThreads, kAlgorithm>;
  __shared__ typename Reduce::TempStorage storage;
  int items[kItems];
  cub::LoadDirectBlocked(threadIdx.x, in, items);
  const int sum = Reduce(storage).Sum(items);
  __syncthreads();
  const int longest = Reduce(storage).Reduce(items, Longer());
  if (threadIdx.x == 0) out[0] = sum, out[1] = longest;
}

template <cub::BlockLoadAlgorithm kLoad, cub::BlockStoreAlgorithm kStore,
          cub::BlockScanAlgorithm kScan>
__global__ void scan(const int* in, int* out) {
  using Load = cub::BlockLoad<int, kThreads, kItems, kLoad>;
  using Store = cub::BlockStore<int, kThreads, kItems, kStore>;
  using Scan = cub::BlockScan<int, kThreads, kScan>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } storage;
  int items[kItems], total;
  Load(storage.load).Load(in, items);
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(items, items, total);
  __syncthreads();
  Store(storage.store).Store(out, items);
  if (threadIdx.x == 0) out[kAll] = total;
}

// Sorted keys with their values; by merging; a histogram; exchanged twice.
__global__ void sort(const int* in, int* out) {
  using Radix = cub::BlockRadixSort<int, kThreads, kItems, int>;
  using Merge = cub::BlockMergeSort<int, kThreads, kItems>;
  using Histogram = cub::BlockHistogram<unsigned char, kThreads, kItems, 256>;
  using Atomic = cub::BlockHistogram<unsigned char, kThreads, kItems, 256, cub::BLOCK_HISTO_ATOMIC>;
  using Exchange = cub::BlockExchange<int, kThreads, kItems>;
  __shared__ union {
    typename Radix::TempStorage radix;
    typename Merge::TempStorage merge;
    typename Histogram::TempStorage histogram;
    typename Atomic::TempStorage atomic;
    typename Exchange::TempStorage exchange;
  } storage;
  __shared__ unsigned int counts[2][256];
  int keys[kItems], values[kItems];
  cub::LoadDirectBlocked(threadIdx.x, in, keys);
  for (int i = 0; i < kItems; ++i) values[i] = threadIdx.x * kItems + i;
  Radix(storage.radix).SortDescending(keys, values);
  cub::StoreDirectBlocked(threadIdx.x, out, keys);
  cub::StoreDirectBlocked(threadIdx.x, out + kAll, values);
  __syncthreads();
  Merge(storage.merge).Sort(keys, Less());
  cub::StoreDirectBlocked(threadIdx.x, out + 2 * kAll, keys);
  __syncthreads();
  unsigned char bytes[kItems];
  for (int i = 0; i < kItems; ++i) bytes[i] = static_cast<unsigned char>(keys[i]);
  Histogram(storage.histogram).Histogram(bytes, counts[0]);
  __syncthreads();
  Atomic(storage.atomic).Histogram(bytes, counts[1]);
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += kThreads) out[3 * kAll + i] = counts[i / 256][i % 256];
  Exchange(storage.exchange).BlockedToStriped(keys, keys);
  cub::StoreDirectStriped<kThreads>(threadIdx.x, out + 3 * kAll + 512, keys);
  __syncthreads();
  Exchange(storage.exchange).StripedToBlocked(keys, keys);
  cub::StoreDirectBlocked(threadIdx.x, out + 4 * kAll + 512, keys);
}

int main() {
  std::vector<int> in(kAll);
  for (int i = 0; i < kAll; ++i) in[i] = (i * 7919 + 13) % 1009 - 500;
  int* const from = upload(in);
  int* const to = upload(std::vector<int>(8 * kAll));

  warps<<<1, kThreads>>>(from, to);
  std::vector<int> expected(4 * 192);
  for (int warp = 0; warp < 4; ++warp) {
    const int* const mine = &in[warp * 32];
    int* const wanted = &expected[warp * 192];
    wanted[0] = std::accumulate(mine, mine + 32, 0);
    wanted[32] = *std::max_element(mine, mine + 32);
    for (int i = 1; i < 32; ++i) wanted[32 + i] = std::max(0, *std::max_element(mine, mine + i));
    for (int i = 0; i < 32; i += 8) wanted[64 + i] = std::accumulate(mine + i, mine + i + 8, 0);
    for (int i = 0; i < 32; ++i) {
      wanted[128 + 2 * i] = mine[i];
      wanted[128 + 2 * i + 1] = -mine[i];
    }
    std::sort(wanted + 128, wanted + 192);
  }
  if (compare(download(to, expected.size()), expected) != 0) return 1;

  const int sum = std::accumulate(in.begin(), in.end(), 0);
  const int longest = *std::max_element(in.begin(), in.end());
  const auto reduced = [&] { return compare(download(to, 2), std::vector<int>{sum, longest}); };
  reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, kThreads>>>(from, to);
  if (reduced() != 0) return 1;
  reduce<cub::BLOCK_REDUCE_RAKING><<<1, kThreads>>>(from, to);
  if (reduced() != 0) return 1;

  expected.assign(kAll + 1, 0);
  std::partial_sum(in.begin(), in.end(), expected.begin() + 1);
  const auto scanned = [&] { return compare(download(to, kAll + 1), expected); };
  scan<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT, cub::BLOCK_SCAN_WARP_SCANS>
      <<<1, kThreads>>>(from, to);
  if (scanned() != 0) return 1;
  scan<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE, cub::BLOCK_SCAN_RAKING>
      <<<1, kThreads>>>(from, to);
  if (scanned() != 0) return 1;
  scan<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_TRANSPOSE, cub::BLOCK_SCAN_RAKING_MEMOIZE>
      <<<1, kThreads>>>(from, to);
  if (scanned() != 0) return 1;

  sort<<<1, kThreads>>>(from, to);
  std::vector<int> order(kAll);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return in[a] > in[b]; });
  std::vector<int> upwards = in;
  std::sort(upwards.begin(), upwards.end());
  expected.assign(upwards.rbegin(), upwards.rend());
  expected.insert(expected.end(), order.begin(), order.end());
  expected.insert(expected.end(), upwards.begin(), upwards.end());
  std::vector<int> counts(256);
  for (const int key : in) ++counts[static_cast<unsigned char>(key)];
  for (int i = 0; i < 2; ++i) expected.insert(expected.end(), counts.begin(), counts.end());
  for (int i = 0; i < 2; ++i) expected.insert(expected.end(), upwards.begin(), upwards.end());
  return compare(download(to, expected.size()), expected);
}
