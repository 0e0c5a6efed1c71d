// cuBLAS's old interface: no handle, letters, returned results, remembered errors. The matrices are
// small and have integer elements, so the products are exact.
#include <cstdint>
#include <thread>

#include "tests/conformance/support.h"

namespace {

template <typename T>
using Values = std::vector<T>;

template <typename T>
T* data(const Buffer& buffer) {
  return static_cast<T*>(static_cast<void*>(buffer));
}

template <typename T>
void put(const Buffer& to, const Values<T>& values) {
  ASSERT_OK(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
}

template <typename T>
Values<T> get(const Buffer& from, std::size_t count) {
  Values<T> out(count);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaMemcpy(out.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
  return out;
}

class OldCublas : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasInit()); }
  void TearDown() override {
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetError());
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasShutdown());
  }
};

TEST_F(OldCublas, cublasSgemm_multiplies) {
  const Buffer a(16);
  const Buffer b(16);
  const Buffer c(16);
  put<float>(a, {1, 2, 3, 4});
  put<float>(b, {5, 6, 7, 8});
  put<float>(c, {1, 1, 1, 1});
  cublasSgemm('n', 'T', 2, 2, 2, 2.0F, data<float>(a), 2, data<float>(b), 2, 10.0F, data<float>(c),
              2);
  // A = (1 3; 2 4), B^T = (5 6; 7 8).
  EXPECT_EQ((Values<float>{62, 86, 70, 98}), get<float>(c, 4));
}

TEST_F(OldCublas, cublasZgemm_takes_complex_scalars_by_value) {
  const Buffer a(16);
  const Buffer b(16);
  const Buffer c(16);
  put<double>(a, {1, 2});
  put<double>(b, {3, -1});
  put<double>(c, {1, 1});
  // (1 - 2i) (3 - i) = 1 - 7i; i (1 - 7i) = 7 + i; + 2 (1 + i)
  cublasZgemm('C', 'N', 1, 1, 1, {0, 1}, data<cuDoubleComplex>(a), 1, data<cuDoubleComplex>(b), 1,
              {2, 0}, data<cuDoubleComplex>(c), 1);
  EXPECT_EQ((Values<double>{9, 3}), get<double>(c, 2));
}

TEST_F(OldCublas, cublasCgemm_takes_complex_scalars_by_value) {
  const Buffer a(8);
  const Buffer c(8);
  put<float>(a, {1, 2});
  put<float>(c, {1, 1});
  cublasCgemm('N', 'N', 1, 1, 1, {0, 1}, data<cuComplex>(a), 1, data<cuComplex>(a), 1, {0, -1},
              data<cuComplex>(c), 1);
  // (1 + 2i)^2 = -3 + 4i; times i is -4 - 3i; -i (1 + i) = 1 - i
  EXPECT_EQ((Values<float>{-3, -4}), get<float>(c, 2));
}

TEST_F(OldCublas, cublasDgemv_multiplies) {
  const Buffer a(32);
  const Buffer x(16);
  const Buffer y(16);
  put<double>(a, {1, 2, 3, 4});
  put<double>(x, {1, 10});
  put<double>(y, {1, 1});
  cublasDgemv('t', 2, 2, 1.0, data<double>(a), 2, data<double>(x), 1, 5.0, data<double>(y), 1);
  EXPECT_EQ((Values<double>{26, 48}), get<double>(y, 2));
}

TEST_F(OldCublas, cublasStrsm_solves) {
  const Buffer a(16);
  const Buffer b(16);
  put<float>(a, {9, 2, 100, 9});
  put<float>(b, {1, 4, 3, 8});
  cublasStrsm('L', 'l', 'N', 'u', 2, 2, 1.0F, data<float>(a), 2, data<float>(b), 2);
  EXPECT_EQ((Values<float>{1, 2, 3, 2}), get<float>(b, 4));
}

TEST_F(OldCublas, cublasStrmm_replaces_its_matrix) {
  const Buffer a(16);
  const Buffer b(16);
  // The upper triangle 1 3; 0 2 from the left with alpha 2, then its transpose from the right.
  put<float>(a, {1, 100, 3, 2});
  put<float>(b, {1, 2, 3, 4});
  cublasStrmm('L', 'U', 'N', 'N', 2, 2, 2.0F, data<float>(a), 2, data<float>(b), 2);
  EXPECT_EQ((Values<float>{14, 8, 30, 16}), get<float>(b, 4));
  cublasStrmm('R', 'U', 'T', 'N', 2, 2, 1.0F, data<float>(a), 2, data<float>(b), 2);
  EXPECT_EQ((Values<float>{104, 56, 60, 32}), get<float>(b, 4));
}

TEST_F(OldCublas, cublasZtrmm_replaces_its_matrix) {
  const Buffer a(16);
  const Buffer b(16);
  put<double>(a, {1, 1});
  put<double>(b, {2, 3});
  cublasZtrmm('R', 'L', 'C', 'N', 1, 1, {0, 1}, data<cuDoubleComplex>(a), 1,
              data<cuDoubleComplex>(b), 1);
  // (2 + 3i) (1 - i) = 5 + i, times i
  EXPECT_EQ((Values<double>{-1, 5}), get<double>(b, 2));
}

TEST_F(OldCublas, cublasSdot_returns_its_result) {
  const Buffer x(12);
  put<float>(x, {1, 2, 3});
  EXPECT_EQ(14.0F, cublasSdot(3, data<float>(x), 1, data<float>(x), 1));
}

TEST_F(OldCublas, cublasCdotc_returns_its_result) {
  const Buffer x(8);
  const Buffer y(8);
  put<float>(x, {1, 2});
  put<float>(y, {3, 4});
  const cuComplex conjugated = cublasCdotc(1, data<cuComplex>(x), 1, data<cuComplex>(y), 1);
  EXPECT_EQ(11.0F, conjugated.x);
  EXPECT_EQ(-2.0F, conjugated.y);
}

TEST_F(OldCublas, cublasZdotu_returns_its_result) {
  const Buffer x(16);
  const Buffer y(16);
  put<double>(x, {1, 2});
  put<double>(y, {3, 4});
  const cuDoubleComplex plain =
      cublasZdotu(1, data<cuDoubleComplex>(x), 1, data<cuDoubleComplex>(y), 1);
  EXPECT_EQ(-5.0, plain.x);
  EXPECT_EQ(10.0, plain.y);
}

TEST_F(OldCublas, cublasIdamax_returns_its_result) {
  const Buffer x(24);
  put<double>(x, {1, -7, 3});
  EXPECT_EQ(2, cublasIdamax(3, data<double>(x), 1));
  EXPECT_EQ(1, cublasIdamin(3, data<double>(x), 1));
}

TEST_F(OldCublas, cublasScnrm2_returns_its_result) {
  const Buffer x(16);
  put<float>(x, {3, 0, 0, 4});
  EXPECT_EQ(5.0F, cublasScnrm2(2, data<cuComplex>(x), 1));
  EXPECT_EQ(7.0F, cublasScasum(2, data<cuComplex>(x), 1));
}

TEST_F(OldCublas, cublasSrotg_finds_the_angle_on_the_host) {
  float a = 3;
  float b = 4;
  float c = 0;
  float s = 0;
  cublasSrotg(&a, &b, &c, &s);
  EXPECT_FLOAT_EQ(5, std::abs(a));
  EXPECT_FLOAT_EQ(3, a * c);
  EXPECT_FLOAT_EQ(4, a * s);
}

TEST_F(OldCublas, cublasCrotg_takes_b_by_value) {
  cuComplex a{3, 0};
  float c = 0;
  cuComplex s{0, 0};
  cublasCrotg(&a, {4, 0}, &c, &s);
  EXPECT_FLOAT_EQ(0.6F, c);
  EXPECT_FLOAT_EQ(0.8F, s.x);
  EXPECT_FLOAT_EQ(5, a.x);
}

TEST_F(OldCublas, cublasCrot_takes_the_angle_by_value) {
  const Buffer x(8);
  const Buffer y(8);
  put<float>(x, {1, 0});
  put<float>(y, {0, 1});
  // c x + s y and c y - conj(s) x, with c = 2 and s = i.
  cublasCrot(1, data<cuComplex>(x), 1, data<cuComplex>(y), 1, 2.0F, {0, 1});
  EXPECT_EQ((Values<float>{1, 0}), get<float>(x, 2));
  EXPECT_EQ((Values<float>{0, 3}), get<float>(y, 2));
}

TEST_F(OldCublas, cublasAlloc_and_the_transfers_that_wait) {
  void* memory = nullptr;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasAlloc(6, sizeof(float), &memory));
  const float from[6] = {1, 2, 3, 4, 5, 6};
  float to[6] = {};
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetVector(3, sizeof(float), from, 2, memory, 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetVector(3, sizeof(float), memory, 1, to, 1));
  EXPECT_EQ(1, to[0]);
  EXPECT_EQ(3, to[1]);
  EXPECT_EQ(5, to[2]);
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetMatrix(2, 2, sizeof(float), from, 3, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetMatrix(2, 2, sizeof(float), memory, 2, to + 2, 2));
  EXPECT_EQ(1, to[2]);
  EXPECT_EQ(2, to[3]);
  EXPECT_EQ(4, to[4]);
  EXPECT_EQ(5, to[5]);
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasSetVector(3, 0, from, 1, memory, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasGetMatrix(2, 2, 4, memory, 1, to, 2));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasFree(memory));
}

// Without waiting, the host would read too early.
TEST_F(OldCublas, cublasGetVector_waits_for_what_was_queued_before) {
  const Buffer memory(4);
  put<float>(memory, {1});
  cublasSscal(1, 3.0F, data<float>(memory), 1);
  float value = 0;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetVector(1, sizeof(float), memory, 1, &value, 1));
  EXPECT_EQ(3, value);
}

TEST_F(OldCublas, cublasSetKernelStream_orders_later_calls_in_that_stream) {
  const Buffer x(4);
  put<float>(x, {2});
  Stream stream(cudaStreamNonBlocking);
  Gate gate;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetKernelStream(stream));
  cublasSscal(1, 1.0F, data<float>(x), 1);  // The first call may wait for the device.
  gate.hold(stream);
  cublasSscal(1, 4.0F, data<float>(x), 1);
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  static_cast<void>(cudaGetLastError());
  gate.open();
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(Values<float>{8}, get<float>(x, 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetKernelStream(nullptr));
}

TEST_F(OldCublas, cublasGetError_tells_the_last_error_once) {
  const Buffer x(4);
  put<float>(x, {2});
  cublasSgemm('X', 'N', 1, 1, 1, 1.0F, data<float>(x), 1, data<float>(x), 1, 0.0F, data<float>(x),
              1);
  // A success in between does not clear it.
  cublasSscal(1, 1.0F, data<float>(x), 1);
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasGetError());
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetError());
  EXPECT_EQ(Values<float>{2}, get<float>(x, 1));
  // muBLAS itself refuses this: the leading dimension is too small.
  cublasSgemm('N', 'N', 2, 2, 2, 1.0F, data<float>(x), 1, data<float>(x), 1, 0.0F, data<float>(x),
              1);
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasGetError());
}

TEST_F(OldCublas, cublasSdot_from_several_threads) {
  const Buffer x(12);
  put<float>(x, {1, 2, 3});
  std::vector<float> found(8);
  std::vector<std::thread> threads;
  threads.reserve(found.size());
  for (float& result : found) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) result = cublasSdot(3, data<float>(x), 1, data<float>(x), 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Values<float>(8, 14), found);
}

TEST(OldCublasAlone, cublasSasum_needs_no_cublasInit) {
  const Buffer x(12);
  put<float>(x, {1, -2, 3});
  EXPECT_EQ(6.0F, cublasSasum(3, data<float>(x), 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetError());
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasShutdown());
}

}  // namespace
