// Factors and inverses of many small matrices. MUSA's BLAS is not known to have them, and to find
// pivots on the device would take a wait for each column. So the matrices are copied to the host
// and computed there, and the call waits for the stream of the handle.
#include "facts.h"
#include "stubs/cublas/batched_matrices.h"
#include "stubs/cublas/batched_numbers.h"
#include "stubs/reporting/fallback.h"
#include "stubs/system/mapped_memory.h"

namespace {

using namespace torchada::batched;
using torchada::fail;
using torchada::MappedMemory;

constexpr int kNotInitialized = static_cast<int>(torchada::cuda::CUBLAS_STATUS_NOT_INITIALIZED);
constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);

// Of the largest matrices that cublas<t>matinvBatched takes, by its documentation.
constexpr int kMostRowsToInvert = 32;

template <typename T>
void exchange_rows(T* matrix, size_t n, size_t row, size_t other) {
  for (size_t column = 0; column < n && row != other; ++column) {
    const T kept = matrix[column * n + row];
    matrix[column * n + row] = matrix[column * n + other];
    matrix[column * n + other] = kept;
  }
}

// Column -= factor * other, from a row on.
template <typename T>
void subtract(T* column, const T* other, const T& factor, size_t from, size_t to) {
  for (size_t row = from; row < to; ++row) column[row] = column[row] - other[row] * factor;
}

// P A = L U in place. Without `pivots`, no rows are exchanged. Returns the position of the first 0
// on U's diagonal, from 1, or 0.
template <typename T>
int factor(T* a, size_t n, int* pivots) {
  int first_zero = 0;
  for (size_t step = 0; step < n; ++step) {
    T* const column = a + step * n;
    size_t pivot = step;
    for (size_t row = step + 1; row < n && pivots; ++row) {
      if (size_of(column[row]) > size_of(column[pivot])) pivot = row;
    }
    if (pivots) pivots[step] = static_cast<int>(pivot) + 1;
    if (size_of(column[pivot]) == 0) {
      if (first_zero == 0) first_zero = static_cast<int>(step) + 1;
      continue;
    }
    exchange_rows(a, n, step, pivot);
    for (size_t row = step + 1; row < n; ++row) column[row] = column[row] / column[step];
    for (size_t other = step + 1; other < n; ++other) {
      subtract(a + other * n, column, a[other * n + step], step + 1, n);
    }
  }
  return first_zero;
}

// The inverse of what factor() was given. Returns the position of a 0 on U's diagonal, or 0.
template <typename T>
int invert(const T* lu, size_t n, const int* pivots, T* out) {
  for (size_t i = 0; i < n; ++i) {
    if (size_of(lu[i * n + i]) == 0) return static_cast<int>(i) + 1;
  }
  for (size_t column = 0; column < n; ++column) {
    for (size_t row = 0; row < n; ++row) set(&out[column * n + row], row == column ? 1 : 0);
  }
  for (size_t row = 0; row < n && pivots; ++row) {
    exchange_rows(out, n, row, static_cast<size_t>(pivots[row] - 1));
  }
  for (size_t i = 0; i < n; ++i) {
    T* const column = out + i * n;
    for (size_t step = 0; step < n; ++step) {
      subtract(column, lu + step * n, column[step], step + 1, n);
    }
    for (size_t step = n; step-- > 0;) {
      column[step] = column[step] / lu[step * n + step];
      subtract(column, lu + step * n, column[step], 0, step);
    }
  }
  return 0;
}

struct Batch {
  const char* function;
  void* handle;
  int n, count;
  const void* from;  // On the device: `count` addresses of matrices.
  int from_ld;
  const void* to;  // The same for results, which may be those of `from`.
  int to_ld;
  int* info;  // On the device.
};

int wrong_argument(const Batch& batch) {
  if (!batch.handle) return kNotInitialized;
  const int least = batch.n > 1 ? batch.n : 1;
  if (batch.n < 0 || batch.count < 0 || batch.from_ld < least || batch.to_ld < least) {
    return kInvalidValue;
  }
  const bool is_empty = batch.n == 0 || batch.count == 0;
  return !is_empty && (!batch.from || !batch.to || !batch.info) ? kInvalidValue : 0;
}

// The batch on the host, a part at a time.
template <typename T>
class OnHost {
 public:
  OnHost(const Batch& batch, void* stream)
      : batch_(batch),
        stream_(stream),
        count_(static_cast<size_t>(batch.count)),
        parts_(count_, matrix_bytes(batch)),
        info_(count_ * sizeof(int)),
        from_(batch.from, batch.n, batch.n, batch.from_ld, count_, parts_, stream),
        to_(batch.to, batch.n, batch.n, batch.to_ld, count_, parts_, stream) {}

  bool failed() const { return !info_.data() || from_.failed() || to_.failed(); }
  // `compute(index, matrix, result)` returns what `info` gets; what is not 0 leaves the result.
  template <typename Compute>
  int run(bool stores_all, const Compute& compute) {
    if (!from_.read_addresses() || !to_.read_addresses() || !wait(stream_)) {
      return fail(kExecutionFailed);
    }
    const bool done = parts_.each([&](size_t first, size_t end) {
      for (size_t i = first; i < end; ++i) {
        if (!from_.fetch(i, first)) return false;
      }
      if (!wait(stream_)) return false;
      for (size_t i = first; i < end; ++i) {
        info()[i] = compute(i, from_.at(i - first), to_.at(i - first));
        if (info()[i] != 0 && !stores_all) continue;
        if (!to_.store(i, first)) return false;
      }
      return wait(stream_);
    });
    const bool told = done &&
                      copy(batch_.info, info_.data(), count_ * sizeof(int), kToDevice, stream_) &&
                      wait(stream_);
    return told ? 0 : fail(kExecutionFailed);
  }

 private:
  static size_t matrix_bytes(const Batch& batch) {
    return static_cast<size_t>(batch.n) * static_cast<size_t>(batch.n) * sizeof(T);
  }
  int* info() const { return static_cast<int*>(static_cast<void*>(info_.data())); }

  const Batch& batch_;
  void* stream_;
  size_t count_;
  Parts parts_;
  MappedMemory info_;
  MatricesOnHost<T> from_, to_;
};

// `compute(OnHost, stream)` for a batch with something in it.
template <typename T, typename Compute>
int on_host(const Batch& batch, const Compute& compute) {
  if (const int wrong = wrong_argument(batch)) return fail(wrong);
  if (batch.n == 0 || batch.count == 0) return 0;
  void* stream = nullptr;
  if (const int status = stream_to_read(batch.function, batch.handle, &stream)) return status;
  OnHost<T> host(batch, stream);
  if (host.failed()) return fail(kAllocFailed);
  return compute(host, stream);
}

template <typename T>
void copy_matrix(T* to, const T* from, size_t n) {
  __builtin_memcpy(to, from, n * n * sizeof(T));
}

// The pivots of a whole batch.
struct Pivots {
  Pivots(const Batch& batch, bool exist)
      : n(static_cast<size_t>(batch.n)),
        bytes(exist ? n * static_cast<size_t>(batch.count) * sizeof(int) : 0),
        memory(bytes) {}
  bool failed() const { return bytes != 0 && !memory.data(); }
  int* of(size_t index) const {
    return bytes == 0 ? nullptr : static_cast<int*>(static_cast<void*>(memory.data())) + index * n;
  }
  size_t n, bytes;
  MappedMemory memory;
};

template <typename T>
int factor_all(const Batch& batch, int* device_pivots) {
  return on_host<T>(batch, [&](OnHost<T>& host, void* stream) {
    const Pivots pivots(batch, device_pivots != nullptr);
    if (pivots.failed()) return fail(kAllocFailed);
    const int status = host.run(true, [&](size_t index, T* matrix, T* result) {
      const int info = factor(matrix, pivots.n, pivots.of(index));
      copy_matrix(result, matrix, pivots.n);
      return info;
    });
    if (status != 0 || !device_pivots) return status;
    const bool done =
        musaMemcpyAsync(device_pivots, pivots.of(0), pivots.bytes, kToDevice, stream) == 0 &&
        musaStreamSynchronize(stream) == 0;
    return done ? 0 : fail(kExecutionFailed);
  });
}

template <typename T>
int invert_factors(const Batch& batch, const int* device_pivots) {
  return on_host<T>(batch, [&](OnHost<T>& host, void* stream) {
    const Pivots pivots(batch, device_pivots != nullptr);
    if (pivots.failed()) return fail(kAllocFailed);
    if (device_pivots &&
        (musaMemcpyAsync(pivots.of(0), device_pivots, pivots.bytes, kToHost, stream) != 0 ||
         musaStreamSynchronize(stream) != 0)) {
      return fail(kExecutionFailed);
    }
    for (size_t i = 0; i < pivots.bytes / sizeof(int); ++i) {
      if (pivots.of(0)[i] < 1 || pivots.of(0)[i] > batch.n) return fail(kInvalidValue);
    }
    return host.run(false, [&](size_t index, const T* matrix, T* result) {
      return invert(matrix, pivots.n, pivots.of(index), result);
    });
  });
}

template <typename T>
int invert_all(const Batch& batch) {
  if (batch.handle && batch.n > kMostRowsToInvert) return fail(kInvalidValue);
  return on_host<T>(batch, [&](OnHost<T>& host, void*) {
    int pivots[kMostRowsToInvert];
    const auto n = static_cast<size_t>(batch.n);
    return host.run(false, [&](size_t, T* matrix, T* result) {
      const int info = factor(matrix, n, pivots);
      return info != 0 ? info : invert(matrix, n, pivots, result);
    });
  });
}

}  // namespace

#define TORCHADA_BATCHED_LU(letter, T)                                                             \
  extern "C" int torchada_adapter_cublas##letter##getrfBatched(                                    \
      void* handle, int n, void* a, int lda, int* pivots, int* info, int count) {                  \
    return factor_all<T>(                                                                          \
        {"cublas" #letter "getrfBatched", handle, n, count, a, lda, a, lda, info}, pivots);        \
  }                                                                                                \
  extern "C" int torchada_adapter_cublas##letter##getriBatched(                                    \
      void* handle, int n, const void* a, int lda, const int* pivots, void* c, int ldc, int* info, \
      int count) {                                                                                 \
    return invert_factors<T>(                                                                      \
        {"cublas" #letter "getriBatched", handle, n, count, a, lda, c, ldc, info}, pivots);        \
  }                                                                                                \
  extern "C" int torchada_adapter_cublas##letter##matinvBatched(                                   \
      void* handle, int n, const void* a, int lda, void* inverse, int ld, int* info, int count) {  \
    return invert_all<T>(                                                                          \
        {"cublas" #letter "matinvBatched", handle, n, count, a, lda, inverse, ld, info});          \
  }

TORCHADA_BATCHED_LU(S, float)
TORCHADA_BATCHED_LU(D, double)
TORCHADA_BATCHED_LU(C, Complex<float>)
TORCHADA_BATCHED_LU(Z, Complex<double>)
