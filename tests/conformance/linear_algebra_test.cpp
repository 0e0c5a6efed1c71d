// cuBLAS by CUDA's names and numbers. The matrices are small and have integer elements, so the
// products are exact.
#include <cstdint>

#include "tests/conformance/support.h"

namespace {

constexpr int kRows = 3;
constexpr int kColumns = 2;
constexpr int kInner = 4;
constexpr int kLeading = 5;  // of every matrix; leaves gaps between columns

using Matrix = std::vector<float>;

Matrix numbered(int columns, int first) {
  Matrix out(static_cast<std::size_t>(kLeading * columns));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<float>(first + static_cast<int>(i * 7 % 11));
  return out;
}

float at(const Matrix& matrix, bool transposed, int row, int column) {
  return transposed ? matrix[static_cast<std::size_t>(column + row * kLeading)]
                    : matrix[static_cast<std::size_t>(row + column * kLeading)];
}

class Cublas : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&handle_)); }
  void TearDown() override { EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(handle_)); }

  static void put(void* memory, const Matrix& matrix) {
    ASSERT_OK(
        cudaMemcpy(memory, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice));
  }
  static Matrix get(const void* memory, std::size_t size) {
    Matrix out(size);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_OK(cudaMemcpy(out.data(), memory, size * sizeof(float), cudaMemcpyDeviceToHost));
    return out;
  }

  // C = 2 op(A) op(B) + 3 C, compared with the explicit sum.
  template <typename Call>
  void expect_product(bool transpose_a, bool transpose_b, Call&& call) {
    const Matrix a = numbered(transpose_a ? kRows : kInner, 1);
    const Matrix b = numbered(transpose_b ? kInner : kColumns, -4);
    const Matrix c = numbered(kColumns, 2);
    const Buffer da(a.size() * sizeof(float));
    const Buffer db(b.size() * sizeof(float));
    const Buffer dc(c.size() * sizeof(float));
    put(da, a);
    put(db, b);
    put(dc, c);
    const float alpha = 2;
    const float beta = 3;
    ASSERT_EQ(CUBLAS_STATUS_SUCCESS, call(&alpha, static_cast<float*>(static_cast<void*>(da)),
                                          static_cast<float*>(static_cast<void*>(db)), &beta,
                                          static_cast<float*>(static_cast<void*>(dc))));
    Matrix expected = c;
    for (int column = 0; column < kColumns; ++column) {
      for (int row = 0; row < kRows; ++row) {
        float sum = 0;
        for (int k = 0; k < kInner; ++k)
          sum += at(a, transpose_a, row, k) * at(b, transpose_b, k, column);
        float& element = expected[static_cast<std::size_t>(row + column * kLeading)];
        element = 2 * sum + 3 * element;
      }
    }
    EXPECT_EQ(expected, get(dc, c.size()));
  }

  cublasHandle_t handle_ = nullptr;
};

TEST_F(Cublas, cublasSgemm_v2_with_every_operation) {
  for (const cublasOperation_t a : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    for (const cublasOperation_t b : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      expect_product(a != CUBLAS_OP_N, b != CUBLAS_OP_N,
                     [&](const float* alpha, float* A, float* B, const float* beta, float* C) {
                       return cublasSgemm_v2(handle_, a, b, kRows, kColumns, kInner, alpha, A,
                                             kLeading, B, kLeading, beta, C, kLeading);
                     });
    }
  }
}

TEST_F(Cublas, cublasSgemm_v2_refuses_bad_arguments) {
  const float one = 1;
  const Buffer memory(400);
  auto* m = static_cast<float*>(static_cast<void*>(memory));
  // What muBLAS means by its numbers other than success is not documented, but CUDA's conditions
  // are.
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasSgemm_v2(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4,
                                                        &one, m, 3, m, 4, &one, m, 4));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasSgemm_v2(handle_, CUBLAS_OP_N, CUBLAS_OP_N, -1, 4, 4,
                                                        &one, m, 4, m, 4, &one, m, 4));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasSgemm_v2(handle_, static_cast<cublasOperation_t>(111), CUBLAS_OP_N, 4, 4, 4, &one,
                           m, 4, m, 4, &one, m, 4));
  EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED, cublasSgemm_v2(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4,
                                                          4, &one, m, 4, m, 4, &one, m, 4));
}

// One wrong argument for each kind of function: cuBLAS's manual says INVALID_VALUE.
TEST_F(Cublas, cublasStrsm_v2_and_its_like_say_what_is_documented) {
  const float one = 1;
  const Buffer memory(400);
  auto* m = static_cast<float*>(static_cast<void*>(memory));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasStrsm_v2(handle_, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                           CUBLAS_DIAG_NON_UNIT, 2, 3, &one, m, 2, m, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasSgemv_v2(handle_, CUBLAS_OP_N, 2, 2, &one, m, 2, m, 0, &one, m, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasSsyrk_v2(handle_, CUBLAS_FILL_MODE_UPPER,
                                                        CUBLAS_OP_T, 2, 3, &one, m, 2, &one, m, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, cublasSger_v2(handle_, 3, 2, &one, m, 1, m, 1, m, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasSgemmStridedBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, m, 2, 4, m,
                                      2, 4, &one, m, 2, 4, -1));
  // The same arguments without the fault.
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasSgemv_v2(handle_, CUBLAS_OP_N, 2, 2, &one, m, 2, m, 1, &one, m, 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSger_v2(handle_, 3, 2, &one, m, 1, m, 1, m, 3));
}

#if CUDA_MAJOR >= 12
TEST_F(Cublas, cublasSgemm_v2_64_takes_wide_integers_that_fit) {
  expect_product(
      false, true, [&](const float* alpha, float* A, float* B, const float* beta, float* C) {
        return cublasSgemm_v2_64(handle_, CUBLAS_OP_N, CUBLAS_OP_T, kRows, kColumns, kInner, alpha,
                                 A, kLeading, B, kLeading, beta, C, kLeading);
      });
  const float one = 1;
  const Buffer memory(400);
  auto* m = static_cast<float*>(static_cast<void*>(memory));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            cublasSgemm_v2_64(handle_, CUBLAS_OP_N, CUBLAS_OP_N, std::int64_t{1} << 32, 0, 0, &one,
                              m, std::int64_t{1} << 32, m, 4, &one, m, std::int64_t{1} << 32));
}
#endif

TEST_F(Cublas, cublasGemmEx_of_floats) {
  expect_product(
      true, false, [&](const float* alpha, float* A, float* B, const float* beta, float* C) {
        return cublasGemmEx(handle_, CUBLAS_OP_T, CUBLAS_OP_N, kRows, kColumns, kInner, alpha, A,
                            CUDA_R_32F, kLeading, B, CUDA_R_32F, kLeading, beta, C, CUDA_R_32F,
                            kLeading, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
      });
}

TEST_F(Cublas, cublasGemmEx_of_halves_with_a_float_result) {
  // 1.0 and 2.0 as halves.
  const std::vector<std::uint16_t> a(16, 0x3c00);
  const std::vector<std::uint16_t> b(16, 0x4000);
  const Buffer da(32);
  const Buffer db(32);
  const Buffer dc(64);
  ASSERT_OK(cudaMemcpy(da, a.data(), 32, cudaMemcpyHostToDevice));
  ASSERT_OK(cudaMemcpy(db, b.data(), 32, cudaMemcpyHostToDevice));
  const float one = 1;
  const float zero = 0;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, da, CUDA_R_16F, 4, db,
                         CUDA_R_16F, 4, &zero, dc, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F,
                         CUBLAS_GEMM_DEFAULT_TENSOR_OP));
  EXPECT_EQ(Matrix(16, 8), get(dc, 16));
}

TEST_F(Cublas, cublasStrsm_v2_solves_on_the_side_and_triangle_named) {
  // The lower triangle 1; 2 1, with a unit diagonal, which is not read.
  const Matrix a = {9, 2, 100, 9};
  const Matrix b = {1, 4, 3, 8};
  const Buffer da(16);
  const Buffer db(16);
  put(da, a);
  put(db, b);
  const float one = 1;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasStrsm_v2(handle_, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,
                                                  CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 2, 2, &one,
                                                  static_cast<float*>(static_cast<void*>(da)), 2,
                                                  static_cast<float*>(static_cast<void*>(db)), 2));
  EXPECT_EQ((Matrix{1, 2, 3, 2}), get(db, 4));
}

TEST_F(Cublas, cublasSsyrk_v2_writes_one_triangle) {
  const Matrix a = {1, 2};
  const Buffer da(8);
  const Buffer dc(16);
  put(da, a);
  put(dc, {-1, -1, -1, -1});
  const float one = 1;
  const float zero = 0;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasSsyrk_v2(handle_, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 1, &one,
                           static_cast<float*>(static_cast<void*>(da)), 2, &zero,
                           static_cast<float*>(static_cast<void*>(dc)), 2));
  EXPECT_EQ((Matrix{1, -1, 2, 4}), get(dc, 4));
}

TEST_F(Cublas, cublasSdot_v2_gives_its_result_by_pointer_mode) {
  const Buffer dx(12);
  const Buffer dresult(4);
  put(dx, {1, 2, 3});
  auto* x = static_cast<float*>(static_cast<void*>(dx));
  float result = 0;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSdot_v2(handle_, 3, x, 1, x, 1, &result));
  EXPECT_EQ(14, result);
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetPointerMode_v2(handle_, CUBLAS_POINTER_MODE_DEVICE));
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetPointerMode_v2(handle_, &mode));
  EXPECT_EQ(CUBLAS_POINTER_MODE_DEVICE, mode);
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSdot_v2(handle_, 3, x, 1, x, 1,
                                                 static_cast<float*>(static_cast<void*>(dresult))));
  EXPECT_EQ(Matrix{14}, get(dresult, 1));
}

TEST_F(Cublas, cublasIsamax_v2_counts_from_one) {
  const Buffer dx(12);
  put(dx, {1, -7, 3});
  int index = 0;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasIsamax_v2(handle_, 3, static_cast<float*>(static_cast<void*>(dx)), 1, &index));
  EXPECT_EQ(2, index);
}

TEST_F(Cublas, cublasSetStream_v2_orders_products_in_that_stream) {
  Stream stream;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetStream_v2(handle_, stream));
  cudaStream_t found = nullptr;
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasGetStream_v2(handle_, &found));
  EXPECT_EQ(static_cast<cudaStream_t>(stream), found);
  expect_product(false, false,
                 [&](const float* alpha, float* A, float* B, const float* beta, float* C) {
                   return cublasSgemm_v2(handle_, CUBLAS_OP_N, CUBLAS_OP_N, kRows, kColumns, kInner,
                                         alpha, A, kLeading, B, kLeading, beta, C, kLeading);
                 });
}

// A captured product runs at each launch and uses the matrices' present contents.
TEST_F(Cublas, cublasSgemm_v2_can_be_captured) {
  Stream stream;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSetStream_v2(handle_, stream));
  const Buffer dx(4);
  const Buffer dy(4);
  put(dx, {3});
  put(dy, {0});
  auto* x = static_cast<float*>(static_cast<void*>(dx));
  auto* y = static_cast<float*>(static_cast<void*>(dy));
  const float one = 1;
  ASSERT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasSgemm_v2(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one,
                                                  x, 1, x, 1, &one, y, 1));
  cudaGraph_t graph = nullptr;
  ASSERT_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec = nullptr;
  ASSERT_OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_EQ(Matrix{0}, get(dy, 1));
  ASSERT_OK(cudaGraphLaunch(exec, stream));
  ASSERT_OK(cudaGraphLaunch(exec, stream));
  EXPECT_EQ(Matrix{18}, get(dy, 1));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
}

TEST(Curand, curandCreateGenerator_gives_the_same_sequence_for_a_seed) {
  constexpr std::size_t kCount = 1000;
  const Buffer memory(kCount * sizeof(float));
  std::vector<float> first(kCount);
  std::vector<float> second(kCount);
  for (std::vector<float>* numbers : {&first, &second}) {
    curandGenerator_t generator = nullptr;
    ASSERT_EQ(CURAND_STATUS_SUCCESS, curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    ASSERT_EQ(CURAND_STATUS_SUCCESS, curandSetPseudoRandomGeneratorSeed(generator, 1234));
    ASSERT_EQ(
        CURAND_STATUS_SUCCESS,
        curandGenerateUniform(generator, static_cast<float*>(static_cast<void*>(memory)), kCount));
    EXPECT_EQ(
        CURAND_STATUS_LENGTH_NOT_MULTIPLE,
        curandGenerateNormal(generator, static_cast<float*>(static_cast<void*>(memory)), 3, 0, 1));
    ASSERT_OK(cudaDeviceSynchronize());
    ASSERT_OK(cudaMemcpy(numbers->data(), memory, kCount * sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT_EQ(CURAND_STATUS_SUCCESS, curandDestroyGenerator(generator));
  }
  EXPECT_EQ(first, second);
  double sum = 0;
  for (const float number : first) sum += number;
  EXPECT_NEAR(0.5, sum / kCount, 0.05);
}

TEST(Curand, curandCreateGenerator_refuses_what_is_no_type) {
  curandGenerator_t generator = nullptr;
  EXPECT_EQ(CURAND_STATUS_TYPE_ERROR,
            curandCreateGenerator(&generator, static_cast<curandRngType_t>(400)));
  EXPECT_EQ(nullptr, generator);
}

}  // namespace
