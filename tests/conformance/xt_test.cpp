// cublasXt's products of matrices in host memory and elsewhere. main.cpp gives the stand-in two
// devices.
#include <complex>
#include <random>

#include "tests/conformance/support.h"

namespace {

using Exact = std::complex<double>;

template <typename T>
struct Gemm;
#define GEMM(letter, T, Cuda)                                                                      \
  template <>                                                                                      \
  struct Gemm<T> {                                                                                 \
    static cublasStatus_t multiply(cublasXtHandle_t handle, cublasOperation_t transa,              \
                                   cublasOperation_t transb, size_t m, size_t n, size_t k,         \
                                   const T* alpha, const T* a, size_t lda, const T* b, size_t ldb, \
                                   const T* beta, T* c, size_t ldc) {                              \
      const auto in = [](const T* data) {                                                          \
        return static_cast<const Cuda*>(static_cast<const void*>(data));                           \
      };                                                                                           \
      return cublasXt##letter##gemm(handle, transa, transb, m, n, k, in(alpha), in(a), lda, in(b), \
                                    ldb, in(beta), static_cast<Cuda*>(static_cast<void*>(c)),      \
                                    ldc);                                                          \
    }                                                                                              \
  };
GEMM(S, float, float)
GEMM(D, double, double)
GEMM(C, std::complex<float>, cuComplex)
GEMM(Z, std::complex<double>, cuDoubleComplex)
#undef GEMM

// Small whole numbers, so that every product is exact in every type.
template <typename T>
std::vector<T> numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> out(count);
  for (T& item : out) {
    const auto part = [&random] { return static_cast<float>(static_cast<int>(random() % 7) - 3); };
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
      item = static_cast<T>(part());
    } else {
      using Real = typename T::value_type;
      const auto real = static_cast<Real>(part());
      item = T(real, static_cast<Real>(part()));
    }
  }
  return out;
}

template <typename T>
struct Case {
  cublasOperation_t transa = CUBLAS_OP_N, transb = CUBLAS_OP_N;
  std::size_t m = 5, n = 7, k = 6;
  T alpha = T(2), beta = T(3);

  std::size_t lda() const { return (transa == CUBLAS_OP_N ? m : k) + 2; }
  std::size_t ldb() const { return (transb == CUBLAS_OP_N ? k : n) + 1; }
  std::size_t ldc() const { return m + 3; }
  std::vector<T> a() const { return numbers<T>(lda() * (transa == CUBLAS_OP_N ? k : m), 1); }
  std::vector<T> b() const { return numbers<T>(ldb() * (transb == CUBLAS_OP_N ? n : k), 2); }
  std::vector<T> c() const { return numbers<T>(ldc() * n, 3); }

  static Exact at(const std::vector<T>& matrix, std::size_t ld, cublasOperation_t operation,
                  std::size_t i, std::size_t j) {
    if (operation == CUBLAS_OP_N) return Exact(matrix[j * ld + i]);
    const Exact value(matrix[i * ld + j]);
    return operation == CUBLAS_OP_C ? std::conj(value) : value;
  }

  std::vector<T> result(const std::vector<T>& old) const {
    std::vector<T> out = old;
    const std::vector<T> left = a();
    const std::vector<T> right = b();
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < m; ++i) {
        Exact sum;
        for (std::size_t l = 0; l < k; ++l) {
          sum += at(left, lda(), transa, i, l) * at(right, ldb(), transb, l, j);
        }
        T& item = out[j * ldc() + i];
        const Exact value =
            Exact(alpha) * sum + (beta == T() ? Exact() : Exact(beta) * Exact(item));
        if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
          item = static_cast<T>(value.real());
        } else {
          item = T(value);
        }
      }
    }
    return out;
  }
};

class Xt : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtCreate(&handle_));
    int device = 0;
    ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtDeviceSelect(handle_, 1, &device));
  }
  void TearDown() override { EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtDestroy(handle_)); }

  template <typename T>
  void expect_product(const Case<T>& item) {
    const std::vector<T> a = item.a();
    const std::vector<T> b = item.b();
    std::vector<T> c = item.c();
    const std::vector<T> expected = item.result(c);
    ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
              Gemm<T>::multiply(handle_, item.transa, item.transb, item.m, item.n, item.k,
                                &item.alpha, a.data(), item.lda(), b.data(), item.ldb(), &item.beta,
                                c.data(), item.ldc()));
    EXPECT_EQ(expected, c);
  }

  template <typename T>
  void expect_products() {
    for (const int block : {1024, 2, 3}) {
      ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtSetBlockDim(handle_, block));
      for (const cublasOperation_t transa : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
        for (const cublasOperation_t transb : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
          expect_product(Case<T>{transa, transb});
        }
      }
    }
    Case<T> without_a_sum;
    without_a_sum.k = 0;
    expect_product(without_a_sum);
  }

  cublasXtHandle_t handle_ = nullptr;
};

TEST_F(Xt, cublasXtSgemm_multiplies_matrices_in_host_memory) { expect_products<float>(); }
TEST_F(Xt, cublasXtDgemm_multiplies_matrices_in_host_memory) { expect_products<double>(); }
TEST_F(Xt, cublasXtCgemm_multiplies_matrices_in_host_memory) {
  expect_products<std::complex<float>>();
}
TEST_F(Xt, cublasXtZgemm_multiplies_matrices_in_host_memory) {
  expect_products<std::complex<double>>();
}

TEST_F(Xt, cublasXtSgemm_does_not_read_a_result_that_it_overwrites) {
  Case<float> item;
  item.beta = 0;
  std::vector<float> c(item.ldc() * item.n, std::numeric_limits<float>::quiet_NaN());
  const std::vector<float> a = item.a();
  const std::vector<float> b = item.b();
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtSetBlockDim(handle_, 4));
  ASSERT_EQ(
      CUBLAS_STATUS_SUCCESS,
      cublasXtSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, item.m, item.n, item.k, &item.alpha,
                    a.data(), item.lda(), b.data(), item.ldb(), &item.beta, c.data(), item.ldc()));
  const std::vector<float> expected = item.result(item.c());
  for (std::size_t j = 0; j < item.n; ++j) {
    for (std::size_t i = 0; i < item.m; ++i) {
      EXPECT_EQ(expected[j * item.ldc() + i], c[j * item.ldc() + i]);
    }
  }
}

TEST_F(Xt, cublasXtSgemm_takes_matrices_in_device_memory) {
  const Case<float> item;
  std::vector<float> c = item.c();
  const std::vector<float> expected = item.result(c);
  const auto on_device = [](const std::vector<float>& matrix) {
    auto out = std::make_unique<Buffer>(matrix.size() * sizeof(float));
    EXPECT_OK(
        cudaMemcpy(*out, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice));
    return out;
  };
  const auto data = [](const Buffer& buffer) {
    return static_cast<float*>(static_cast<void*>(buffer));
  };
  const auto a = on_device(item.a());
  const auto b = on_device(item.b());
  const auto device_c = on_device(c);
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtSetBlockDim(handle_, 4));
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasXtSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, item.m, item.n, item.k, &item.alpha,
                          data(*a), item.lda(), data(*b), item.ldb(), &item.beta, data(*device_c),
                          item.ldc()));
  // The result is there on return.
  ASSERT_OK(cudaMemcpy(c.data(), *device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  EXPECT_EQ(expected, c);
}

TEST_F(Xt, cublasXtDeviceSelect_spreads_tiles_and_leaves_the_current_device) {
  int devices[] = {1, 0};
  ASSERT_OK(cudaSetDevice(0));
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtDeviceSelect(handle_, 2, devices));
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtSetBlockDim(handle_, 2));
  expect_product(Case<float>{});
  int device = -1;
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT_EQ(0, device);
  int missing[] = {0, 99};
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasXtDeviceSelect(handle_, 2, missing));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaGetLastError());
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasXtDeviceSelect(handle_, 0, devices));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasXtDeviceSelect(handle_, 1, nullptr));
  expect_product(Case<float>{});
}

TEST_F(Xt, cublasXtSgemm_refuses_bad_arguments) {
  const float one = 1;
  float memory[64] = {};
  const auto multiply = [&](int transa, std::size_t m, std::size_t lda, std::size_t ldc,
                            const float* alpha, const float* a) {
    return cublasXtSgemm(handle_, static_cast<cublasOperation_t>(transa), CUBLAS_OP_N, m, 2, 2,
                         alpha, a, lda, memory, 2, &one, memory, ldc);
  };
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, multiply(0, 0, 2, 2, &one, memory));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, multiply(7, 2, 2, 2, &one, memory));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, multiply(0, 2, 1, 2, &one, memory));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, multiply(0, 2, 2, 1, &one, memory));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, multiply(0, 2, 2, 2, nullptr, memory));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, multiply(0, 2, 2, 2, &one, nullptr));
  EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED,
            cublasXtSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, memory, 2, memory, 2,
                          &one, memory, 2));
  cublasXtHandle_t fresh = nullptr;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtCreate(&fresh));
  EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED,
            cublasXtSgemm(fresh, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, memory, 2, memory, 2,
                          &one, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtDestroy(fresh));
}

// NVIDIA's library answers the rest so without a device.
TEST_F(Xt, cublasXtSetBlockDim_is_read_back) {
  int block = 0;
  cublasXtHandle_t fresh = nullptr;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtCreate(&fresh));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtGetBlockDim(fresh, &block));
  EXPECT_EQ(1024, block);
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtDestroy(fresh));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtSetBlockDim(handle_, 31));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasXtSetBlockDim(handle_, 0));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtGetBlockDim(handle_, &block));
  EXPECT_EQ(31, block);
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasXtGetBlockDim(handle_, nullptr));
}

TEST_F(Xt, cublasXtSetPinningMemMode_is_read_back) {
  cublasXtPinnedMemMode_t mode = CUBLASXT_PINNING_ENABLED;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtGetPinningMemMode(handle_, &mode));
  EXPECT_EQ(CUBLASXT_PINNING_DISABLED, mode);
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtSetPinningMemMode(handle_, CUBLASXT_PINNING_ENABLED));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasXtSetPinningMemMode(handle_, static_cast<cublasXtPinnedMemMode_t>(2)));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtGetPinningMemMode(handle_, &mode));
  EXPECT_EQ(CUBLASXT_PINNING_ENABLED, mode);
}

TEST_F(Xt, cublasXtSetCpuRatio_takes_a_share_of_gemm_alone) {
  const auto unknown = static_cast<cublasXtOpType_t>(4);
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasXtSetCpuRatio(handle_, CUBLASXT_GEMM, CUBLASXT_FLOAT, 0.5F));
  EXPECT_EQ(CUBLAS_STATUS_NOT_SUPPORTED,
            cublasXtSetCpuRatio(handle_, CUBLASXT_SYRK, CUBLASXT_FLOAT, 0));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasXtSetCpuRatio(handle_, CUBLASXT_ROUTINE_MAX, CUBLASXT_FLOAT, 0));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasXtSetCpuRatio(handle_, CUBLASXT_GEMM, unknown, 0));
  expect_product(Case<float>{});
}

TEST_F(Xt, cublasXtSetCpuRoutine_is_never_called) {
  // No function lies there.
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasXtSetCpuRoutine(handle_, CUBLASXT_GEMM, CUBLASXT_FLOAT, not_an_object));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasXtSetCpuRatio(handle_, CUBLASXT_GEMM, CUBLASXT_FLOAT, 0.5F));
  EXPECT_EQ(CUBLAS_STATUS_NOT_SUPPORTED,
            cublasXtSetCpuRoutine(handle_, CUBLASXT_TRMM, CUBLASXT_FLOAT, not_an_object));
  expect_product(Case<float>{});
}

TEST_F(Xt, cublasXtMaxBoards_is_what_NVIDIA_says) {
  int boards = 0;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtMaxBoards(&boards));
  EXPECT_EQ(1024, boards);
}

TEST_F(Xt, cublasXtDestroy_refuses_what_is_no_handle) {
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasXtDestroy(nullptr));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasXtDestroy(reinterpret_cast<cublasXtHandle_t>(not_an_object)));
}

TEST_F(Xt, cublasXtCreate_refuses_null) {
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasXtCreate(nullptr));
}

}  // namespace
