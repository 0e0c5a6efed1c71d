// CUB's algorithms of devices, each against the same on the host.
#include <algorithm>
#include <cub/cub.cuh>
#include <map>
#include <numeric>

#include "../programs/program.h"

constexpr int kCount = 100003;  // many tiles, the last one not full

struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Plus {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};
struct Less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

// Asks for the memory, takes it, and computes.
template <typename Algorithm>
void with_memory(Algorithm algorithm) {
  std::size_t bytes = 0;
  CHECK(algorithm(nullptr, bytes));
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, bytes + 1));
  CHECK(algorithm(memory, bytes));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(memory));
}

int failures = 0;
template <typename T>
void check_all(const T* found, const std::vector<T>& expected, const char* what) {
  std::printf("%s: ", what);
  failures += compare(download(found, expected.size()), expected);
}

int main() {
  std::vector<int> in(kCount), order(kCount), sums(kCount), sorted, picked;
  for (int i = 0; i < kCount; ++i) in[i] = static_cast<int>(i * 2654435761U >> 8) % 5000 - 2500;
  std::iota(order.begin(), order.end(), 0);
  int *const from = upload(in), *const indices = upload(order), *const keys = upload(in),
             *const to = upload(in), *const values = upload(in), *const number = upload(in);

  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, from, to, kCount);
  });
  check_all(to, {std::accumulate(in.begin(), in.end(), 0)}, "sum");
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Max(memory, bytes, from, to, kCount);
  });
  check_all(to, {*std::max_element(in.begin(), in.end())}, "max");

  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, from, to, kCount);
  });
  std::partial_sum(in.begin(), in.end(), sums.begin());
  check_all(to, sums, "scan");
  std::vector<double> halves(kCount), halved(kCount);
  for (int i = 0; i < kCount; ++i) halves[i] = in[i] * 0.5;
  std::partial_sum(halves.begin(), halves.end(), halved.begin());
  double* const doubles = upload(halves);
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, doubles, doubles, kCount);
  });
  check_all(doubles, halved, "scan of doubles");

  std::copy_if(in.begin(), in.end(), std::back_inserter(picked), IsEven());
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::If(memory, bytes, from, to, number, kCount, IsEven());
  });
  check_all(to, picked, "select");
  check_all(number, {static_cast<int>(picked.size())}, "selected");
  std::vector<int> parts = picked, others;
  std::copy_if(in.begin(), in.end(), std::back_inserter(others), [](int x) { return x % 2 != 0; });
  parts.insert(parts.end(), others.rbegin(), others.rend());
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DevicePartition::If(memory, bytes, from, to, number, kCount, IsEven());
  });
  check_all(to, parts, "partition");

  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return in[a] < in[b]; });
  sorted = in;
  std::sort(sorted.begin(), sorted.end());
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, from, keys, indices, values, kCount);
  });
  check_all(keys, sorted, "radix sort");
  check_all(values, order, "its values");
  std::vector<float> floats(in.begin(), in.end());
  float* const reals = upload(floats);
  float* const sorted_reals = upload(floats);
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeysDescending(memory, bytes, reals, sorted_reals, kCount);
  });
  check_all(sorted_reals, {sorted.rbegin(), sorted.rend()}, "radix sort of floats");
  CHECK(cudaMemcpy(values, from, kCount * sizeof(int), cudaMemcpyDeviceToDevice));
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceMergeSort::SortKeys(memory, bytes, values, kCount, Less());
  });
  check_all(values, sorted, "merge sort");

  std::vector<int> unique, lengths, firsts;
  for (int i = 0; i < kCount; ++i) {
    if (i == 0 || sorted[i] != sorted[i - 1]) {
      unique.push_back(sorted[i]);
      lengths.push_back(0);
      firsts.push_back(order[i]);
    }
    ++lengths.back();
  }
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(memory, bytes, keys, to, values, number, kCount);
  });
  check_all(to, unique, "runs");
  check_all(values, lengths, "lengths");
  check_all(number, {static_cast<int>(unique.size())}, "how many");
  int* const ordered = upload(order);
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::UniqueByKey(memory, bytes, keys, ordered, to, values, number, kCount);
  });
  check_all(to, unique, "unique keys");
  check_all(values, firsts, "their values");
  std::vector<int> ones(kCount, 1);
  int* const one = upload(ones);
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(memory, bytes, keys, to, one, values, number, Plus(),
                                          kCount);
  });
  check_all(values, lengths, "reduce by key");

  // Segments of lengths from 0 on.
  std::vector<int> offsets{0};
  for (int length = 0; offsets.back() + length <= kCount; length += 7) {
    offsets.push_back(offsets.back() + length);
  }
  const int segments = static_cast<int>(offsets.size()) - 1;
  int* const begins = upload(offsets);
  std::vector<int> segment_sums, segment_sorted = in;
  for (int i = 0; i < segments; ++i) {
    const auto begin = in.begin() + offsets[i], end = in.begin() + offsets[i + 1];
    segment_sums.push_back(std::accumulate(begin, end, 0));
    std::sort(segment_sorted.begin() + offsets[i], segment_sorted.begin() + offsets[i + 1]);
  }
  segment_sorted.resize(offsets.back());
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(memory, bytes, from, to, segments, begins, begins + 1);
  });
  check_all(to, segment_sums, "sums of segments");
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, from, to, kCount, segments,
                                                   begins, begins + 1);
  });
  check_all(to, segment_sorted, "sorted segments");
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSegmentedSort::SortKeys(memory, bytes, from, to, kCount, segments, begins,
                                              begins + 1);
  });
  check_all(to, segment_sorted, "sorted segments of all sizes");

  std::vector<int> histogram(100);
  for (const int x : in) {
    if (x >= -2500 && x < 2500) ++histogram[(x + 2500) / 50];
  }
  with_memory([&](void* memory, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(memory, bytes, from, to, 101, -2500, 2500, kCount);
  });
  check_all(to, histogram, "histogram");
  return failures;
}
