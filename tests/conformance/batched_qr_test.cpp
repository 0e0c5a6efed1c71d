// QR factors of batches, and least squares: what multiplies back is what was given, and what is
// left of the right sides is orthogonal to the matrix.
#include <algorithm>
#include <complex>
#include <random>
#include <type_traits>

#include "tests/conformance/batched_matrices.h"
#include "tests/conformance/support.h"

namespace {

using QrExact = std::complex<double>;

template <typename T>
struct QrOf;
#define QR_OF(letter, T, Cuda)                                                                    \
  template <>                                                                                     \
  struct QrOf<T> {                                                                                \
    static cublasStatus_t geqrf(cublasHandle_t handle, int m, int n, void* a, int lda, void* tau, \
                                int* info, int count) {                                           \
      return cublas##letter##geqrfBatched(handle, m, n, static_cast<Cuda* const*>(a), lda,        \
                                          static_cast<Cuda* const*>(tau), info, count);           \
    }                                                                                             \
    static cublasStatus_t gels(cublasHandle_t handle, cublasOperation_t trans, int m, int n,      \
                               int nrhs, void* a, int lda, void* c, int ldc, int* info,           \
                               int* zeros, int count) {                                           \
      return cublas##letter##gelsBatched(handle, trans, m, n, nrhs, static_cast<Cuda* const*>(a), \
                                         lda, static_cast<Cuda* const*>(c), ldc, info, zeros,     \
                                         count);                                                  \
    }                                                                                             \
  };
QR_OF(S, float, float)
QR_OF(D, double, double)
QR_OF(C, std::complex<float>, cuComplex)
QR_OF(Z, std::complex<double>, cuDoubleComplex)
#undef QR_OF

template <typename T>
constexpr double kQrNear =
    std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>> ? 1e-4 : 1e-12;
constexpr int kQrBatch = 3;

// kQrBatch random matrices whose gaps stay as they are.
template <typename T>
class QrMatrices : public Matrices<T> {
 public:
  QrMatrices(int rows, int columns, unsigned seed, int gap = 2)
      : Matrices<T>(rows, columns, kQrBatch, gap) {
    this->draw(seed);
  }
  void get() {
    Matrices<T>::get();
    this->expect_gaps();
  }
  QrExact exact(std::size_t matrix, std::size_t row, std::size_t column) {
    return QrExact(this->at(matrix, row, column));
  }
};

class BlasFormsQr : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&handle_)); }
  void TearDown() override { EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(handle_)); }

  template <typename T>
  void expect_factors() {
    const int shapes[][2] = {{1, 1}, {3, 2}, {5, 5}, {2, 4}, {33, 7}};
    for (const auto& [m, n] : shapes) {
      const auto rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n);
      const std::size_t reflections = std::min(rows, columns);
      QrMatrices<T> a(m, n, 5), given(m, n, 5), tau(static_cast<int>(reflections), 1, 6, 0);
      int info = 7;
      ASSERT_EQ(CUBLAS_STATUS_SUCCESS, QrOf<T>::geqrf(handle_, m, n, a.addresses(), a.ld(),
                                                      tau.addresses(), &info, kQrBatch));
      EXPECT_EQ(0, info);
      a.get();
      tau.get();
      for (std::size_t matrix = 0; matrix < kQrBatch; ++matrix) {
        for (std::size_t column = 0; column < columns; ++column) {
          std::vector<QrExact> product(rows);
          for (std::size_t row = 0; row <= std::min(column, rows - 1); ++row) {
            product[row] = a.exact(matrix, row, column);
          }
          // Q R, with Q the product of the reflections 1 - tau v v^H.
          for (std::size_t step = reflections; step-- > 0;) {
            const auto v = [&](std::size_t row) {
              return row == step ? QrExact(1) : a.exact(matrix, row, step);
            };
            QrExact sum;
            for (std::size_t row = step; row < rows; ++row) sum += std::conj(v(row)) * product[row];
            sum *= tau.exact(matrix, step, 0);
            for (std::size_t row = step; row < rows; ++row) product[row] -= sum * v(row);
          }
          for (std::size_t row = 0; row < rows; ++row) {
            EXPECT_LE(std::abs(product[row] - given.exact(matrix, row, column)), kQrNear<T>)
                << m << " x " << n << ": " << row << ", " << column;
          }
        }
        // LAPACK's choice of signs: R's diagonal is real.
        for (std::size_t i = 0; i < reflections; ++i) {
          if (i + 1 < rows) {
            EXPECT_EQ(0, a.exact(matrix, i, i).imag());
          }
        }
      }
    }
  }

  template <typename T>
  void expect_least_squares() {
    const int shapes[][3] = {{1, 1, 1}, {4, 2, 3}, {5, 5, 2}, {33, 7, 1}};
    for (const auto& [m, n, sides] : shapes) {
      const auto rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n);
      QrMatrices<T> a(m, n, 8), given(m, n, 8), c(m, sides, 9), wanted(m, sides, 9);
      const Buffer zeros(kQrBatch * sizeof(int));
      int info = 7;
      ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
                QrOf<T>::gels(handle_, CUBLAS_OP_N, m, n, sides, a.addresses(), a.ld(),
                              c.addresses(), c.ld(), &info, integers(zeros), kQrBatch));
      EXPECT_EQ(0, info);
      EXPECT_EQ(std::vector<int>(kQrBatch, 0), told(zeros));
      a.get();
      c.get();
      for (std::size_t matrix = 0; matrix < kQrBatch; ++matrix) {
        for (std::size_t side = 0; side < static_cast<std::size_t>(sides); ++side) {
          std::vector<QrExact> left(rows);
          double largest = 1;
          for (std::size_t row = 0; row < rows; ++row) {
            left[row] = wanted.exact(matrix, row, side);
            for (std::size_t i = 0; i < columns; ++i) {
              left[row] -= given.exact(matrix, row, i) * c.exact(matrix, i, side);
              largest = std::max(largest, std::abs(c.exact(matrix, i, side)));
            }
          }
          for (std::size_t i = 0; i < columns; ++i) {
            QrExact sum;
            for (std::size_t row = 0; row < rows; ++row) {
              sum += std::conj(given.exact(matrix, row, i)) * left[row];
            }
            EXPECT_LE(std::abs(sum), kQrNear<T> * 10 * largest) << m << " x " << n;
          }
        }
      }
    }
  }

  static int* integers(const Buffer& memory) {
    return static_cast<int*>(static_cast<void*>(memory));
  }
  static std::vector<int> told(const Buffer& memory) {
    std::vector<int> out(kQrBatch);
    EXPECT_OK(cudaMemcpy(out.data(), memory, kQrBatch * sizeof(int), cudaMemcpyDefault));
    return out;
  }

  cublasHandle_t handle_ = nullptr;
};

TEST_F(BlasFormsQr, cublasSgeqrfBatched_factors) { expect_factors<float>(); }
TEST_F(BlasFormsQr, cublasDgeqrfBatched_factors) { expect_factors<double>(); }
TEST_F(BlasFormsQr, cublasCgeqrfBatched_factors) { expect_factors<std::complex<float>>(); }
TEST_F(BlasFormsQr, cublasZgeqrfBatched_factors) { expect_factors<std::complex<double>>(); }
TEST_F(BlasFormsQr, cublasSgelsBatched_solves) { expect_least_squares<float>(); }
TEST_F(BlasFormsQr, cublasDgelsBatched_solves) { expect_least_squares<double>(); }
TEST_F(BlasFormsQr, cublasCgelsBatched_solves) { expect_least_squares<std::complex<float>>(); }
TEST_F(BlasFormsQr, cublasZgelsBatched_solves) { expect_least_squares<std::complex<double>>(); }

// The numbers by hand: the column (3, 4) has the length 5.
TEST_F(BlasFormsQr, cublasDgeqrfBatched_chooses_signs_as_LAPACK) {
  QrMatrices<double> a(2, 1, 1), tau(1, 1, 2, 0);
  a.at(0, 0, 0) = 3;
  a.at(0, 1, 0) = 4;
  a.at(1, 0, 0) = -3e200;  // whose square is too large
  a.at(1, 1, 0) = 4e200;
  a.at(2, 0, 0) = -6;
  a.at(2, 1, 0) = 0;
  a.put();
  int info = 7;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, QrOf<double>::geqrf(handle_, 2, 1, a.addresses(), a.ld(),
                                                       tau.addresses(), &info, kQrBatch));
  a.get();
  tau.get();
  EXPECT_DOUBLE_EQ(-5, a.at(0, 0, 0));
  EXPECT_DOUBLE_EQ(0.5, a.at(0, 1, 0));
  EXPECT_DOUBLE_EQ(1.6, tau.at(0, 0, 0));
  EXPECT_DOUBLE_EQ(5e200, a.at(1, 0, 0));
  EXPECT_DOUBLE_EQ(-0.5, a.at(1, 1, 0));
  EXPECT_EQ(-6, a.at(2, 0, 0));
  EXPECT_EQ(0, tau.at(2, 0, 0));
}

// The second of three has a column of zeros. The others are solved all the same.
TEST_F(BlasFormsQr, cublasDgelsBatched_tells_where_a_matrix_has_no_full_rank) {
  QrMatrices<double> a(3, 2, 3), c(3, 1, 4);
  for (std::size_t row = 0; row < 3; ++row) a.at(1, row, 1) = 0;
  a.put();
  const std::vector<double> before = c.values;
  const Buffer zeros(kQrBatch * sizeof(int));
  int info = 7;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            QrOf<double>::gels(handle_, CUBLAS_OP_N, 3, 2, 1, a.addresses(), a.ld(), c.addresses(),
                               c.ld(), &info, integers(zeros), kQrBatch));
  EXPECT_EQ(0, info);
  EXPECT_EQ((std::vector<int>{0, 2, 0}), told(zeros));
  c.get();
  for (std::size_t matrix = 0; matrix < kQrBatch; ++matrix) {
    const bool same = std::equal(&c.at(matrix, 0, 0), &c.at(matrix, 2, 0) + 1,
                                 before.data() + (&c.at(matrix, 0, 0) - c.values.data()));
    EXPECT_EQ(matrix == 1, same);
  }
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            QrOf<double>::gels(handle_, CUBLAS_OP_N, 3, 2, 1, a.addresses(), a.ld(), c.addresses(),
                               c.ld(), &info, nullptr, kQrBatch));
}

TEST_F(BlasFormsQr, cublasSgeqrfBatched_and_cublasSgelsBatched_refuse_bad_arguments) {
  QrMatrices<float> a(2, 2, 1), c(2, 1, 2), tau(2, 1, 3, 0);
  int info = 7;
  const auto geqrf = [&](int m, int n, void* from, int lda, void* to, int count) {
    return QrOf<float>::geqrf(handle_, m, n, from, lda, to, &info, count);
  };
  const auto gels = [&](cublasOperation_t trans, int m, int n, int sides, int lda, int ldc,
                        int count) {
    return QrOf<float>::gels(handle_, trans, m, n, sides, a.addresses(), lda, c.addresses(), ldc,
                             &info, nullptr, count);
  };
  void* const m = a.addresses();
  EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED,
            QrOf<float>::geqrf(nullptr, 2, 2, m, 4, tau.addresses(), &info, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            QrOf<float>::geqrf(handle_, 2, 2, m, 4, tau.addresses(), nullptr, 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, geqrf(0, 2, nullptr, 1, nullptr, 1));
  EXPECT_EQ(0, info);
  const auto expect = [&](int position, cublasStatus_t status) {
    EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, status);
    EXPECT_EQ(-position, info);
  };
  expect(1, geqrf(-1, 2, m, 4, m, 1));
  expect(2, geqrf(2, -1, m, 4, m, 1));
  expect(4, geqrf(2, 2, m, 1, m, 1));
  expect(7, geqrf(2, 2, m, 4, m, -1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, geqrf(2, 2, nullptr, 4, m, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, geqrf(2, 2, m, 4, nullptr, 1));
  expect(2, gels(CUBLAS_OP_N, -1, 2, 1, 4, 4, 1));
  expect(3, gels(CUBLAS_OP_N, 2, -1, 1, 4, 4, 1));
  expect(4, gels(CUBLAS_OP_N, 2, 2, -1, 4, 4, 1));
  expect(6, gels(CUBLAS_OP_N, 2, 2, 1, 1, 4, 1));
  expect(8, gels(CUBLAS_OP_N, 2, 2, 1, 4, 1, 1));
  expect(11, gels(CUBLAS_OP_N, 2, 2, 1, 4, 4, -1));
  EXPECT_EQ(CUBLAS_STATUS_NOT_SUPPORTED, gels(CUBLAS_OP_T, 2, 2, 1, 4, 4, 1));
  EXPECT_EQ(CUBLAS_STATUS_NOT_SUPPORTED, gels(CUBLAS_OP_N, 1, 2, 1, 4, 4, 1));
}

}  // namespace
