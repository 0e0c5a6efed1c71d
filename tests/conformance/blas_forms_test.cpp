// Forms of cuBLAS functions that muBLAS lacks: 64-bit indices, types as arguments, groups of
// shapes, the 3m product.
#include <cstdint>

#include "tests/conformance/support.h"

namespace {

template <typename T>
T* data(const Buffer& buffer, std::size_t index = 0) {
  return static_cast<T*>(static_cast<void*>(buffer)) + index;
}

template <typename T>
void put(const Buffer& to, const std::vector<T>& values) {
  ASSERT_OK(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
}

template <typename T>
std::vector<T> get(const Buffer& from, std::size_t count) {
  std::vector<T> out(count);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaMemcpy(out.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
  return out;
}

class BlasForms : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&handle_)); }
  void TearDown() override { EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(handle_)); }

  cublasHandle_t handle_ = nullptr;
};

constexpr std::int64_t kFull = -1;  // all bits set, so that unwritten parts show

#if CUDA_MAJOR >= 12
template <typename T, typename Function>
void expect_positions(cublasHandle_t handle, Function function, const std::vector<T>& values,
                      std::int64_t expected) {
  const Buffer x(values.size() * sizeof(T));
  put(x, values);
  std::int64_t position = kFull;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            function(handle, static_cast<std::int64_t>(values.size()), data<T>(x), 1, &position));
  EXPECT_EQ(expected, position);
  const Buffer result(16);
  put<std::int64_t>(result, {kFull, kFull});
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetPointerMode_v2(handle, CUBLAS_POINTER_MODE_DEVICE));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, function(handle, static_cast<std::int64_t>(values.size()),
                                            data<T>(x), 1, data<std::int64_t>(result)));
  EXPECT_EQ((std::vector<std::int64_t>{expected, kFull}), get<std::int64_t>(result, 2));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetPointerMode_v2(handle, CUBLAS_POINTER_MODE_HOST));
}

TEST_F(BlasForms, cublasIsamax_v2_64_writes_all_bits) {
  expect_positions<float>(handle_, cublasIsamax_v2_64, {1, -7, 3}, 2);
}
TEST_F(BlasForms, cublasIdamax_v2_64_writes_all_bits) {
  expect_positions<double>(handle_, cublasIdamax_v2_64, {1, 2, -7}, 3);
}
TEST_F(BlasForms, cublasIcamax_v2_64_writes_all_bits) {
  expect_positions<cuComplex>(handle_, cublasIcamax_v2_64, {{1, 1}, {3, -1}}, 2);
}
TEST_F(BlasForms, cublasIzamax_v2_64_writes_all_bits) {
  expect_positions<cuDoubleComplex>(handle_, cublasIzamax_v2_64, {{1, 1}, {3, -1}}, 2);
}
TEST_F(BlasForms, cublasIsamin_v2_64_writes_all_bits) {
  expect_positions<float>(handle_, cublasIsamin_v2_64, {4, -7, 3}, 3);
}
TEST_F(BlasForms, cublasIdamin_v2_64_writes_all_bits) {
  expect_positions<double>(handle_, cublasIdamin_v2_64, {4, -1, 3}, 2);
}
TEST_F(BlasForms, cublasIcamin_v2_64_writes_all_bits) {
  expect_positions<cuComplex>(handle_, cublasIcamin_v2_64, {{5, 1}, {3, -1}}, 2);
}
TEST_F(BlasForms, cublasIzamin_v2_64_writes_all_bits) {
  expect_positions<cuDoubleComplex>(handle_, cublasIzamin_v2_64, {{5, 1}, {3, -1}}, 2);
}

TEST_F(BlasForms, cublasIsamax_v2_64_leaves_the_result_of_a_failed_call) {
  const Buffer x(4);
  std::int64_t position = kFull;
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasIsamax_v2_64(handle_, std::int64_t{1} << 31, data<float>(x), 1, &position));
  EXPECT_EQ(CUBLAS_STATUS_INTERNAL_ERROR, cublasIsamax_v2_64(handle_, 1, nullptr, 1, &position));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasIsamax_v2_64(handle_, 1, data<float>(x), 1, nullptr));
  EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED,
            cublasIsamax_v2_64(nullptr, 1, data<float>(x), 1, &position));
  EXPECT_EQ(kFull, position);
}

// The call follows stream order: it writes nothing while the stream is blocked.
TEST_F(BlasForms, cublasIsamax_v2_64_writes_in_stream_order) {
  const Buffer x(8);
  const Buffer result(8);
  const Pinned copy(8);
  copy.fill(0);
  put<float>(x, {1, 5});
  Stream stream(cudaStreamNonBlocking);
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetStream_v2(handle_, stream));
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetPointerMode_v2(handle_, CUBLAS_POINTER_MODE_DEVICE));
  const auto find = [&] {
    return cublasIsamax_v2_64(handle_, 2, data<float>(x), 1, data<std::int64_t>(result));
  };
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, find());  // The first call may wait for the device.
  Gate gate;
  gate.hold(stream);
  ASSERT_OK(cudaMemsetAsync(result, 0xff, 8, stream));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, find());
  ASSERT_OK(cudaMemcpyAsync(copy, result, 8, cudaMemcpyDeviceToHost, stream));
  gate.open();
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(2, *static_cast<std::int64_t*>(static_cast<void*>(copy)));
}

TEST_F(BlasForms, cublasSetEmulationStrategy_keeps_what_only_permits_emulation) {
  for (const auto strategy :
       {CUBLAS_EMULATION_STRATEGY_PERFORMANT, CUBLAS_EMULATION_STRATEGY_DEFAULT}) {
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetEmulationStrategy(handle_, strategy));
    auto told = static_cast<cublasEmulationStrategy_t>(77);
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetEmulationStrategy(handle_, &told));
    EXPECT_EQ(strategy, told);
  }
  EXPECT_EQ(CUBLAS_STATUS_NOT_SUPPORTED,
            cublasSetEmulationStrategy(handle_, CUBLAS_EMULATION_STRATEGY_EAGER));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasSetEmulationStrategy(handle_, static_cast<cublasEmulationStrategy_t>(3)));
  EXPECT_NE(CUBLAS_STATUS_SUCCESS,
            cublasSetEmulationStrategy(nullptr, CUBLAS_EMULATION_STRATEGY_DEFAULT));
}

TEST_F(BlasForms, cublasGetEmulationStrategy_tells_the_default) {
  auto strategy = static_cast<cublasEmulationStrategy_t>(77);
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetEmulationStrategy(handle_, &strategy));
  EXPECT_EQ(CUBLAS_EMULATION_STRATEGY_DEFAULT, strategy);
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasGetEmulationStrategy(handle_, nullptr));
}

TEST_F(BlasForms, cublasSetVector_64_and_its_like_wait) {
  const Buffer memory(16);
  const float from[4] = {1, 2, 3, 4};
  float to[4] = {};
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetVector_64(4, 4, from, 1, memory, 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetVector_64(2, 4, memory, 2, to, 1));
  EXPECT_EQ(1, to[0]);
  EXPECT_EQ(3, to[1]);
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetMatrix_64(1, 2, 4, from, 3, memory, 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetMatrix_64(2, 1, 4, memory, 2, to, 2));
  EXPECT_EQ(1, to[0]);
  EXPECT_EQ(4, to[1]);
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasSetVector_64(std::int64_t{1} << 32, 4, from, 1, memory, 1));
}

TEST_F(BlasForms, cublasSgemmGroupedBatched_multiplies_each_group) {
  // One product of 1x1 matrices, then two of 2x1 by 1x1.
  const Buffer matrices(64);
  put<float>(matrices, {3, 5, 1, 2, 10, 3, 4, 100});
  const Buffer results(32);
  put<float>(results, {1, 1, 1, 1, 1});
  auto* m = data<float>(matrices);
  auto* r = data<float>(results);
  const Buffer a(24);
  const Buffer b(24);
  const Buffer c(24);
  put<float*>(a, {m, m + 2, m + 5});
  put<float*>(b, {m + 1, m + 4, m + 7});
  put<float*>(c, {r, r + 1, r + 3});
  const cublasOperation_t plain[] = {CUBLAS_OP_N, CUBLAS_OP_N};
  const int rows[] = {1, 2};
  const int ones[] = {1, 1};
  const float alpha[] = {1, 2};
  const float beta[] = {0, 1};
  const int sizes[] = {1, 2};
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasSgemmGroupedBatched(handle_, plain, plain, rows, ones, ones, alpha,
                                      data<const float*>(a), rows, data<const float*>(b), ones,
                                      beta, data<float*>(c), rows, 2, sizes));
  EXPECT_EQ((std::vector<float>{15, 21, 41, 601, 801}), get<float>(results, 5));
  // An error in the last group: the call does nothing at all.
  const int narrow[] = {1, 1};
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasSgemmGroupedBatched(handle_, plain, plain, rows, ones, ones, alpha,
                                      data<const float*>(a), narrow, data<const float*>(b), ones,
                                      beta, data<float*>(c), rows, 2, sizes));
  EXPECT_EQ((std::vector<float>{15, 21, 41, 601, 801}), get<float>(results, 5));
  // Scalars must be in host memory.
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetPointerMode_v2(handle_, CUBLAS_POINTER_MODE_DEVICE));
  EXPECT_EQ(CUBLAS_STATUS_NOT_SUPPORTED,
            cublasSgemmGroupedBatched(handle_, plain, plain, rows, ones, ones, alpha,
                                      data<const float*>(a), rows, data<const float*>(b), ones,
                                      beta, data<float*>(c), rows, 2, sizes));
}

TEST_F(BlasForms, cublasGemmGroupedBatchedEx_64_multiplies_each_group) {
  const Buffer matrices(32);
  put<double>(matrices, {3, 5, 7, 11});
  const Buffer results(16);
  auto* m = data<double>(matrices);
  const Buffer a(16);
  const Buffer b(16);
  const Buffer c(16);
  put<double*>(a, {m, m + 2});
  put<double*>(b, {m + 1, m + 3});
  put<double*>(c, {data<double>(results), data<double>(results) + 1});
  constexpr auto kDouble = static_cast<cudaDataType_t>(CUDA_R_64F);
  const cublasOperation_t plain[] = {CUBLAS_OP_N, CUBLAS_OP_T};
  const std::int64_t ones[] = {1, 1};
  const double alpha[] = {1, 10};
  const double beta[] = {0, 0};
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasGemmGroupedBatchedEx_64(handle_, plain, plain, ones, ones, ones, alpha,
                                          data<const void*>(a), kDouble, ones, data<const void*>(b),
                                          kDouble, ones, beta, data<void*>(c), kDouble, ones, 2,
                                          ones, CUBLAS_COMPUTE_64F));
  EXPECT_EQ((std::vector<double>{15, 770}), get<double>(results, 2));
}
#endif

TEST_F(BlasForms, cublasSgemmEx_multiplies_halves_into_floats) {
  const Buffer a(8);
  const Buffer c(16);
  put<std::uint16_t>(a, {0x3c00, 0x4000, 0x3c00, 0x4000});  // 1 2 1 2
  const float one = 1;
  const float zero = 0;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasSgemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, CUDA_R_16F, 2, a,
                          CUDA_R_16F, 2, &zero, c, CUDA_R_32F, 2));
  EXPECT_EQ((std::vector<float>{3, 6, 3, 6}), get<float>(c, 4));
}

TEST_F(BlasForms, cublasCgemm3m_multiplies) {
  const Buffer a(8);
  const Buffer c(8);
  put<float>(a, {1, 2});
  const cuComplex one{1, 0};
  const cuComplex zero{0, 0};
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasCgemm3m(handle_, CUBLAS_OP_N, CUBLAS_OP_C, 1, 1, 1, &one, data<cuComplex>(a), 1,
                          data<cuComplex>(a), 1, &zero, data<cuComplex>(c), 1));
  EXPECT_EQ((std::vector<float>{5, 0}), get<float>(c, 2));
}

TEST_F(BlasForms, cublasAxpyEx_and_its_like_take_types) {
  const Buffer x(24);
  const Buffer y(24);
  put<double>(x, {1, 2, 3});
  put<double>(y, {10, 20, 30});
  const double two = 2;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasAxpyEx(handle_, 3, &two, CUDA_R_64F, x, CUDA_R_64F, 1, y,
                                                CUDA_R_64F, 1, CUDA_R_64F));
  EXPECT_EQ((std::vector<double>{12, 24, 36}), get<double>(y, 3));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasScalEx(handle_, 3, &two, CUDA_R_64F, x, CUDA_R_64F, 1, CUDA_R_64F));
  double result = 0;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDotEx(handle_, 3, x, CUDA_R_64F, 1, y, CUDA_R_64F, 1,
                                               &result, CUDA_R_64F, CUDA_R_64F));
  EXPECT_EQ(336, result);
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasNrm2Ex(handle_, 1, x, CUDA_C_64F, 1, &result, CUDA_R_64F, CUDA_R_64F));
  EXPECT_DOUBLE_EQ(20, result * result);
  // muBLAS has no functions for halves; an invalid type is refused in the same way.
  EXPECT_EQ(CUBLAS_STATUS_NOT_SUPPORTED,
            cublasScalEx(handle_, 3, &two, CUDA_R_32F, x, CUDA_R_16F, 1, CUDA_R_32F));
  EXPECT_EQ(
      CUBLAS_STATUS_NOT_SUPPORTED,
      cublasDotEx(handle_, 3, x, static_cast<cudaDataType>(99), 1, y, static_cast<cudaDataType>(99),
                  1, &result, static_cast<cudaDataType>(99), static_cast<cudaDataType>(99)));
  EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED,
            cublasScalEx(nullptr, 3, &two, CUDA_R_32F, x, CUDA_R_16F, 1, CUDA_R_32F));
}

}  // namespace
