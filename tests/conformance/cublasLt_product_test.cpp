// cuBLASLt products as PyTorch calls them, compared with explicit sums.
#include <cmath>
#include <functional>
#include <tuple>

#include "tests/conformance/cublasLt_fixture.h"

namespace {

// Small integers, exact in all three types.
std::uint16_t to_half(float value) {
  if (value == 0) return 0;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  const std::uint32_t exponent = (bits >> 23 & 0xff) - 127 + 15;
  return static_cast<std::uint16_t>((bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 0x3ff));
}

float from_half(std::uint16_t half) {
  const float magnitude =
      (half & 0x7fff) == 0
          ? 0
          : std::ldexp(static_cast<float>(0x400 | (half & 0x3ff)), (half >> 10 & 31) - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

std::uint16_t to_brain(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  return static_cast<std::uint16_t>(bits >> 16);
}

float from_brain(std::uint16_t brain) {
  const std::uint32_t bits = std::uint32_t{brain} << 16;
  float value = 0;
  std::memcpy(&value, &bits, 4);
  return value;
}

size_t size_of(DataType type) { return type == kFloat32 ? 4 : 2; }

using Numbers = std::vector<float>;

void put(void* memory, DataType type, const Numbers& numbers) {
  if (type == kFloat32) {
    ASSERT_OK(cudaMemcpy(memory, numbers.data(), numbers.size() * 4, cudaMemcpyHostToDevice));
    return;
  }
  std::vector<std::uint16_t> narrow;
  for (const float number : numbers)
    narrow.push_back(type == kFloat16 ? to_half(number) : to_brain(number));
  ASSERT_OK(cudaMemcpy(memory, narrow.data(), narrow.size() * 2, cudaMemcpyHostToDevice));
}

Numbers take(const void* memory, DataType type, size_t count) {
  Numbers numbers(count);
  if (type == kFloat32) {
    EXPECT_OK(cudaMemcpy(numbers.data(), memory, count * 4, cudaMemcpyDeviceToHost));
    return numbers;
  }
  std::vector<std::uint16_t> narrow(count);
  EXPECT_OK(cudaMemcpy(narrow.data(), memory, count * 2, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < count; ++i)
    numbers[i] = type == kFloat16 ? from_half(narrow[i]) : from_brain(narrow[i]);
  return numbers;
}

Numbers numbered(size_t count, int first) {
  Numbers out(count);
  for (size_t i = 0; i < count; ++i)
    out[i] = static_cast<float>((first + static_cast<int>(i) * 7) % 5 - 2);
  return out;
}

constexpr int kRows = 4;
constexpr int kColumns = 3;
constexpr int kInner = 6;
constexpr int kLeading = 8;  // of every matrix; leaves gaps between columns

struct Problem {
  LightHandle::Kind handle = LightHandle::kOfCublas;
  DataType type = kFloat32;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  bool transpose_a = false, transpose_b = false;
  std::int32_t epilogue = kEpilogueDefault;
  int batch = 1;
};

float finished(const Problem& problem, float sum, float bias) {
  if ((problem.epilogue & kEpilogueBias) != 0) sum += bias;
  if ((problem.epilogue & kEpilogueRelu) != 0) return sum < 0 ? 0 : sum;
  if ((problem.epilogue & kEpilogueGelu) != 0)
    return 0.5F * sum * (1 + std::tanh(0.7978845608F * (sum + 0.044715F * sum * sum * sum)));
  return sum;
}

// D = epilogue(op(A) op(B)), as in PyTorch's gemm_and_bias and bgemm: requests one algorithm, uses
// its own stream, and passes C as D.
void expect_product(const Problem& problem) {
  const int a_columns = problem.transpose_a ? kRows : kInner;
  const int b_columns = problem.transpose_b ? kInner : kColumns;
  const auto batch = static_cast<size_t>(problem.batch);
  const auto a_stride = static_cast<size_t>(kLeading * a_columns);
  const auto b_stride = static_cast<size_t>(kLeading * b_columns);
  const auto d_stride = static_cast<size_t>(kLeading * kColumns);
  const Numbers a = numbered(a_stride * batch, 1);
  const Numbers b = numbered(b_stride * batch, 3);
  const Numbers before = numbered(d_stride * batch, 2);
  const Numbers bias = {-3, 2, 1, -1};
  const size_t size = size_of(problem.type);
  const Buffer da(a.size() * size);
  const Buffer db(b.size() * size);
  const Buffer dd(before.size() * size);
  const Buffer dbias(bias.size() * size);
  const Buffer workspace(1 << 20);
  put(da, problem.type, a);
  put(db, problem.type, b);
  put(dd, problem.type, before);
  put(dbias, problem.type, bias);

  const LightHandle handle(problem.handle);
  const Stream stream;
  const Description description(problem.compute, kFloat32);
  description.set(CUBLASLT_MATMUL_DESC_TRANSA, problem.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  description.set(CUBLASLT_MATMUL_DESC_TRANSB, problem.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, problem.epilogue);
  if ((problem.epilogue & kEpilogueBias) != 0)
    description.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(dbias));
  const auto layout_of = [&](bool transposed, int rows, int columns) {
    return std::make_unique<Layout>(
        problem.type, static_cast<std::uint64_t>(transposed ? columns : rows),
        static_cast<std::uint64_t>(transposed ? rows : columns), std::int64_t{kLeading});
  };
  const auto a_layout = layout_of(problem.transpose_a, kRows, kInner);
  const auto b_layout = layout_of(problem.transpose_b, kInner, kColumns);
  const auto d_layout = layout_of(false, kRows, kColumns);
  if (problem.batch > 1) {
    const auto in_batches = [&](const Layout& layout, size_t stride) {
      layout.set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, problem.batch);
      layout.set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, static_cast<std::int64_t>(stride));
    };
    in_batches(*a_layout, a_stride);
    in_batches(*b_layout, b_stride);
    in_batches(*d_layout, d_stride);
  }
  const Preference preference;
  preference.set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, size_t{1 << 20});
  for (const auto alignment :
       {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    preference.set(alignment, std::uint32_t{64});
  cublasLtMatmulHeuristicResult_t heuristic{};
  int found = 0;
  ASSERT_LIGHT_OK(cublasLtMatmulAlgoGetHeuristic(handle, description, *a_layout, *b_layout,
                                                 *d_layout, *d_layout, preference, 1, &heuristic,
                                                 &found));
  ASSERT_EQ(1, found);
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, heuristic.state);
  const float alpha = 1;
  const float beta = 0;
  ASSERT_LIGHT_OK(cublasLtMatmul(handle, description, &alpha, da, *a_layout, db, *b_layout, &beta,
                                 dd, *d_layout, dd, *d_layout, &heuristic.algo, workspace, 1 << 20,
                                 stream));
  ASSERT_OK(cudaStreamSynchronize(stream));

  const Numbers after = take(dd, problem.type, before.size());
  for (size_t i = 0; i < batch; ++i) {
    for (size_t column = 0; column < kColumns; ++column) {
      for (size_t row = 0; row < kLeading; ++row) {
        const size_t at = i * d_stride + column * kLeading + row;
        if (row >= kRows) {
          EXPECT_EQ(before[at], after[at]) << "between the columns";
          continue;
        }
        float sum = 0;
        for (size_t k = 0; k < kInner; ++k) {
          const size_t in_a = problem.transpose_a ? k + row * kLeading : row + k * kLeading;
          const size_t in_b = problem.transpose_b ? column + k * kLeading : k + column * kLeading;
          sum += a[i * a_stride + in_a] * b[i * b_stride + in_b];
        }
        const float expected = finished(problem, sum, bias[row]);
        // Only the smooth activation needs rounding.
        const float tolerance =
            (problem.epilogue & kEpilogueGelu) != 0 ? std::fabs(expected) * 0.01F + 0.001F : 0.0F;
        EXPECT_NEAR(expected, after[at], tolerance) << i << " " << row << " " << column;
      }
    }
  }
}

using Choice = std::tuple<LightHandle::Kind, DataType>;

class LightProduct : public testing::TestWithParam<Choice> {
 protected:
  static Problem problem() {
    Problem out;
    out.handle = std::get<0>(GetParam());
    out.type = std::get<1>(GetParam());
    return out;
  }
};

TEST_P(LightProduct, cublasLtMatmul_with_every_operation) {
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      Problem tried = problem();
      tried.transpose_a = a;
      tried.transpose_b = b;
      expect_product(tried);
    }
  }
}

TEST_P(LightProduct, cublasLtMatmul_with_every_epilogue_of_linear_layers) {
  for (const std::int32_t epilogue :
       {kEpilogueBias, kEpilogueRelu, kEpilogueReluBias, kEpilogueGelu, kEpilogueGeluBias}) {
    Problem tried = problem();
    tried.transpose_a = true;
    tried.epilogue = epilogue;
    expect_product(tried);
  }
}

TEST_P(LightProduct, cublasLtMatmul_of_a_batch) {
  Problem tried = problem();
  tried.batch = 3;
  tried.transpose_b = true;
  expect_product(tried);
}

std::string name_of(const testing::TestParamInfo<Choice>& tested) {
  const DataType type = std::get<1>(tested.param);
  return std::string(type == kFloat32 ? "float" : (type == kFloat16 ? "half" : "brain")) +
         (std::get<0>(tested.param) == LightHandle::kOfLt ? "_with_a_Lt_handle"
                                                          : "_with_a_cuBLAS_handle");
}

INSTANTIATE_TEST_SUITE_P(All, LightProduct,
                         testing::Combine(testing::Values(LightHandle::kOfLt,
                                                          LightHandle::kOfCublas),
                                          testing::Values(kFloat32, kFloat16, kBrain16)),
                         name_of);

TEST(LightProduct, cublasLtMatmul_in_tf32_is_a_float_product) {
  Problem tried;
  tried.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
  expect_product(tried);
}

TEST(LightProduct, cublasLtMatmul_takes_scalars_of_the_device_and_adds_C) {
  const Buffer memory(16);  // alpha, beta, A = B, C
  const Buffer result(4);
  put(memory, kFloat32, {2, 10, 3, 7});
  const auto* numbers = reinterpret_cast<const float*>(memory.bytes());
  const LightHandle handle(LightHandle::kOfCublas);
  const Description description;
  description.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, kPointerModeDevice);
  const Layout layout(kFloat32, 1, 1, 1);
  ASSERT_LIGHT_OK(cublasLtMatmul(handle, description, numbers, numbers + 2, layout, numbers + 2,
                                 layout, numbers + 1, numbers + 3, layout, result, layout, nullptr,
                                 nullptr, 0, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(Numbers{2 * 3 * 3 + 10 * 7}, take(result, kFloat32, 1));
}

TEST(LightProduct, cublasLtMatmul_refuses_bad_arguments) {
  const LightHandle handle(LightHandle::kOfLt);
  const Description description;
  const Layout layout(kFloat32, 1, 1, 1);
  const Layout other(kFloat32, 2, 2, 2);
  const Buffer memory(16);
  const float one = 1;
  const auto call = [&](cublasLtHandle_t with, cublasLtMatmulDesc_t what, cublasLtMatrixLayout_t a,
                        cublasLtMatrixLayout_t d) {
    return cublasLtMatmul(with, what, &one, memory, a, memory, layout, &one, memory, layout, memory,
                          d, nullptr, nullptr, 0, nullptr);
  };
  EXPECT_CUBLASLT(SUCCESS, call(handle, description, layout, layout));
#if CUDA_MAJOR == 11
  EXPECT_CUBLASLT(INVALID_VALUE, call(nullptr, description, layout, layout));
#else
  EXPECT_CUBLASLT(NOT_INITIALIZED, call(nullptr, description, layout, layout));
#endif
  EXPECT_CUBLASLT(INVALID_VALUE, call(handle, nullptr, layout, layout));
  EXPECT_CUBLASLT(INVALID_VALUE, call(handle, description, nullptr, layout));
  EXPECT_CUBLASLT(INVALID_VALUE, call(handle, description, layout, nullptr));
  // What muBLASLt means by its numbers other than success is not documented.
  EXPECT_CUBLASLT(INTERNAL_ERROR, call(handle, description, other, layout));
  EXPECT_CUBLASLT(INTERNAL_ERROR, call(handle, description, layout, other));
}

// Transforms a 3 x 2 matrix in column order into a 2 x 3 matrix in row order, doubled: the elements
// stay at their addresses.
TEST(LightTransform, cublasLtMatrixTransform_transposes_and_scales) {
  cublasLtMatrixTransformDesc_t description = nullptr;
  ASSERT_LIGHT_OK(cublasLtMatrixTransformDescCreate(&description, kFloat32));
  const cublasOperation_t transposed = CUBLAS_OP_T;
  EXPECT_CUBLASLT(SUCCESS, cublasLtMatrixTransformDescSetAttribute(
                               description, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &transposed,
                               sizeof transposed));
  const Layout in(kFloat32, 3, 2, 3);
  const Layout out(kFloat32, 2, 3, 3);
  out.set(CUBLASLT_MATRIX_LAYOUT_ORDER, kOrderRow);
  EXPECT_EQ(kOrderRow, out.get<std::int32_t>(CUBLASLT_MATRIX_LAYOUT_ORDER));
  const Layout columns(kFloat32, 2, 3, 2);
  const Buffer memory(24);
  const Buffer result(24);
  put(memory, kFloat32, {1, 2, 3, 4, 5, 6});
  const float two = 2;
  const float zero = 0;
  for (const auto kind : {LightHandle::kOfLt, LightHandle::kOfCublas}) {
    const LightHandle handle(kind);
    ASSERT_LIGHT_OK(cublasLtMatrixTransform(handle, description, &two, memory, in, &zero, nullptr,
                                            nullptr, result, out, nullptr));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_EQ((Numbers{2, 4, 6, 8, 10, 12}), take(result, kFloat32, 6));
    ASSERT_LIGHT_OK(cublasLtMatrixTransform(handle, description, &two, memory, in, &zero, nullptr,
                                            nullptr, result, columns, nullptr));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_EQ((Numbers{2, 8, 4, 10, 6, 12}), take(result, kFloat32, 6));
    EXPECT_CUBLASLT(INVALID_VALUE, cublasLtMatrixTransform(handle, nullptr, &two, memory, in, &zero,
                                                           nullptr, nullptr, result, out, nullptr));
  }
  const cublasOperation_t strange = static_cast<cublasOperation_t>(112);
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtMatrixTransformDescSetAttribute(
                                     description, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &strange,
                                     sizeof strange));
  EXPECT_CUBLASLT(SUCCESS, cublasLtMatrixTransformDescDestroy(description));
}

}  // namespace
