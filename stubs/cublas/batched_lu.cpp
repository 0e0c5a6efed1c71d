// Factors and inverses of many small matrices. MUSA's BLAS is not known to have them, and to find
// pivots on the device would take a wait for each column. So the matrices are copied to the host
// and computed there, and the call waits for the stream of the handle.
#include "facts.h"
#include "stubs/fallback.h"
#include "stubs/mapped_memory.h"
#include "stubs/refusal.h"

namespace {

using torchada::fail;
using torchada::MappedMemory;

constexpr int kNotInitialized = static_cast<int>(torchada::cuda::CUBLAS_STATUS_NOT_INITIALIZED);
constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kNotSupported = static_cast<int>(torchada::cuda::CUBLAS_STATUS_NOT_SUPPORTED);
constexpr int kAllocFailed = static_cast<int>(torchada::cuda::CUBLAS_STATUS_ALLOC_FAILED);
constexpr int kExecutionFailed = static_cast<int>(torchada::cuda::CUBLAS_STATUS_EXECUTION_FAILED);
constexpr int kToHost = static_cast<int>(torchada::musa::musaMemcpyDeviceToHost);
constexpr int kToDevice = static_cast<int>(torchada::musa::musaMemcpyHostToDevice);

// Of the largest matrices that cublas<t>matinvBatched takes, by its documentation.
constexpr int kMostRowsToInvert = 32;
constexpr size_t kBytesAtOnce = size_t{64} << 20;

template <typename Real>
struct Complex {
  Real re, im;
};

template <typename Real>
Real absolute(Real number) {
  return number < 0 ? -number : number;
}

// What orders pivots, as in LAPACK.
float size_of(float number) { return absolute(number); }
double size_of(double number) { return absolute(number); }
template <typename Real>
Real size_of(const Complex<Real>& number) {
  return absolute(number.re) + absolute(number.im);
}

template <typename Real>
Complex<Real> operator*(const Complex<Real>& a, const Complex<Real>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <typename Real>
Complex<Real> operator-(const Complex<Real>& a, const Complex<Real>& b) {
  return {a.re - b.re, a.im - b.im};
}
// Smith's way, in which no square overflows.
template <typename Real>
Complex<Real> operator/(const Complex<Real>& a, const Complex<Real>& b) {
  if (absolute(b.re) >= absolute(b.im)) {
    const Real ratio = b.im / b.re;
    const Real whole = b.re + b.im * ratio;
    return {(a.re + a.im * ratio) / whole, (a.im - a.re * ratio) / whole};
  }
  const Real ratio = b.re / b.im;
  const Real whole = b.re * ratio + b.im;
  return {(a.re * ratio + a.im) / whole, (a.im * ratio - a.re) / whole};
}

void set(float* number, int value) { *number = static_cast<float>(value); }
void set(double* number, int value) { *number = value; }
template <typename Real>
void set(Complex<Real>* number, int value) {
  *number = {static_cast<Real>(value), 0};
}

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
        n_(static_cast<size_t>(batch.n)),
        count_(static_cast<size_t>(batch.count)),
        bytes_(n_ * n_ * sizeof(T)),
        at_once_(part(bytes_, count_)),
        from_(count_ * sizeof(char*)),
        to_(count_ * sizeof(char*)),
        info_(count_ * sizeof(int)),
        matrices_(at_once_ * bytes_),
        results_(at_once_ * bytes_) {}

  bool failed() const {
    return !from_.data() || !to_.data() || !info_.data() || !matrices_.data() || !results_.data();
  }
  // `compute(index, matrix, result)` returns what `info` gets; what is not 0 leaves the result.
  template <typename Compute>
  int run(bool stores_all, const Compute& compute) {
    if (!copy(from_.data(), batch_.from, count_ * sizeof(char*), kToHost) ||
        !copy(to_.data(), batch_.to, count_ * sizeof(char*), kToHost) || !wait()) {
      return fail(kExecutionFailed);
    }
    for (size_t first = 0; first < count_; first += at_once_) {
      const size_t end = first + at_once_ < count_ ? first + at_once_ : count_;
      for (size_t i = first; i < end; ++i) {
        if (!fetch(i, first)) return fail(kExecutionFailed);
      }
      if (!wait()) return fail(kExecutionFailed);
      for (size_t i = first; i < end; ++i) {
        info()[i] = compute(i, at(matrices_, i - first), at(results_, i - first));
        if (info()[i] != 0 && !stores_all) continue;
        if (!store(i, first)) return fail(kExecutionFailed);
      }
      if (!wait()) return fail(kExecutionFailed);
    }
    const bool done = copy(batch_.info, info_.data(), count_ * sizeof(int), kToDevice) && wait();
    return done ? 0 : fail(kExecutionFailed);
  }

 private:
  static size_t part(size_t bytes, size_t count) {
    const size_t fit = bytes == 0 || bytes > kBytesAtOnce ? 1 : kBytesAtOnce / bytes;
    return fit < count ? fit : count;
  }
  T* at(const MappedMemory& memory, size_t index) const {
    return static_cast<T*>(static_cast<void*>(memory.data() + index * bytes_));
  }
  int* info() const { return static_cast<int*>(static_cast<void*>(info_.data())); }
  static void* address(const MappedMemory& addresses, size_t index) {
    return static_cast<void**>(static_cast<void*>(addresses.data()))[index];
  }
  bool copy(void* to, const void* from, size_t bytes, int kind) const {
    return musaMemcpyAsync(to, from, bytes, kind, stream_) == 0;
  }
  bool wait() const { return musaStreamSynchronize(stream_) == 0; }
  bool fetch(size_t index, size_t first) const {
    const size_t row = n_ * sizeof(T);
    return musaMemcpy2DAsync(at(matrices_, index - first), row, address(from_, index),
                             static_cast<size_t>(batch_.from_ld) * sizeof(T), row, n_, kToHost,
                             stream_) == 0;
  }
  bool store(size_t index, size_t first) const {
    const size_t row = n_ * sizeof(T);
    return musaMemcpy2DAsync(address(to_, index), static_cast<size_t>(batch_.to_ld) * sizeof(T),
                             at(results_, index - first), row, row, n_, kToDevice, stream_) == 0;
  }

  const Batch& batch_;
  void* stream_;
  size_t n_, count_, bytes_, at_once_;
  MappedMemory from_, to_, info_, matrices_, results_;
};

// `compute(OnHost, stream)` for a batch with something in it.
template <typename T, typename Compute>
int on_host(const Batch& batch, const Compute& compute) {
  if (const int wrong = wrong_argument(batch)) return fail(wrong);
  if (batch.n == 0 || batch.count == 0) return 0;
  void* stream = nullptr;
  if (const int status = torchada_own_cublasGetStream_v2(batch.handle, &stream)) return status;
  int capturing = 0;
  if (musaStreamIsCapturing(stream, &capturing) != 0) return fail(kExecutionFailed);
  if (capturing != 0) {
    return torchada::refuse_argument(batch.function, "the stream", "capturing",
                                     "the matrices must be read while it runs", kNotSupported);
  }
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
