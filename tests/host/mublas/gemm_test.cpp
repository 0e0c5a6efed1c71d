#include <limits>
#include <random>
#include <vector>

#include "tests/host/mublas/with_handle.h"

namespace {

using host_tests::DeviceArray;
using host_tests::Roadblock;

template <typename T>
struct Problem {
  mublasOperation_t trans_a, trans_b;
  int m, n, k, lda, ldb, ldc;
  T alpha, beta;
  std::vector<T> a, b, c;

  // Small integers, so that any order of summation gives the same bits.
  Problem(mublasOperation_t operation_a, mublasOperation_t operation_b, int rows, int columns,
          int depth, T with_alpha, T with_beta)
      : trans_a(operation_a),
        trans_b(operation_b),
        m(rows),
        n(columns),
        k(depth),
        lda((trans_a == MUBLAS_OP_N ? m : k) + 3),
        ldb((trans_b == MUBLAS_OP_N ? k : n) + 2),
        ldc(m + 1),
        alpha(with_alpha),
        beta(with_beta) {
    std::mt19937 random(m * 10007 + n * 101 + k);
    const auto fill = [&](std::vector<T>& matrix, int size) {
      for (int i = 0; i < size; ++i) matrix.push_back(static_cast<T>(int(random() % 9) - 4));
    };
    fill(a, lda * ((trans_a == MUBLAS_OP_N ? k : m) + 1));
    fill(b, ldb * ((trans_b == MUBLAS_OP_N ? n : k) + 1));
    fill(c, ldc * n);
  }

  std::vector<T> expected() const {
    std::vector<T> result = c;
    for (int row = 0; row < m; ++row) {
      for (int column = 0; column < n; ++column) {
        T sum = 0;
        for (int i = 0; i < k; ++i) {
          const T left = trans_a == MUBLAS_OP_N ? a[row + i * lda] : a[i + row * lda];
          const T right = trans_b == MUBLAS_OP_N ? b[i + column * ldb] : b[column + i * ldb];
          sum += left * right;
        }
        T& cell = result[row + column * ldc];
        cell = alpha * sum + (beta == 0 ? 0 : beta * cell);
      }
    }
    return result;
  }
};

mublasStatus_t gemm(mublasHandle_t handle, const Problem<float>& p, const float* alpha,
                    const float* a, const float* b, const float* beta, float* c) {
  return mublasSgemm(handle, p.trans_a, p.trans_b, p.m, p.n, p.k, alpha, a, p.lda, b, p.ldb, beta,
                     c, p.ldc);
}

mublasStatus_t gemm(mublasHandle_t handle, const Problem<double>& p, const double* alpha,
                    const double* a, const double* b, const double* beta, double* c) {
  return mublasDgemm(handle, p.trans_a, p.trans_b, p.m, p.n, p.k, alpha, a, p.lda, b, p.ldb, beta,
                     c, p.ldc);
}

class MublasGemm : public host_tests::WithHandle {
 protected:
  template <typename T>
  void check(const Problem<T>& problem) {
    const DeviceArray<T> a(problem.a);
    const DeviceArray<T> b(problem.b);
    const DeviceArray<T> c(problem.c);
    EXPECT_EQ(gemm(handle_, problem, &problem.alpha, a.data(), b.data(), &problem.beta, c.data()),
              MUBLAS_STATUS_SUCCESS);
    stream_.wait();
    EXPECT_EQ(c.values(), problem.expected()) << problem.trans_a << ' ' << problem.trans_b << ' '
                                              << problem.m << ' ' << problem.n << ' ' << problem.k;
  }

  template <typename T>
  void check_all() {
    const auto operations = {MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C};
    for (const auto trans_a : operations) {
      for (const auto trans_b : operations) {
        check(Problem<T>(trans_a, trans_b, 5, 3, 4, 2, -1));
        check(Problem<T>(trans_a, trans_b, 1, 1, 1, 1, 0));
        check(Problem<T>(trans_a, trans_b, 130, 67, 91, 1, 0));
        check(Problem<T>(trans_a, trans_b, 6, 7, 0, 3, 2));
        check(Problem<T>(trans_a, trans_b, 6, 7, 5, 0, 2));
      }
    }
  }
};

TEST_F(MublasGemm, MultipliesFloats) { check_all<float>(); }

TEST_F(MublasGemm, MultipliesDoubles) { check_all<double>(); }

TEST_F(MublasGemm, WithBetaZeroIgnoresWhatWasInC) {
  Problem<float> problem(MUBLAS_OP_N, MUBLAS_OP_N, 4, 4, 4, 1, 0);
  auto expected = problem.expected();
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) {
      problem.c[row + column * problem.ldc] = std::numeric_limits<float>::quiet_NaN();
    }
  }
  const DeviceArray<float> a(problem.a), b(problem.b), c(problem.c);
  EXPECT_EQ(gemm(handle_, problem, &problem.alpha, a.data(), b.data(), &problem.beta, c.data()),
            MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(c.values(), expected);
}

TEST_F(MublasGemm, WithAlphaZeroNeedsNeitherANorB) {
  const Problem<float> problem(MUBLAS_OP_N, MUBLAS_OP_N, 4, 4, 4, 0, 2);
  const DeviceArray<float> c(problem.c);
  EXPECT_EQ(gemm(handle_, problem, &problem.alpha, nullptr, nullptr, &problem.beta, c.data()),
            MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(c.values(), problem.expected());
}

TEST_F(MublasGemm, ReadsHostScalarsWhenCalledAndRunsInTheStream) {
  const Problem<float> problem(MUBLAS_OP_N, MUBLAS_OP_T, 8, 8, 8, 1, 1);
  const DeviceArray<float> a(problem.a), b(problem.b), c(problem.c);
  float alpha = problem.alpha;
  float beta = problem.beta;
  Roadblock block(stream_);
  EXPECT_EQ(gemm(handle_, problem, &alpha, a.data(), b.data(), &beta, c.data()),
            MUBLAS_STATUS_SUCCESS);
  alpha = beta = 100;
  EXPECT_EQ(std::vector<float>(c.data(), c.data() + c.size()), problem.c);
  block.release();
  EXPECT_EQ(c.values(), problem.expected());
}

TEST_F(MublasGemm, ReadsDeviceScalarsInStreamOrder) {
  scalars_on_device();
  const Problem<double> problem(MUBLAS_OP_T, MUBLAS_OP_N, 8, 8, 8, 3, 2);
  const DeviceArray<double> a(problem.a), b(problem.b), c(problem.c);
  const DeviceArray<double> scalars({0, 0});
  Roadblock block(stream_);
  EXPECT_EQ(
      gemm(handle_, problem, scalars.data(), a.data(), b.data(), scalars.data() + 1, c.data()),
      MUBLAS_STATUS_SUCCESS);
  scalars.data()[0] = problem.alpha;
  scalars.data()[1] = problem.beta;
  block.release();
  EXPECT_EQ(c.values(), problem.expected());
}

}  // namespace
