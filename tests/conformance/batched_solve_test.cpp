// Solving with LU factors and pivots that the program has, in batches. The right sides are made
// from known solutions, in double precision.
#include <cmath>
#include <complex>
#include <random>

#include "tests/conformance/support.h"

namespace {

constexpr int kOrder = 5;
constexpr int kColumns = 3;
constexpr int kLda = 7;
constexpr int kLdb = 6;
constexpr int kCount = 4;

using Exact = std::complex<double>;

template <typename T>
struct Solver;
#define SOLVER(letter, T, Cuda)                                                            \
  template <>                                                                              \
  struct Solver<T> {                                                                       \
    static cublasStatus_t solve(cublasHandle_t handle, cublasOperation_t operation, int n, \
                                int columns, void* a, int lda, const int* pivots, void* b, \
                                int ldb, int* info, int count) {                           \
      return cublas##letter##getrsBatched(handle, operation, n, columns,                   \
                                          static_cast<const Cuda* const*>(a), lda, pivots, \
                                          static_cast<Cuda* const*>(b), ldb, info, count); \
    }                                                                                      \
  };
SOLVER(S, float, float)
SOLVER(D, double, double)
SOLVER(C, std::complex<float>, cuComplex)
SOLVER(Z, std::complex<double>, cuDoubleComplex)
#undef SOLVER

template <typename T>
T element(std::mt19937& random) {
  const auto number = [&random] {
    return static_cast<double>(static_cast<int>(random() % 200) - 100) / 100;
  };
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    return static_cast<T>(number());
  } else {
    using Real = typename T::value_type;
    const auto real = static_cast<Real>(number());
    return {real, static_cast<Real>(number())};
  }
}

// One problem: the factors, the pivots from 1, the solution.
template <typename T>
struct Problem {
  std::vector<T> factors = std::vector<T>(kLda * kOrder);
  std::vector<int> pivots = std::vector<int>(kOrder);
  std::vector<Exact> solution = std::vector<Exact>(kOrder * kColumns);

  explicit Problem(std::mt19937& random) {
    for (T& item : factors) item = element<T>(random);
    for (int i = 0; i < kOrder; ++i) {
      factors[static_cast<std::size_t>(i * kLda + i)] += T(4);  // well conditioned
      pivots[static_cast<std::size_t>(i)] = i + 1 + static_cast<int>(random()) % (kOrder - i);
      if (pivots[static_cast<std::size_t>(i)] <= i) pivots[static_cast<std::size_t>(i)] = i + 1;
    }
    for (Exact& item : solution) item = Exact(element<T>(random));
  }

  Exact lower(int i, int j) const { return i == j ? 1 : i < j ? Exact() : at(i, j); }
  Exact upper(int i, int j) const { return i > j ? Exact() : at(i, j); }
  Exact at(int i, int j) const { return Exact(factors[static_cast<std::size_t>(j * kLda + i)]); }

  // A X, where P A = L U; or its transpose, or conjugate transpose.
  std::vector<Exact> right_side(cublasOperation_t operation, bool has_pivots) const {
    std::vector<Exact> out = solution;
    const auto multiply = [&](auto matrix) {
      std::vector<Exact> in = out;
      for (int column = 0; column < kColumns; ++column) {
        for (int i = 0; i < kOrder; ++i) {
          Exact sum;
          for (int j = 0; j < kOrder; ++j) {
            const Exact factor = operation == CUBLAS_OP_N ? matrix(i, j) : matrix(j, i);
            sum += (operation == CUBLAS_OP_C ? std::conj(factor) : factor) *
                   in[static_cast<std::size_t>(column * kOrder + j)];
          }
          out[static_cast<std::size_t>(column * kOrder + i)] = sum;
        }
      }
    };
    const auto exchange = [&](int row) {
      if (!has_pivots) return;
      for (int column = 0; column < kColumns; ++column) {
        const auto first = static_cast<std::size_t>(column * kOrder);
        std::swap(out[first + static_cast<std::size_t>(row)],
                  out[first + static_cast<std::size_t>(pivots[static_cast<std::size_t>(row)] - 1)]);
      }
    };
    const auto upper_part = [this](int i, int j) { return upper(i, j); };
    const auto lower_part = [this](int i, int j) { return lower(i, j); };
    if (operation == CUBLAS_OP_N) {
      multiply(upper_part);
      multiply(lower_part);
      for (int row = kOrder - 1; row >= 0; --row) exchange(row);
    } else {
      for (int row = 0; row < kOrder; ++row) exchange(row);
      multiply(lower_part);
      multiply(upper_part);
    }
    return out;
  }
};

template <typename T>
T rounded(Exact value) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    return static_cast<T>(value.real());
  } else {
    return T(value);
  }
}

// The problems of a batch, on the device.
template <typename T>
class Batch {
 public:
  Batch() : factors_(bytes(kLda * kOrder)), right_(bytes(kLdb * kColumns)) {
    std::mt19937 random(7);
    std::vector<const T*> a;
    std::vector<const T*> b;
    for (int i = 0; i < kCount; ++i) {
      problems_.emplace_back(random);
      a.push_back(static_cast<const T*>(static_cast<void*>(factors_)) + i * kLda * kOrder);
      b.push_back(static_cast<const T*>(static_cast<void*>(right_)) + i * kLdb * kColumns);
      EXPECT_OK(cudaMemcpy(const_cast<T*>(a.back()), problems_.back().factors.data(),
                           problems_.back().factors.size() * sizeof(T), cudaMemcpyHostToDevice));
      EXPECT_OK(cudaMemcpy(static_cast<int*>(static_cast<void*>(pivots_)) + i * kOrder,
                           problems_.back().pivots.data(), kOrder * sizeof(int),
                           cudaMemcpyHostToDevice));
    }
    EXPECT_OK(cudaMemcpy(a_, a.data(), sizeof(void*) * kCount, cudaMemcpyHostToDevice));
    EXPECT_OK(cudaMemcpy(b_, b.data(), sizeof(void*) * kCount, cudaMemcpyHostToDevice));
  }

  void put_right_sides(cublasOperation_t operation, bool has_pivots) const {
    std::vector<T> all(static_cast<std::size_t>(kCount * kLdb * kColumns), kGap);
    for (std::size_t i = 0; i < problems_.size(); ++i) {
      const std::vector<Exact> right = problems_[i].right_side(operation, has_pivots);
      for (std::size_t j = 0; j < right.size(); ++j) {
        all[place(i, j)] = rounded<T>(right[j]);
      }
    }
    ASSERT_OK(cudaMemcpy(right_, all.data(), all.size() * sizeof(T), cudaMemcpyHostToDevice));
  }

  void expect_solutions(const std::string& what) const {
    std::vector<T> all(static_cast<std::size_t>(kCount * kLdb * kColumns));
    ASSERT_OK(cudaDeviceSynchronize());
    ASSERT_OK(cudaMemcpy(all.data(), right_, all.size() * sizeof(T), cudaMemcpyDeviceToHost));
    const double near = sizeof(rounded<T>(0)) == sizeof(float) || kIsSingle ? 1e-4 : 1e-11;
    for (std::size_t i = 0; i < problems_.size(); ++i) {
      const std::vector<Exact>& solution = problems_[i].solution;
      for (std::size_t j = 0; j < solution.size(); ++j) {
        EXPECT_LE(std::abs(Exact(all[place(i, j)]) - solution[j]), near)
            << what << ", problem " << i << ", element " << j;
      }
    }
    for (std::size_t gap = kOrder; gap < all.size(); gap += kLdb) EXPECT_EQ(kGap, all[gap]);
  }

  void* a() const { return a_; }
  void* b() const { return b_; }
  int* pivots() const { return static_cast<int*>(static_cast<void*>(pivots_)); }

 private:
  static constexpr T kGap = T(99);  // below each column, never written
  static constexpr bool kIsSingle = std::is_same_v<T, std::complex<float>>;

  static std::size_t bytes(int elements) {
    return static_cast<std::size_t>(kCount * elements) * sizeof(T);
  }
  static std::size_t place(std::size_t problem, std::size_t element) {
    return (problem * kColumns + element / kOrder) * kLdb + element % kOrder;
  }

  std::vector<Problem<T>> problems_;
  const Buffer factors_, right_;
  const Buffer a_{sizeof(void*) * kCount}, b_{sizeof(void*) * kCount};
  const Buffer pivots_{sizeof(int) * kCount * kOrder};
};

class BlasFormsSolve : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&handle_)); }
  void TearDown() override { EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(handle_)); }

  template <typename T>
  void expect_solved() {
    const Batch<T> batch;
    for (const cublasOperation_t operation : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      for (const bool has_pivots : {true, false}) {
        batch.put_right_sides(operation, has_pivots);
        int info = -77;
        ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
                  Solver<T>::solve(handle_, operation, kOrder, kColumns, batch.a(), kLda,
                                   has_pivots ? batch.pivots() : nullptr, batch.b(), kLdb, &info,
                                   kCount));
        EXPECT_EQ(0, info);
        batch.expect_solutions("operation " + std::to_string(operation) +
                               (has_pivots ? " with pivots" : ""));
      }
    }
  }

  cublasHandle_t handle_ = nullptr;
};

TEST_F(BlasFormsSolve, cublasSgetrsBatched_solves) { expect_solved<float>(); }
TEST_F(BlasFormsSolve, cublasDgetrsBatched_solves) { expect_solved<double>(); }
TEST_F(BlasFormsSolve, cublasCgetrsBatched_solves) { expect_solved<std::complex<float>>(); }
TEST_F(BlasFormsSolve, cublasZgetrsBatched_solves) { expect_solved<std::complex<double>>(); }

TEST_F(BlasFormsSolve, cublasSgetrsBatched_works_in_the_stream_and_keeps_the_pointer_mode) {
  const Batch<float> batch;
  batch.put_right_sides(CUBLAS_OP_N, true);
  Stream stream(cudaStreamNonBlocking);
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetStream_v2(handle_, stream));
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetPointerMode_v2(handle_, CUBLAS_POINTER_MODE_DEVICE));
  int info = -77;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            Solver<float>::solve(handle_, CUBLAS_OP_N, kOrder, kColumns, batch.a(), kLda,
                                 batch.pivots(), batch.b(), kLdb, &info, kCount));
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetPointerMode_v2(handle_, &mode));
  EXPECT_EQ(CUBLAS_POINTER_MODE_DEVICE, mode);
  batch.expect_solutions("in a stream");
}

TEST_F(BlasFormsSolve, cublasSgetrsBatched_is_refused_in_a_capture_that_goes_on) {
  const Batch<float> batch;
  batch.put_right_sides(CUBLAS_OP_N, true);
  Stream stream(cudaStreamNonBlocking);
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetStream_v2(handle_, stream));
  ASSERT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  int info = -77;
  EXPECT_EQ(CUBLAS_STATUS_NOT_SUPPORTED,
            Solver<float>::solve(handle_, CUBLAS_OP_N, kOrder, kColumns, batch.a(), kLda,
                                 batch.pivots(), batch.b(), kLdb, &info, kCount));
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT_OK(cudaGraphDestroy(graph));
}

TEST_F(BlasFormsSolve, cublasSgetrsBatched_names_the_wrong_argument) {
  const Batch<float> batch;
  const auto wrong = [&](int expected, int operation, int n, int columns, int lda, int ldb,
                         int count) {
    int info = -77;
    EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
              Solver<float>::solve(handle_, static_cast<cublasOperation_t>(operation), n, columns,
                                   batch.a(), lda, nullptr, batch.b(), ldb, &info, count));
    EXPECT_EQ(expected, info);
  };
  wrong(-1, 111, 5, 3, 7, 6, 4);
  wrong(-2, 0, -1, 3, 7, 6, 4);
  wrong(-3, 0, 5, -1, 7, 6, 4);
  wrong(-5, 0, 5, 3, 4, 6, 4);
  wrong(-8, 0, 5, 3, 7, 4, 4);
  wrong(-10, 0, 5, 3, 7, 6, -1);
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            Solver<float>::solve(handle_, CUBLAS_OP_N, 5, 3, batch.a(), 7, nullptr, batch.b(), 6,
                                 nullptr, 4));
  int info = -77;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, Solver<float>::solve(handle_, CUBLAS_OP_N, 0, 3, batch.a(), 7,
                                                        nullptr, batch.b(), 6, &info, 4));
  EXPECT_EQ(0, info);
}

}  // namespace
