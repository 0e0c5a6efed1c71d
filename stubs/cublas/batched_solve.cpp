// Solving with LU factors that a program has: the rows are exchanged as the pivots say, and two
// batched triangular solves do the rest. The host reads pivots and addresses, and no element of a
// matrix.
#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"
#include "stubs/system/mapped_memory.h"

namespace {

using torchada::fail;

constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kNotSupported = static_cast<int>(torchada::cuda::CUBLAS_STATUS_NOT_SUPPORTED);
constexpr int kAllocFailed = static_cast<int>(torchada::cuda::CUBLAS_STATUS_ALLOC_FAILED);
constexpr int kExecutionFailed = static_cast<int>(torchada::cuda::CUBLAS_STATUS_EXECUTION_FAILED);
constexpr int kHost = static_cast<int>(torchada::cuda::CUBLAS_POINTER_MODE_HOST);
constexpr int kNoTranspose = static_cast<int>(torchada::cuda::CUBLAS_OP_N);
constexpr int kLeft = static_cast<int>(torchada::cuda::CUBLAS_SIDE_LEFT);
constexpr int kLower = static_cast<int>(torchada::cuda::CUBLAS_FILL_MODE_LOWER);
constexpr int kUpper = static_cast<int>(torchada::cuda::CUBLAS_FILL_MODE_UPPER);
constexpr int kUnit = static_cast<int>(torchada::cuda::CUBLAS_DIAG_UNIT);
constexpr int kNonUnit = static_cast<int>(torchada::cuda::CUBLAS_DIAG_NON_UNIT);

using Copy = int (*)(void* handle, int n, const void* x, int incx, void* y, int incy);

struct Problem {
  const char* function;
  void* handle;
  int operation, n, columns;
  const void* factors;  // On the device: `count` addresses.
  int lda;
  const int* pivots;  // On the device: `n` for each matrix, from 1. Null if no rows are exchanged.
  void* right;        // On the device: `count` addresses.
  int ldb;
  int count;
  size_t element;  // Bytes.
};

// As LAPACK counts them: minus the position of the first wrong argument, 0 if all are right.
int wrong_argument(const Problem& problem) {
  const int least = problem.n > 1 ? problem.n : 1;
  if (problem.operation != kNoTranspose && problem.operation != torchada::cuda::CUBLAS_OP_T &&
      problem.operation != torchada::cuda::CUBLAS_OP_C) {
    return -1;
  }
  if (problem.n < 0) return -2;
  if (problem.columns < 0) return -3;
  if (problem.lda < least) return -5;
  if (problem.ldb < least) return -8;
  return problem.count < 0 ? -10 : 0;
}

// Device memory of this call.
class Scratch {
 public:
  explicit Scratch(size_t bytes) {
    if (musaMalloc(&memory_, bytes) != 0) memory_ = nullptr;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (memory_) musaFree(memory_);
  }
  void* data() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

int exchange(const Problem& problem, Copy copy, char* matrix, int row, int other, void* spare) {
  char* const a = matrix + static_cast<size_t>(row) * problem.element;
  char* const b = matrix + static_cast<size_t>(other) * problem.element;
  const int columns = problem.columns;
  if (const int status = copy(problem.handle, columns, a, problem.ldb, spare, 1)) return status;
  if (const int status = copy(problem.handle, columns, b, problem.ldb, a, problem.ldb)) {
    return status;
  }
  return copy(problem.handle, columns, spare, 1, b, problem.ldb);
}

// Forwards before the solves, backwards after those with a transposed matrix.
int exchange_rows(const Problem& problem, Copy copy, bool forwards) {
  void* stream = nullptr;
  if (const int status = torchada_own_cublasGetStream_v2(problem.handle, &stream)) return status;
  int capturing = 0;
  if (musaStreamIsCapturing(stream, &capturing) != 0) return fail(kExecutionFailed);
  if (capturing != 0) {
    return torchada::refuse_argument(problem.function, "the stream", "capturing",
                                     "the pivots must be read while it runs", kNotSupported);
  }
  const auto n = static_cast<size_t>(problem.n);
  const auto count = static_cast<size_t>(problem.count);
  const size_t address_bytes = count * sizeof(char*);
  const size_t pivot_bytes = count * n * sizeof(int);
  const torchada::MappedMemory read(address_bytes + pivot_bytes);
  const Scratch spare(static_cast<size_t>(problem.columns) * problem.element);
  if (!read.data() || !spare.data()) return fail(kAllocFailed);
  char** const matrices = static_cast<char**>(static_cast<void*>(read.data()));
  int* const pivots = static_cast<int*>(static_cast<void*>(read.data() + address_bytes));
  constexpr int kToHost = static_cast<int>(torchada::musa::musaMemcpyDeviceToHost);
  if (musaMemcpyAsync(matrices, problem.right, address_bytes, kToHost, stream) != 0 ||
      musaMemcpyAsync(pivots, problem.pivots, pivot_bytes, kToHost, stream) != 0 ||
      musaStreamSynchronize(stream) != 0) {
    return fail(kExecutionFailed);
  }
  for (size_t matrix = 0; matrix < count; ++matrix) {
    for (size_t step = 0; step < n; ++step) {
      const int row = static_cast<int>(forwards ? step : n - 1 - step);
      const int other = pivots[matrix * n + static_cast<size_t>(row)] - 1;
      if (other < 0 || other >= problem.n) return fail(kInvalidValue);
      if (other == row) continue;
      const int status = exchange(problem, copy, matrices[matrix], row, other, spare.data());
      if (status != 0) return status;
    }
  }
  // The spare row is freed on return.
  return musaStreamSynchronize(stream) == 0 ? 0 : fail(kExecutionFailed);
}

// Gives alpha a place in host memory for a scope.
class HostScalars {
 public:
  explicit HostScalars(void* handle) : handle_(handle) {
    status_ = torchada_own_cublasGetPointerMode_v2(handle, &mode_);
    if (status_ == 0 && mode_ != kHost) {
      status_ = torchada_own_cublasSetPointerMode_v2(handle, kHost);
    }
  }
  HostScalars(const HostScalars&) = delete;
  HostScalars& operator=(const HostScalars&) = delete;
  ~HostScalars() {
    if (status_ == 0 && mode_ != kHost) torchada_own_cublasSetPointerMode_v2(handle_, mode_);
  }
  int status() const { return status_; }

 private:
  void* handle_;
  int mode_ = kHost;
  int status_;
};

// `solve(uplo, diag)` solves with one triangle of the factors.
template <typename Solve>
int solve_all(const Problem& problem, Copy copy, int* info, const Solve& solve) {
  if (!info) return fail(kInvalidValue);
  *info = wrong_argument(problem);
  if (*info != 0) return fail(kInvalidValue);
  const HostScalars scalars(problem.handle);
  if (scalars.status() != 0) return scalars.status();
  if (problem.n == 0 || problem.columns == 0 || problem.count == 0) return 0;
  if (!problem.factors || !problem.right) return fail(kInvalidValue);
  const bool is_plain = problem.operation == kNoTranspose;
  if (problem.pivots && is_plain) {
    if (const int status = exchange_rows(problem, copy, true)) return status;
  }
  if (const int status = is_plain ? solve(kLower, kUnit) : solve(kUpper, kNonUnit)) return status;
  if (const int status = is_plain ? solve(kUpper, kNonUnit) : solve(kLower, kUnit)) return status;
  return problem.pivots && !is_plain ? exchange_rows(problem, copy, false) : 0;
}

}  // namespace

#define TORCHADA_BATCHED_SOLVE(letter, Real, reals)                                             \
  extern "C" int torchada_adapter_cublas##letter##getrsBatched(                                 \
      void* handle, int trans, int n, int nrhs, const void* a, int lda, const int* pivots,      \
      void* b, int ldb, int* info, int count) {                                                 \
    const Problem problem{                                                                      \
        "cublas" #letter "getrsBatched", handle, trans, n, nrhs, a, lda, pivots, b, ldb, count, \
        sizeof(Real) * (reals)};                                                                \
    const Real one[2] = {1, 0};                                                                 \
    return solve_all(                                                                           \
        problem, torchada_own_cublas##letter##copy_v2, info, [&](int triangle, int diagonal) {  \
          return torchada_own_cublas##letter##trsmBatched(                                      \
              handle, kLeft, triangle, trans, diagonal, n, nrhs, one, a, lda, b, ldb, count);   \
        });                                                                                     \
  }

TORCHADA_BATCHED_SOLVE(S, float, 1)
TORCHADA_BATCHED_SOLVE(D, double, 1)
TORCHADA_BATCHED_SOLVE(C, float, 2)
TORCHADA_BATCHED_SOLVE(Z, double, 2)
