// Factors and inverses of batches: what multiplies back is what was given.
#include <algorithm>
#include <chrono>
#include <complex>
#include <numeric>
#include <random>
#include <thread>
#include <type_traits>

#include "tests/conformance/batched_matrices.h"
#include "tests/conformance/support.h"

namespace {

template <typename T>
struct Batched;
#define BATCHED(letter, T, Cuda)                                                                   \
  template <>                                                                                      \
  struct Batched<T> {                                                                              \
    static cublasStatus_t getrf(cublasHandle_t handle, int n, void* a, int lda, int* pivots,       \
                                int* info, int count) {                                            \
      return cublas##letter##getrfBatched(handle, n, static_cast<Cuda* const*>(a), lda, pivots,    \
                                          info, count);                                            \
    }                                                                                              \
    static cublasStatus_t getri(cublasHandle_t handle, int n, const void* a, int lda,              \
                                const int* pivots, void* c, int ldc, int* info, int count) {       \
      return cublas##letter##getriBatched(handle, n, static_cast<const Cuda* const*>(a), lda,      \
                                          pivots, static_cast<Cuda* const*>(c), ldc, info, count); \
    }                                                                                              \
    static cublasStatus_t matinv(cublasHandle_t handle, int n, const void* a, int lda, void* c,    \
                                 int ldc, int* info, int count) {                                  \
      return cublas##letter##matinvBatched(handle, n, static_cast<const Cuda* const*>(a), lda,     \
                                           static_cast<Cuda* const*>(c), ldc, info, count);        \
    }                                                                                              \
  };
BATCHED(S, float, float)
BATCHED(D, double, double)
BATCHED(C, std::complex<float>, cuComplex)
BATCHED(Z, std::complex<double>, cuDoubleComplex)
#undef BATCHED

template <typename T>
constexpr bool kIsSinglePrecision =
    std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>>;

template <typename T>
double largest_error(Matrices<T>& left, Matrices<T>& right, int n, std::size_t matrix) {
  // Of left * right from the identity.
  double worst = 0;
  const auto order = static_cast<std::size_t>(n);
  for (std::size_t row = 0; row < order; ++row) {
    for (std::size_t column = 0; column < order; ++column) {
      std::complex<double> sum;
      for (std::size_t i = 0; i < order; ++i) {
        sum += std::complex<double>(left.at(matrix, row, i)) *
               std::complex<double>(right.at(matrix, i, column));
      }
      worst = std::max(worst, std::abs(sum - (row == column ? 1. : 0.)));
    }
  }
  return worst;
}

class BlasFormsLu : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&handle_)); }
  void TearDown() override { EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(handle_)); }

  static std::vector<int> integers(const Buffer& memory, int count) {
    std::vector<int> out(static_cast<std::size_t>(count));
    EXPECT_OK(cudaMemcpy(out.data(), memory, out.size() * sizeof(int), cudaMemcpyDefault));
    return out;
  }
  static int* data(const Buffer& memory) { return static_cast<int*>(static_cast<void*>(memory)); }

  // P A = L U, with no entry of L larger than 1, and the inverse of A.
  template <typename T>
  void expect_factors() {
    const double near = kIsSinglePrecision<T> ? 1e-3 : 1e-10;
    for (const int n : {1, 2, 5, 33}) {
      for (const bool has_pivots : {true, false}) {
        constexpr int kBatch = 3;
        Matrices<T> a(n, n, kBatch), inverse(n, n, kBatch);
        a.draw(static_cast<unsigned>(n));
        const auto order = static_cast<std::size_t>(n);
        if (!has_pivots) {  // What needs none.
          for (std::size_t i = 0; i < kBatch * order; ++i) {
            a.at(i / order, i % order, i % order) = number<T>(n, 1);
          }
          a.put();
        }
        Matrices<T> given(n, n, kBatch);
        given.values = a.values;
        const Buffer pivots(static_cast<std::size_t>(n) * kBatch * sizeof(int));
        const Buffer info(kBatch * sizeof(int));
        int* const p = has_pivots ? data(pivots) : nullptr;
        ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
                  Batched<T>::getrf(handle_, n, a.addresses(), a.ld(), p, data(info), kBatch));
        a.get();
        a.expect_gaps();
        EXPECT_EQ(std::vector<int>(kBatch, 0), integers(info, kBatch));
        const std::vector<int> exchanged = integers(pivots, n * kBatch);
        for (std::size_t matrix = 0; matrix < kBatch; ++matrix) {
          std::vector<std::size_t> rows(order);
          std::iota(rows.begin(), rows.end(), 0);
          for (std::size_t i = 0; i < order && has_pivots; ++i) {
            const int other = exchanged[matrix * order + i];
            ASSERT_GT(other, static_cast<int>(i));
            ASSERT_LE(other, n);
            std::swap(rows[i], rows[static_cast<std::size_t>(other) - 1]);
          }
          for (std::size_t row = 0; row < order; ++row) {
            for (std::size_t column = 0; column < order; ++column) {
              std::complex<double> sum;
              for (std::size_t i = 0; i <= std::min(row, column); ++i) {
                sum += (i == row ? 1. : std::complex<double>(a.at(matrix, row, i))) *
                       std::complex<double>(a.at(matrix, i, column));
              }
              const std::complex<double> expected(given.at(matrix, rows[row], column));
              EXPECT_LE(std::abs(sum - expected), near) << n << " " << row << " " << column;
              // Of complex numbers, pivots are the largest by |re| + |im|.
              if (has_pivots && row > column) {
                EXPECT_LE(std::abs(std::complex<double>(a.at(matrix, row, column))), 1.4143);
              }
            }
          }
        }
        ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
                  Batched<T>::getri(handle_, n, a.addresses(), a.ld(), p, inverse.addresses(),
                                    inverse.ld(), data(info), kBatch));
        inverse.get();
        inverse.expect_gaps();
        EXPECT_EQ(std::vector<int>(kBatch, 0), integers(info, kBatch));
        for (std::size_t matrix = 0; matrix < kBatch; ++matrix) {
          EXPECT_LE(largest_error(given, inverse, n, matrix), 10 * near) << n;
        }
      }
    }
  }

  template <typename T>
  void expect_inverses() {
    const double near = kIsSinglePrecision<T> ? 1e-2 : 1e-9;
    for (const int n : {1, 3, 32}) {
      constexpr int kBatch = 4;
      Matrices<T> a(n, n, kBatch), inverse(n, n, kBatch);
      a.draw(static_cast<unsigned>(n) + 7);
      const std::vector<T> before = a.values;
      const Buffer info(kBatch * sizeof(int));
      ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
                Batched<T>::matinv(handle_, n, a.addresses(), a.ld(), inverse.addresses(),
                                   inverse.ld(), data(info), kBatch));
      a.get();
      inverse.get();
      EXPECT_EQ(before, a.values);
      inverse.expect_gaps();
      EXPECT_EQ(std::vector<int>(kBatch, 0), integers(info, kBatch));
      for (std::size_t matrix = 0; matrix < kBatch; ++matrix) {
        EXPECT_LE(largest_error(a, inverse, n, matrix), near) << n;
      }
    }
  }

  cublasHandle_t handle_ = nullptr;
};

TEST_F(BlasFormsLu, cublasSgetrfBatched_and_cublasSgetriBatched) { expect_factors<float>(); }
TEST_F(BlasFormsLu, cublasDgetrfBatched_and_cublasDgetriBatched) { expect_factors<double>(); }
TEST_F(BlasFormsLu, cublasCgetrfBatched_and_cublasCgetriBatched) {
  expect_factors<std::complex<float>>();
}
TEST_F(BlasFormsLu, cublasZgetrfBatched_and_cublasZgetriBatched) {
  expect_factors<std::complex<double>>();
}
TEST_F(BlasFormsLu, cublasSmatinvBatched_leaves_what_it_inverts) { expect_inverses<float>(); }
TEST_F(BlasFormsLu, cublasDmatinvBatched_leaves_what_it_inverts) { expect_inverses<double>(); }
TEST_F(BlasFormsLu, cublasCmatinvBatched_leaves_what_it_inverts) {
  expect_inverses<std::complex<float>>();
}
TEST_F(BlasFormsLu, cublasZmatinvBatched_leaves_what_it_inverts) {
  expect_inverses<std::complex<double>>();
}

// The second of three has equal rows. The others are factored and inverted all the same.
TEST_F(BlasFormsLu, cublasDgetrfBatched_tells_where_a_matrix_is_singular) {
  constexpr int kN = 3, kBatch = 3;
  Matrices<double> a(kN, kN, kBatch), inverse(kN, kN, kBatch);
  a.draw(5);
  for (std::size_t column = 0; column < kN; ++column) {
    for (std::size_t row = 0; row < kN; ++row) a.at(1, row, column) = 1;
  }
  a.put();
  const std::vector<double> given = a.values, untouched = inverse.values;
  const Buffer pivots(kN * kBatch * sizeof(int)), info(kBatch * sizeof(int));
  const std::vector<int> expected = {0, 2, 0};
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            Batched<double>::matinv(handle_, kN, a.addresses(), a.ld(), inverse.addresses(),
                                    inverse.ld(), data(info), kBatch));
  EXPECT_EQ(expected, integers(info, kBatch));
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, Batched<double>::getrf(handle_, kN, a.addresses(), a.ld(),
                                                          data(pivots), data(info), kBatch));
  EXPECT_EQ(expected, integers(info, kBatch));
  a.get();
  EXPECT_EQ(1, a.at(1, 0, 0));
  EXPECT_EQ(1, a.at(1, 2, 0));
  EXPECT_EQ(0, a.at(1, 2, 2));
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            Batched<double>::getri(handle_, kN, a.addresses(), a.ld(), data(pivots),
                                   inverse.addresses(), inverse.ld(), data(info), kBatch));
  EXPECT_EQ(expected, integers(info, kBatch));
  inverse.get();
  Matrices<double> first(kN, kN, kBatch);
  first.values = given;
  EXPECT_LE(largest_error(first, inverse, kN, 0), 1e-10);
  EXPECT_LE(largest_error(first, inverse, kN, 2), 1e-10);
}

// What is computed is what the stream has written by then.
TEST_F(BlasFormsLu, cublasSgetrfBatched_waits_for_the_stream) {
  Stream stream;
  Gate gate;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetStream_v2(handle_, stream));
  Matrices<float> a(1, 1, 1);
  const Buffer info(sizeof(int));
  float* first = nullptr;
  ASSERT_OK(cudaMemcpy(&first, a.addresses(), sizeof first, cudaMemcpyDefault));
  gate.hold(stream);
  ASSERT_OK(cudaMemsetAsync(first, 0, sizeof *first, stream));
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    gate.open();
  });
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            Batched<float>::getrf(handle_, 1, a.addresses(), a.ld(), nullptr, data(info), 1));
  opener.join();
  EXPECT_EQ(std::vector<int>{1}, integers(info, 1));
}

TEST_F(BlasFormsLu, cublasSgetrfBatched_and_others_refuse_bad_arguments) {
  Matrices<float> a(2, 2, 1);
  const Buffer memory(64);
  void* const m = a.addresses();
  int* const i = data(memory);
  const auto getrf = [&](cublasHandle_t handle, int n, void* from, int lda, int* info, int count) {
    return Batched<float>::getrf(handle, n, from, lda, nullptr, info, count);
  };
  const auto getri = [&](int n, const void* from, int lda, void* to, int ldc, int* info,
                         int count) {
    return Batched<float>::getri(handle_, n, from, lda, nullptr, to, ldc, info, count);
  };
  const auto matinv = [&](int n, const void* from, int lda, void* to, int ldc, int* info,
                          int count) {
    return Batched<float>::matinv(handle_, n, from, lda, to, ldc, info, count);
  };
  EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED, getrf(nullptr, 2, m, 4, i, 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, getrf(handle_, 0, nullptr, 1, nullptr, 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, getrf(handle_, 2, nullptr, 2, nullptr, 0));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, getrf(handle_, -1, m, 4, i, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, getrf(handle_, 2, m, 1, i, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, getrf(handle_, 2, m, 4, i, -1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, getrf(handle_, 2, nullptr, 4, i, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, getrf(handle_, 2, m, 4, nullptr, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, getri(2, m, 4, m, 1, i, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, getri(2, m, 4, nullptr, 4, i, 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, matinv(0, nullptr, 1, nullptr, 1, nullptr, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, matinv(33, m, 33, m, 33, i, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, matinv(2, m, 4, m, 1, i, 1));
}

}  // namespace
