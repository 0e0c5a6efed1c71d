// Triangles in packed storage: column after column, without the other half.
#include <complex>
#include <numeric>

#include "tests/conformance/support.h"

namespace {

template <typename T>
struct Packed;
#define PACKED(letter, T, Cuda)                                                          \
  template <>                                                                            \
  struct Packed<T> {                                                                     \
    static cublasStatus_t unpack(cublasHandle_t handle, cublasFillMode_t uplo, int n,    \
                                 const void* packed, void* full, int lda) {              \
      return cublas##letter##tpttr(handle, uplo, n, static_cast<const Cuda*>(packed),    \
                                   static_cast<Cuda*>(full), lda);                       \
    }                                                                                    \
    static cublasStatus_t pack(cublasHandle_t handle, cublasFillMode_t uplo, int n,      \
                               const void* full, int lda, void* packed) {                \
      return cublas##letter##trttp(handle, uplo, n, static_cast<const Cuda*>(full), lda, \
                                   static_cast<Cuda*>(packed));                          \
    }                                                                                    \
  };
PACKED(S, float, float)
PACKED(D, double, double)
PACKED(C, std::complex<float>, cuComplex)
PACKED(Z, std::complex<double>, cuDoubleComplex)
#undef PACKED

constexpr int kTriangleOrder = 5, kTriangleLd = 7;
constexpr std::size_t kPacked = kTriangleOrder * (kTriangleOrder + 1) / 2;
constexpr std::size_t kFull = kTriangleLd * kTriangleOrder;

// Different in every place.
template <typename T>
std::vector<T> counted_from(std::size_t count, float first) {
  std::vector<T> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = T(first + static_cast<float>(i));
  return out;
}

// As LAPACK documents it, with i and j from 1: AP(i + (j-1)*j/2) above, AP(i + (j-1)*(2n-j)/2)
// below the diagonal.
std::size_t place(cublasFillMode_t uplo, int i, int j) {
  const int index = uplo == CUBLAS_FILL_MODE_UPPER ? i + (j - 1) * j / 2
                                                   : i + (j - 1) * (2 * kTriangleOrder - j) / 2;
  return static_cast<std::size_t>(index - 1);
}

class BlasFormsPacked : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&handle_)); }
  void TearDown() override { EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(handle_)); }

  // Both directions; what is not copied stays.
  template <typename T>
  void expect_copies() {
    const std::vector<T> packed = counted_from<T>(kPacked, 100), full = counted_from<T>(kFull, 500);
    const Buffer device_packed(kPacked * sizeof(T)), device_full(kFull * sizeof(T));
    const auto put = [&] {
      EXPECT_OK(cudaMemcpy(device_packed, packed.data(), kPacked * sizeof(T), cudaMemcpyDefault));
      EXPECT_OK(cudaMemcpy(device_full, full.data(), kFull * sizeof(T), cudaMemcpyDefault));
    };
    for (const cublasFillMode_t uplo : {CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_LOWER}) {
      std::vector<T> expected_full = full, expected_packed = packed, got_full(kFull),
                     got_packed(kPacked);
      for (int j = 1; j <= kTriangleOrder; ++j) {
        for (int i = 1; i <= kTriangleOrder; ++i) {
          if (uplo == CUBLAS_FILL_MODE_UPPER ? i > j : i < j) continue;
          const auto in_full = static_cast<std::size_t>((j - 1) * kTriangleLd + i - 1);
          expected_full[in_full] = packed[place(uplo, i, j)];
          expected_packed[place(uplo, i, j)] = full[in_full];
        }
      }
      put();
      ASSERT_EQ(CUBLAS_STATUS_SUCCESS, Packed<T>::unpack(handle_, uplo, kTriangleOrder,
                                                         device_packed, device_full, kTriangleLd));
      ASSERT_OK(cudaMemcpy(got_full.data(), device_full, kFull * sizeof(T), cudaMemcpyDefault));
      EXPECT_EQ(expected_full, got_full);
      put();
      ASSERT_EQ(CUBLAS_STATUS_SUCCESS, Packed<T>::pack(handle_, uplo, kTriangleOrder, device_full,
                                                       kTriangleLd, device_packed));
      ASSERT_OK(
          cudaMemcpy(got_packed.data(), device_packed, kPacked * sizeof(T), cudaMemcpyDefault));
      EXPECT_EQ(expected_packed, got_packed);
    }
  }

  cublasHandle_t handle_ = nullptr;
};

TEST_F(BlasFormsPacked, cublasStpttr_and_cublasStrttp_copy_a_triangle) { expect_copies<float>(); }
TEST_F(BlasFormsPacked, cublasDtpttr_and_cublasDtrttp_copy_a_triangle) { expect_copies<double>(); }
TEST_F(BlasFormsPacked, cublasCtpttr_and_cublasCtrttp_copy_a_triangle) {
  expect_copies<std::complex<float>>();
}
TEST_F(BlasFormsPacked, cublasZtpttr_and_cublasZtrttp_copy_a_triangle) {
  expect_copies<std::complex<double>>();
}

TEST_F(BlasFormsPacked, cublasStpttr_works_in_the_stream_of_the_handle) {
  Stream stream;
  Gate gate;
  const std::vector<float> packed = counted_from<float>(kPacked, 1);
  const Buffer device_packed(kPacked * sizeof(float)), device_full(kFull * sizeof(float));
  ASSERT_OK(cudaMemcpy(device_packed, packed.data(), kPacked * sizeof(float), cudaMemcpyDefault));
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetStream_v2(handle_, stream));
  gate.hold(stream);
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            Packed<float>::unpack(handle_, CUBLAS_FILL_MODE_UPPER, kTriangleOrder, device_packed,
                                  device_full, kTriangleLd));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  gate.open();
  ASSERT_OK(cudaStreamSynchronize(stream));
  float first = 0;
  ASSERT_OK(cudaMemcpy(&first, device_full, sizeof first, cudaMemcpyDefault));
  EXPECT_EQ(1.F, first);
}

TEST_F(BlasFormsPacked, cublasStpttr_and_cublasStrttp_refuse_bad_arguments) {
  const Buffer memory(kFull * sizeof(float));
  void* const m = memory;
  struct Case {
    cublasStatus_t expected;
    bool has_handle;
    int uplo, n, lda;
    void *from, *to;
  };
  const Case cases[] = {
      {CUBLAS_STATUS_SUCCESS, true, 0, 0, 1, nullptr, nullptr},
      {CUBLAS_STATUS_SUCCESS, true, 1, 1, 1, m, m},
      {CUBLAS_STATUS_NOT_INITIALIZED, false, 0, 0, 1, nullptr, nullptr},
      {CUBLAS_STATUS_NOT_INITIALIZED, false, 0, 2, 2, m, m},
      {CUBLAS_STATUS_INVALID_VALUE, true, 2, 2, 2, m, m},
      {CUBLAS_STATUS_INVALID_VALUE, true, -1, 2, 2, m, m},
      {CUBLAS_STATUS_INVALID_VALUE, true, 0, -1, 2, m, m},
      {CUBLAS_STATUS_INVALID_VALUE, true, 0, 2, 1, m, m},
      {CUBLAS_STATUS_INVALID_VALUE, true, 0, 0, 0, m, m},
      {CUBLAS_STATUS_INVALID_VALUE, true, 0, 2, 2, nullptr, m},
      {CUBLAS_STATUS_INVALID_VALUE, true, 0, 2, 2, m, nullptr},
  };
  for (const Case& item : cases) {
    cublasHandle_t handle = item.has_handle ? handle_ : nullptr;
    const auto uplo = static_cast<cublasFillMode_t>(item.uplo);
    EXPECT_EQ(item.expected,
              Packed<float>::unpack(handle, uplo, item.n, item.from, item.to, item.lda))
        << &item - cases;
    EXPECT_EQ(item.expected,
              Packed<float>::pack(handle, uplo, item.n, item.from, item.lda, item.to))
        << &item - cases;
  }
}

}  // namespace
