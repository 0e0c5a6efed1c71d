// std::reduce and std::sort as std::execution::par runs them: that policy itself needs TBB.
#include "benchmarks/host/cub_loops.h"

#include <omp.h>

#include <cstddef>
#include <numeric>
#include <parallel/algorithm>

namespace {

// Each core has a part.
template <typename T>
T reduced(const std::vector<T>& in) {
  T sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const auto parts = static_cast<std::size_t>(omp_get_num_threads());
    const auto part = static_cast<std::size_t>(omp_get_thread_num());
    const T* const begin = in.data() + in.size() * part / parts;
    const T* const end = in.data() + in.size() * (part + 1) / parts;
    sum += std::reduce(begin, end, T());
  }
  return sum;
}

}  // namespace

int cores() { return omp_get_max_threads(); }
int reduce_on_all_cores(const std::vector<int>& in) { return reduced(in); }
float reduce_on_all_cores(const std::vector<float>& in) { return reduced(in); }
void sort_on_all_cores(std::vector<unsigned>& keys) {
  __gnu_parallel::sort(keys.begin(), keys.end());
}
