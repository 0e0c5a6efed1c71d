// SDKs before 4.3 have no muBLASLt: cuBLASLt calls report that once and fail, and everything else
// works.
#include <algorithm>

#include "tests/conformance/cublasLt_fixture.h"

namespace {

TEST(LightMissing, cublasLtCreate_says_in_one_line_what_is_missing) {
  cublasLtHandle_t handle = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_CUBLASLT(NOT_INITIALIZED, cublasLtCreate(&handle));
  EXPECT_CUBLASLT(NOT_INITIALIZED, cublasLtCreate(&handle));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(nullptr, handle);
  EXPECT_NE(std::string::npos, said.find("no usable libmublasLt in ")) << said;
  EXPECT_NE(std::string::npos, said.find("first call: cublasLtCreate")) << said;
  EXPECT_EQ(1, std::count(said.begin(), said.end(), '\n')) << said;
}

TEST(LightMissing, cublasLtMatmulDescCreate_and_other_calls_fail) {
  cublasLtMatmulDesc_t description = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  EXPECT_CUBLASLT(NOT_INITIALIZED,
                  cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, kFloat32));
  EXPECT_CUBLASLT(NOT_INITIALIZED, cublasLtMatrixLayoutCreate(&layout, kFloat32, 1, 1, 1));
  EXPECT_CUBLASLT(NOT_INITIALIZED, cublasLtMatmulPreferenceCreate(&preference));
  EXPECT_EQ(nullptr, description);
  EXPECT_EQ(nullptr, layout);
  EXPECT_EQ(nullptr, preference);
}

// Although muBLAS exists, its handle does not help.
TEST(LightMissing, cublasLtMatmul_fails_with_a_cublas_handle) {
  cublasHandle_t handle = nullptr;
  ASSERT_LIGHT_OK(cublasCreate_v2(&handle));
  const auto light = reinterpret_cast<cublasLtHandle_t>(handle);
  const auto description = reinterpret_cast<cublasLtMatmulDesc_t>(not_an_object);
  const auto layout = reinterpret_cast<cublasLtMatrixLayout_t>(not_an_object);
  const float one = 1;
  EXPECT_NE(CUBLAS_STATUS_SUCCESS,
            cublasLtMatmul(light, description, &one, nullptr, layout, nullptr, layout, &one,
                           nullptr, layout, nullptr, layout, nullptr, nullptr, 0, nullptr));
  EXPECT_CUBLASLT(SUCCESS, cublasDestroy_v2(handle));
}

}  // namespace
