// Attributes of cuBLASLt descriptions: programs read what they wrote, with CUDA's numbers; sizes
// and errors are those of the real library.
#include "tests/conformance/cublasLt_fixture.h"

namespace {

template <typename T>
void expect_kept(const Description& description, cublasLtMatmulDescAttributes_t attribute,
                 std::initializer_list<T> values) {
  for (const T value : values) {
    description.set(attribute, value);
    EXPECT_EQ(value, description.get<T>(attribute)) << "attribute " << attribute;
  }
}

TEST(LightAttributes, cublasLtMatmulDescSetAttribute_is_read_back) {
  const Description description;
  for (const auto attribute :
       {CUBLASLT_MATMUL_DESC_TRANSA, CUBLASLT_MATMUL_DESC_TRANSB, CUBLASLT_MATMUL_DESC_TRANSC}) {
    EXPECT_EQ(CUBLAS_OP_N, description.get<cublasOperation_t>(attribute));
    expect_kept(description, attribute, {CUBLAS_OP_T, CUBLAS_OP_C, CUBLAS_OP_N});
  }
  EXPECT_EQ(2, description.get<int>(CUBLASLT_MATMUL_DESC_FILL_MODE));  // CUBLAS_FILL_MODE_FULL
  expect_kept(description, CUBLASLT_MATMUL_DESC_FILL_MODE, {0, 1, 2});
  EXPECT_EQ(kEpilogueDefault, description.get<int>(CUBLASLT_MATMUL_DESC_EPILOGUE));
  expect_kept(description, CUBLASLT_MATMUL_DESC_EPILOGUE,
              {kEpilogueRelu, 130, kEpilogueBias, kEpilogueReluBias, 134, 136, 152, kEpilogueGelu,
               160, kEpilogueGeluBias, 164, 192, 208, 256, 512});
  expect_kept(description, CUBLASLT_MATMUL_DESC_POINTER_MODE, {1, 0});
  EXPECT_EQ(CUBLAS_COMPUTE_32F,
            description.get<cublasComputeType_t>(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE));
  expect_kept(description, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, {CUBLAS_COMPUTE_64F});
  expect_kept(description, CUBLASLT_MATMUL_DESC_SCALE_TYPE, {kFloat64});
  expect_kept<void*>(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, {not_an_object, nullptr});
  expect_kept<std::int64_t>(description, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE,
                            {std::int64_t{1} << 40});
  expect_kept<std::int8_t>(description, CUBLASLT_MATMUL_DESC_FAST_ACCUM, {1, 0});
}

TEST(LightAttributes, cublasLtMatmulDescSetAttribute_refuses_other_sizes) {
  const Description description;
  const std::int64_t value = 1;
  const auto set = [&](cublasLtMatmulDescAttributes_t attribute, size_t size) {
    return cublasLtMatmulDescSetAttribute(description, attribute, &value, size);
  };
  for (const size_t size : {0, 1, 3, 5, 8})
    EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATMUL_DESC_TRANSA, size)) << size;
  EXPECT_EQ(CUBLAS_OP_N, description.get<cublasOperation_t>(CUBLASLT_MATMUL_DESC_TRANSA));
  for (const size_t size : {0, 4, 16})
    EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, size)) << size;
  EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, 4));
  EXPECT_CUBLASLT(INVALID_VALUE, set(static_cast<cublasLtMatmulDescAttributes_t>(9999), 4));
  EXPECT_CUBLASLT(INVALID_VALUE, set(static_cast<cublasLtMatmulDescAttributes_t>(-1), 4));
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtMatmulDescSetAttribute(
                                     description, CUBLASLT_MATMUL_DESC_TRANSA, nullptr, 4));
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulDescSetAttribute(nullptr, CUBLASLT_MATMUL_DESC_TRANSA, &value, 4));
}

TEST(LightAttributes, cublasLtMatmulDescSetAttribute_refuses_numbers_that_are_no_enumerators) {
  const Description description;
  const auto set = [&](cublasLtMatmulDescAttributes_t attribute, int value) {
    return cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value);
  };
  // 111 to 113 are MUSA's operations, 121 to 123 its triangles.
  for (const int value : {-1, 4, 111, 112, 113})
    EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATMUL_DESC_TRANSA, value)) << value;
  for (const int value : {-1, 3, 121, 123})
    EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATMUL_DESC_FILL_MODE, value)) << value;
  for (const int value : {0, 3, 1000})
    EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATMUL_DESC_EPILOGUE, value)) << value;
  EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, 1));
  EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATMUL_DESC_POINTER_MODE, 5));
  EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATMUL_DESC_SCALE_TYPE, 999));
  // A valid operation that muBLAS lacks.
  EXPECT_CUBLASLT(NOT_SUPPORTED, set(CUBLASLT_MATMUL_DESC_TRANSA, 3));
  EXPECT_EQ(CUBLAS_OP_N, description.get<cublasOperation_t>(CUBLASLT_MATMUL_DESC_TRANSA));
}

TEST(LightAttributes,
     cublasLtMatmulDescSetAttribute_takes_only_the_initial_value_of_what_is_missing) {
  const Description description;
  EXPECT_EQ(-1, description.get<int>(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE));
  EXPECT_EQ(nullptr, description.get<void*>(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER));
  description.set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, -1);
  description.set<void*>(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, nullptr);
  const int type = 1;  // CUDA_R_64F
  EXPECT_CUBLASLT(NOT_SUPPORTED,
                  cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE,
                                                 &type, sizeof type));
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtMatmulDescSetAttribute(
                                     description, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &type, 2));
  EXPECT_EQ(-1, description.get<int>(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE));
}

// muBLASLt is not told of them.
TEST(LightAttributes, cublasLtMatmulDescSetAttribute_keeps_what_only_permits_or_hints) {
  const Description other;
  const Description description;
  EXPECT_EQ(0, description.get<int>(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET));
  EXPECT_EQ(0, description.get<std::int8_t>(CUBLASLT_MATMUL_DESC_FAST_ACCUM));
  expect_kept(description, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, {16, 0, 8});
  expect_kept<std::int8_t>(description, CUBLASLT_MATMUL_DESC_FAST_ACCUM, {1});
  EXPECT_EQ(8, description.get<int>(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET));
  EXPECT_EQ(0, other.get<int>(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET));
}

TEST(LightAttributes, cublasLtMatmulDescGetAttribute_tells_sizes_and_wants_them) {
  const Description description;
  size_t written = 0;
  const auto get = [&](cublasLtMatmulDescAttributes_t attribute, void* buffer, size_t size,
                       size_t* told) {
    return cublasLtMatmulDescGetAttribute(description, attribute, buffer, size, told);
  };
  EXPECT_CUBLASLT(SUCCESS, get(CUBLASLT_MATMUL_DESC_TRANSA, nullptr, 0, &written));
  EXPECT_EQ(4U, written);
  EXPECT_CUBLASLT(SUCCESS, get(CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr, 0, &written));
  EXPECT_EQ(8U, written);
  EXPECT_CUBLASLT(SUCCESS, get(CUBLASLT_MATMUL_DESC_FAST_ACCUM, nullptr, 0, &written));
  EXPECT_EQ(1U, written);
  std::int64_t value = -7;
  written = 99;
  EXPECT_CUBLASLT(INVALID_VALUE, get(CUBLASLT_MATMUL_DESC_TRANSA, &value, 3, &written));
  EXPECT_CUBLASLT(INVALID_VALUE, get(CUBLASLT_MATMUL_DESC_TRANSA, &value, 8, &written));
  EXPECT_CUBLASLT(INVALID_VALUE, get(CUBLASLT_MATMUL_DESC_TRANSA, nullptr, 4, &written));
  EXPECT_CUBLASLT(INVALID_VALUE, get(CUBLASLT_MATMUL_DESC_TRANSA, nullptr, 0, nullptr));
  EXPECT_CUBLASLT(INVALID_VALUE,
                  get(static_cast<cublasLtMatmulDescAttributes_t>(9), &value, 4, &written));
  EXPECT_EQ(99U, written);
  EXPECT_EQ(-7, value);
  int operation = -7;
  EXPECT_CUBLASLT(SUCCESS, get(CUBLASLT_MATMUL_DESC_TRANSA, &operation, 4, nullptr));
  EXPECT_EQ(0, operation);
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulDescGetAttribute(nullptr, CUBLASLT_MATMUL_DESC_TRANSA, &operation,
                                                 4, &written));
}

TEST(LightAttributes, cublasLtMatrixLayoutSetAttribute_is_read_back) {
  const Layout layout(kFloat16, 3, 5, 7);
  EXPECT_EQ(kFloat16, layout.get<DataType>(CUBLASLT_MATRIX_LAYOUT_TYPE));
  EXPECT_EQ(3U, layout.get<std::uint64_t>(CUBLASLT_MATRIX_LAYOUT_ROWS));
  EXPECT_EQ(5U, layout.get<std::uint64_t>(CUBLASLT_MATRIX_LAYOUT_COLS));
  EXPECT_EQ(7, layout.get<std::int64_t>(CUBLASLT_MATRIX_LAYOUT_LD));
  EXPECT_EQ(0, layout.get<int>(CUBLASLT_MATRIX_LAYOUT_ORDER));
  EXPECT_EQ(1, layout.get<int>(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT));
  layout.set(CUBLASLT_MATRIX_LAYOUT_TYPE, kBrain16);
  layout.set(CUBLASLT_MATRIX_LAYOUT_ORDER, kOrderRow);
  layout.set(CUBLASLT_MATRIX_LAYOUT_ROWS, std::uint64_t{1} << 33);
  layout.set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 9);
  layout.set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, std::int64_t{1} << 34);
  EXPECT_EQ(kBrain16, layout.get<DataType>(CUBLASLT_MATRIX_LAYOUT_TYPE));
  EXPECT_EQ(kOrderRow, layout.get<int>(CUBLASLT_MATRIX_LAYOUT_ORDER));
  EXPECT_EQ(std::uint64_t{1} << 33, layout.get<std::uint64_t>(CUBLASLT_MATRIX_LAYOUT_ROWS));
  EXPECT_EQ(9, layout.get<int>(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT));
  EXPECT_EQ(std::int64_t{1} << 34,
            layout.get<std::int64_t>(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET));
}

TEST(LightAttributes, cublasLtMatrixLayoutSetAttribute_refuses_what_does_not_fit) {
  const Layout layout(kFloat32, 3, 5, 7);
  const auto set = [&](cublasLtMatrixLayoutAttribute_t attribute, std::int64_t value, size_t size) {
    return cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, size);
  };
  EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 2, 8));
  EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATRIX_LAYOUT_ROWS, 2, 4));
  EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATRIX_LAYOUT_ORDER, 5, 4));
  EXPECT_CUBLASLT(INVALID_VALUE, set(CUBLASLT_MATRIX_LAYOUT_TYPE, 999, 4));
  EXPECT_CUBLASLT(INVALID_VALUE, set(static_cast<cublasLtMatrixLayoutAttribute_t>(99), 0, 4));
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtMatrixLayoutGetAttribute(
                                     nullptr, CUBLASLT_MATRIX_LAYOUT_ROWS, nullptr, 0, nullptr));
  EXPECT_EQ(3U, layout.get<std::uint64_t>(CUBLASLT_MATRIX_LAYOUT_ROWS));
  EXPECT_EQ(1, layout.get<int>(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT));
}

#if CUDA_MAJOR >= 12
TEST(LightAttributes, cublasLtMatrixLayoutSetAttribute_takes_strided_batches_alone) {
  const Layout layout(kFloat32, 3, 5, 7);
  const int pointers = 1;
  layout.set(CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, 0);
  EXPECT_CUBLASLT(NOT_SUPPORTED,
                  cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE,
                                                   &pointers, sizeof pointers));
}
#endif

TEST(LightAttributes, cublasLtMatmulPreferenceSetAttribute_refuses_what_does_not_fit) {
  const Preference preference;
  const std::uint64_t value = 1 << 20;
  preference.set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, value);
  preference.set(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, 1.5F);
  preference.set(CUBLASLT_MATMUL_PREF_IMPL_MASK, ~std::uint64_t{0});
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulPreferenceSetAttribute(
                      preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &value, 4));
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulPreferenceSetAttribute(
                      preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &value, 8));
  EXPECT_CUBLASLT(
      INVALID_VALUE,
      cublasLtMatmulPreferenceSetAttribute(
          preference, static_cast<cublasLtMatmulPreferenceAttributes_t>(77), &value, 4));
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtMatmulPreferenceSetAttribute(
                                     nullptr, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &value, 8));
#if CUDA_MAJOR == 11
  // Filters that only CUDA 11 has keep their values.
  preference.set(CUBLASLT_MATMUL_PREF_EPILOGUE_MASK, std::uint32_t{1});
  const std::uint32_t every = 0xffff;
  EXPECT_CUBLASLT(NOT_SUPPORTED,
                  cublasLtMatmulPreferenceSetAttribute(
                      preference, CUBLASLT_MATMUL_PREF_EPILOGUE_MASK, &every, sizeof every));
#endif
}

}  // namespace
