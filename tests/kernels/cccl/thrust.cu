// Thrust's algorithms from the host, and within a kernel.
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>

#include "../programs/program.h"

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

__global__ void in_kernel(int* data, int count, int* out) {
  thrust::sort(thrust::seq, data, data + count);
  out[0] = thrust::reduce(thrust::seq, data, data + count);
  out[1] = static_cast<int>(thrust::count_if(thrust::seq, data, data + count, IsOdd()));
  thrust::inclusive_scan(thrust::seq, data, data + count, out + 2);
}

int main() {
  constexpr int kCount = 20011;
  std::vector<int> in(kCount), expected(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = static_cast<int>(i * 2654435761U >> 8) % 2000 - 1000;
  thrust::device_vector<int> data(in.begin(), in.end()), made(kCount);
  const auto found = [&](const thrust::device_vector<int>& values) {
    std::vector<int> all(values.size());
    thrust::copy(values.begin(), values.end(), all.begin());
    return all;
  };
  int wrong = 0;
  thrust::transform(data.begin(), data.end(), made.begin(), Square());
  std::transform(in.begin(), in.end(), expected.begin(), Square());
  wrong += compare(found(made), expected);
  const std::vector<long long> scalars{
      thrust::reduce(data.begin(), data.end()), thrust::count_if(data.begin(), data.end(), IsOdd()),
      thrust::max_element(data.begin(), data.end()) - data.begin(),
      thrust::inner_product(data.begin(), data.end(), data.begin(), 0)};
  wrong += compare(scalars,
                   std::vector<long long>{std::accumulate(in.begin(), in.end(), 0),
                                          std::count_if(in.begin(), in.end(), IsOdd()),
                                          std::max_element(in.begin(), in.end()) - in.begin(),
                                          std::inner_product(in.begin(), in.end(), in.begin(), 0)});
  thrust::exclusive_scan(data.begin(), data.end(), made.begin());
  expected[0] = 0;
  std::partial_sum(in.begin(), in.end() - 1, expected.begin() + 1);
  wrong += compare(found(made), expected);

  std::vector<int> sorted = in;
  std::sort(sorted.begin(), sorted.end());
  thrust::device_vector<int> keys = data, values(kCount);
  thrust::sequence(values.begin(), values.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
  wrong += compare(found(keys), sorted);
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return in[a] < in[b]; });
  wrong += compare(found(values), expected);
  thrust::sort(keys.begin(), keys.end(), thrust::greater<int>());
  wrong += compare(found(keys), std::vector<int>(sorted.rbegin(), sorted.rend()));

  keys = data;
  thrust::sort(keys.begin(), keys.end());
  keys.resize(thrust::unique(keys.begin(), keys.end()) - keys.begin());
  std::vector<int> unique = sorted;
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  wrong += compare(found(keys), unique);
  made.resize(kCount);
  made.resize(thrust::copy_if(data.begin(), data.end(), made.begin(), IsOdd()) - made.begin());
  std::vector<int> odd;
  std::copy_if(in.begin(), in.end(), std::back_inserter(odd), IsOdd());
  wrong += compare(found(made), odd);
  // All that are not odd among those that there are.
  thrust::sort(made.begin(), made.end());
  thrust::device_vector<int> rest(kCount);
  rest.resize(
      thrust::set_difference(keys.begin(), keys.end(), made.begin(), made.end(), rest.begin()) -
      rest.begin());
  std::sort(odd.begin(), odd.end());
  std::vector<int> even;
  std::set_difference(unique.begin(), unique.end(), odd.begin(), odd.end(),
                      std::back_inserter(even));
  wrong += compare(found(rest), even);

  int* const few = upload(std::vector<int>(in.begin(), in.begin() + 100));
  int* const out = upload(std::vector<int>(102));
  in_kernel<<<1, 1>>>(few, 100, out);
  std::vector<int> some(in.begin(), in.begin() + 100), wanted(2);
  std::sort(some.begin(), some.end());
  wanted[0] = std::accumulate(some.begin(), some.end(), 0);
  wanted[1] = static_cast<int>(std::count_if(some.begin(), some.end(), IsOdd()));
  wanted.resize(102);
  std::partial_sum(some.begin(), some.end(), wanted.begin() + 2);
  return wrong + compare(download(out, 102), wanted);
}
