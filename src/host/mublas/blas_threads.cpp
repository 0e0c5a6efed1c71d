// OpenBLAS computes without a pool of its own, whose threads spin: parallel.h divides large
// products among ours. So a sum has the same bits however many there are, loading this library
// starts none, and processes that share a few cores do not take them from each other.

// OpenBLAS's globals, which its own constructor would set from the number of CPUs and then start
// the pool. Weak, because a build without threads has neither.
extern "C" {
[[gnu::weak]] extern int blas_num_threads;
[[gnu::weak]] extern int blas_cpu_number;
}

namespace {

constexpr int kBeforeOpenBlas = 101;  // the first priority open to libraries; OpenBLAS has none

[[gnu::constructor(kBeforeOpenBlas)]] void keep_blas_on_one_thread() {
  if (&blas_num_threads != nullptr) blas_num_threads = 1;
  if (&blas_cpu_number != nullptr) blas_cpu_number = 1;
}

}  // namespace
