// QR factors of many small matrices, and least squares with them, as LAPACK's geqrf and gels define
// them. MUSA's BLAS is not known to have them. So the matrices are copied to the host and computed
// there, and the call waits for the stream of the handle.
#include "facts.h"
#include "stubs/cublas/batched_matrices.h"
#include "stubs/cublas/batched_numbers.h"
#include "stubs/reporting/fallback.h"

namespace {

using namespace torchada::batched;
using torchada::fail;

constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);

// Compiled without errno, so that this is an instruction and needs no libm.
float root(float number) { return __builtin_sqrtf(number); }
double root(double number) { return __builtin_sqrt(number); }

float real(float number) { return number; }
double real(double number) { return number; }
template <typename Real>
Real real(const Complex<Real>& number) {
  return number.re;
}
float imaginary(float) { return 0; }
double imaginary(double) { return 0; }
template <typename Real>
Real imaginary(const Complex<Real>& number) {
  return number.im;
}
float conjugate(float number) { return number; }
double conjugate(double number) { return number; }
template <typename Real>
Complex<Real> conjugate(const Complex<Real>& number) {
  return {number.re, -number.im};
}
void set(float* number, float re, float /*im*/) { *number = re; }
void set(double* number, double re, double /*im*/) { *number = re; }
template <typename Real>
void set(Complex<Real>* number, Real re, Real im) {
  *number = {re, im};
}

template <typename Real>
Real square(Real number) {
  return number * number;
}

// Of a column from `from` on. No square overflows, or becomes 0 beside larger ones.
template <typename T>
auto length(const T* column, size_t from, size_t to) {
  using Real = decltype(real(*column));
  Real largest = 0;
  for (size_t row = from; row < to; ++row) {
    const Real re = absolute(real(column[row])), im = absolute(imaginary(column[row]));
    if (!(re <= largest)) largest = re;  // also what is no number
    if (!(im <= largest)) largest = im;
  }
  if (largest == 0) return largest;
  Real sum = 0;
  for (size_t row = from; row < to; ++row) {
    sum += square(real(column[row]) / largest) + square(imaginary(column[row]) / largest);
  }
  return largest * root(sum);
}

// column = H^H column, for the reflection H = 1 - tau v v^H. v is 1 at `step` and follows there.
template <typename T>
void reflect(const T* v, const T& tau, size_t step, size_t rows, T* column) {
  T sum = column[step];
  for (size_t row = step + 1; row < rows; ++row) sum = sum + conjugate(v[row]) * column[row];
  sum = sum * conjugate(tau);
  column[step] = column[step] - sum;
  for (size_t row = step + 1; row < rows; ++row) column[row] = column[row] - v[row] * sum;
}

// A = Q R in place: R above, and below the diagonal what the reflections consist of.
template <typename T>
void factor(T* a, size_t rows, size_t columns, T* tau) {
  using Real = decltype(real(*a));
  for (size_t step = 0; step < rows && step < columns; ++step) {
    T* const v = a + step * rows;
    const Real re = real(v[step]), im = imaginary(v[step]);
    const Real below = length(v, step + 1, rows);
    if (below == 0 && im == 0) {
      set(&tau[step], Real{0}, Real{0});
      continue;
    }
    const Real whole = length(v, step, rows);
    const Real beta = re < 0 ? whole : -whole;
    set(&tau[step], (beta - re) / beta, -im / beta);
    T pivot;
    set(&pivot, re - beta, im);
    for (size_t row = step + 1; row < rows; ++row) v[row] = v[row] / pivot;
    set(&v[step], beta, Real{0});
    for (size_t other = step + 1; other < columns; ++other) {
      reflect(v, tau[step], step, rows, a + other * rows);
    }
  }
}

// The position of the first 0 on R's diagonal, from 1, or 0.
template <typename T>
int first_zero(const T* qr, size_t rows, size_t columns) {
  for (size_t i = 0; i < columns; ++i) {
    if (size_of(qr[i * rows + i]) == 0) return static_cast<int>(i) + 1;
  }
  return 0;
}

// Of A x = column, with the factors of A, in the place of the column's first elements.
template <typename T>
void solve(const T* qr, const T* tau, size_t rows, size_t columns, T* column) {
  for (size_t step = 0; step < columns; ++step) {
    reflect(qr + step * rows, tau[step], step, rows, column);
  }
  for (size_t step = columns; step-- > 0;) {
    const T* const above = qr + step * rows;
    column[step] = column[step] / above[step];
    for (size_t row = 0; row < step; ++row) column[row] = column[row] - above[row] * column[step];
  }
}

int at_least_1(int number) { return number > 1 ? number : 1; }

struct Factoring {
  const char* function;
  void* handle;
  int rows, columns;
  const void* a;  // On the device: `count` addresses.
  int lda;
  const void* tau;  // The same.
  int count;
};

// As LAPACK counts them: minus the position of the first wrong argument, 0 if all are right.
int wrong_argument(const Factoring& batch) {
  if (batch.rows < 0) return -1;
  if (batch.columns < 0) return -2;
  if (batch.lda < at_least_1(batch.rows)) return -4;
  return batch.count < 0 ? -7 : 0;
}

template <typename T>
int factor_all(const Factoring& batch, int* info) {
  void* stream = nullptr;
  if (const int status = torchada_own_cublasGetStream_v2(batch.handle, &stream)) return status;
  if (!info) return fail(kInvalidValue);
  *info = wrong_argument(batch);
  if (*info != 0) return fail(kInvalidValue);
  const int reflections = batch.rows < batch.columns ? batch.rows : batch.columns;
  if (reflections == 0 || batch.count == 0) return 0;
  if (!batch.a || !batch.tau) return fail(kInvalidValue);
  if (const int status = stream_to_read(batch.function, batch.handle, &stream)) return status;
  const auto rows = static_cast<size_t>(batch.rows), columns = static_cast<size_t>(batch.columns);
  const auto count = static_cast<size_t>(batch.count);
  const Parts parts(count, rows * columns * sizeof(T));
  const MatricesOnHost<T> a(batch.a, batch.rows, batch.columns, batch.lda, count, parts, stream);
  const MatricesOnHost<T> tau(batch.tau, reflections, 1, reflections, count, parts, stream);
  if (a.failed() || tau.failed()) return fail(kAllocFailed);
  const bool done = a.read_addresses() && tau.read_addresses() && wait(stream) &&
                    parts.each([&](size_t first, size_t end) {
                      for (size_t i = first; i < end; ++i) {
                        if (!a.fetch(i, first)) return false;
                      }
                      if (!wait(stream)) return false;
                      for (size_t i = first; i < end; ++i) {
                        factor(a.at(i - first), rows, columns, tau.at(i - first));
                        if (!a.store(i, first) || !tau.store(i, first)) return false;
                      }
                      return wait(stream);
                    });
  return done ? 0 : fail(kExecutionFailed);
}

struct Solving {
  const char* function;
  void* handle;
  int operation, rows, columns, right_sides;
  const void* a;  // On the device: `count` addresses.
  int lda;
  const void* c;  // The same.
  int ldc;
  int* zeros;  // On the device: where R has a 0 on its diagonal. May be null.
  int count;
};

int wrong_argument(const Solving& batch) {
  if (batch.operation != torchada::cuda::CUBLAS_OP_N &&
      batch.operation != torchada::cuda::CUBLAS_OP_T &&
      batch.operation != torchada::cuda::CUBLAS_OP_C) {
    return -1;
  }
  if (batch.rows < 0) return -2;
  if (batch.columns < 0) return -3;
  if (batch.right_sides < 0) return -4;
  if (batch.lda < at_least_1(batch.rows)) return -6;
  if (batch.ldc < at_least_1(batch.rows)) return -8;
  return batch.count < 0 ? -11 : 0;
}

template <typename T>
int solve_all(const Solving& batch, int* info) {
  void* stream = nullptr;
  if (const int status = torchada_own_cublasGetStream_v2(batch.handle, &stream)) return status;
  if (!info) return fail(kInvalidValue);
  *info = wrong_argument(batch);
  if (*info != 0) return fail(kInvalidValue);
  // NVIDIA's documentation excludes both.
  if (batch.operation != torchada::cuda::CUBLAS_OP_N || batch.rows < batch.columns) {
    return fail(kNotSupported);
  }
  if (batch.columns == 0 || batch.count == 0) return 0;
  if (!batch.a || (!batch.c && batch.right_sides > 0)) return fail(kInvalidValue);
  if (const int status = stream_to_read(batch.function, batch.handle, &stream)) return status;
  const auto rows = static_cast<size_t>(batch.rows), columns = static_cast<size_t>(batch.columns);
  const auto right_sides = static_cast<size_t>(batch.right_sides);
  const auto count = static_cast<size_t>(batch.count);
  const size_t widest = columns > right_sides ? columns : right_sides;
  const Parts parts(count, rows * widest * sizeof(T));
  const MatricesOnHost<T> a(batch.a, batch.rows, batch.columns, batch.lda, count, parts, stream);
  const MatricesOnHost<T> c(batch.c, batch.rows, batch.right_sides, batch.ldc, count, parts,
                            stream);
  const torchada::MappedMemory taus(columns * sizeof(T)), zeros(count * sizeof(int));
  const bool has_right_sides = right_sides > 0;
  if (a.failed() || (has_right_sides && c.failed()) || !taus.data() || !zeros.data()) {
    return fail(kAllocFailed);
  }
  T* const tau = static_cast<T*>(static_cast<void*>(taus.data()));
  int* const zero = static_cast<int*>(static_cast<void*>(zeros.data()));
  const bool done =
      a.read_addresses() && (!has_right_sides || c.read_addresses()) && wait(stream) &&
      parts.each([&](size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) {
          if (!a.fetch(i, first) || (has_right_sides && !c.fetch(i, first))) return false;
        }
        if (!wait(stream)) return false;
        for (size_t i = first; i < end; ++i) {
          factor(a.at(i - first), rows, columns, tau);
          zero[i] = first_zero(a.at(i - first), rows, columns);
          if (!a.store(i, first)) return false;
          if (!has_right_sides || zero[i] != 0) continue;
          for (size_t side = 0; side < right_sides; ++side) {
            solve(a.at(i - first), tau, rows, columns, c.at(i - first) + side * rows);
          }
          if (!c.store(i, first)) return false;
        }
        return wait(stream);
      }) &&
      (!batch.zeros ||
       (copy(batch.zeros, zero, count * sizeof(int), kToDevice, stream) && wait(stream)));
  return done ? 0 : fail(kExecutionFailed);
}

}  // namespace

#define TORCHADA_BATCHED_QR(letter, T)                                                             \
  extern "C" int torchada_adapter_cublas##letter##geqrfBatched(                                    \
      void* handle, int m, int n, const void* a, int lda, const void* tau, int* info, int count) { \
    return factor_all<T>({"cublas" #letter "geqrfBatched", handle, m, n, a, lda, tau, count},      \
                         info);                                                                    \
  }                                                                                                \
  extern "C" int torchada_adapter_cublas##letter##gelsBatched(                                     \
      void* handle, int trans, int m, int n, int nrhs, const void* a, int lda, const void* c,      \
      int ldc, int* info, int* zeros, int count) {                                                 \
    return solve_all<T>(                                                                           \
        {"cublas" #letter "gelsBatched", handle, trans, m, n, nrhs, a, lda, c, ldc, zeros, count}, \
        info);                                                                                     \
  }

TORCHADA_BATCHED_QR(S, float)
TORCHADA_BATCHED_QR(D, double)
TORCHADA_BATCHED_QR(C, Complex<float>)
TORCHADA_BATCHED_QR(Z, Complex<double>)
