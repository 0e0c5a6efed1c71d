#include <string>

#include "tests/host/mublasLt/with_descriptors.h"

namespace {

constexpr auto kOk = MUBLAS_STATUS_SUCCESS;
constexpr auto kInvalid = MUBLAS_STATUS_INVALID_VALUE;

TEST(Handle, mublasLtCreate_gives_a_handle_and_mublasLtDestroy_takes_it_once) {
  mublasLtHandle_t handle = nullptr;
  ASSERT_EQ(mublasLtCreate(&handle), kOk);
  EXPECT_NE(handle, nullptr);
  EXPECT_EQ(mublasLtDestroy(handle), kOk);
  EXPECT_EQ(mublasLtDestroy(handle), MUBLAS_STATUS_INVALID_HANDLE);
  EXPECT_EQ(mublasLtCreate(nullptr), kInvalid);
}

TEST(Handle, mublasLtDestroy_refuses_what_is_no_handle) {
  EXPECT_EQ(mublasLtDestroy(nullptr), MUBLAS_STATUS_INVALID_HANDLE);
}

// The same checks for every kind of descriptor: set, get, sizes, and what is refused.
template <typename Handle, typename Name, typename Value, typename Set, typename Get,
          typename Destroy>
void check_descriptor(Handle handle, Name name, Value initial, Value other, Set set, Get get,
                      Destroy destroy) {
  Value value{};
  std::size_t written = 0;
  EXPECT_EQ(get(handle, name, &value, sizeof value, &written), kOk);
  EXPECT_EQ(value, initial);
  EXPECT_EQ(written, sizeof value);
  EXPECT_EQ(set(handle, name, &other, sizeof other), kOk);
  EXPECT_EQ(get(handle, name, &value, sizeof value, nullptr), kOk);
  EXPECT_EQ(value, other);
  written = 0;
  EXPECT_EQ(get(handle, name, nullptr, 0, &written), kOk);
  EXPECT_EQ(written, sizeof value);
  EXPECT_EQ(get(handle, name, nullptr, 0, nullptr), kInvalid);
  EXPECT_EQ(get(handle, name, &value, sizeof value - 1, &written), kInvalid);
  EXPECT_EQ(get(handle, name, nullptr, sizeof value, &written), kInvalid);
  EXPECT_EQ(get(handle, static_cast<Name>(99), &value, sizeof value, &written), kInvalid);
  EXPECT_EQ(set(handle, name, &other, sizeof other - 1), kInvalid);
  EXPECT_EQ(set(handle, name, nullptr, sizeof other), kInvalid);
  EXPECT_EQ(set(handle, static_cast<Name>(99), &other, sizeof other), kInvalid);
  EXPECT_EQ(destroy(handle), kOk);
  EXPECT_EQ(destroy(handle), kInvalid);
  EXPECT_EQ(set(handle, name, &other, sizeof other), kInvalid);
  EXPECT_EQ(get(handle, name, &value, sizeof value, &written), kInvalid);
}

TEST(
    Descriptors,
    mublasLtMatrixLayoutCreate_mublasLtMatrixLayoutSetAttribute_mublasLtMatrixLayoutGetAttribute_mublasLtMatrixLayoutDestroy) {
  mublasLtMatrixLayout_t layout = nullptr;
  ASSERT_EQ(mublasLtMatrixLayoutCreate(&layout, MUSA_R_16F, 3, 4, 5), kOk);
  check_descriptor(layout, MUBLASLT_MATRIX_LAYOUT_LD, std::int64_t{5}, std::int64_t{9},
                   mublasLtMatrixLayoutSetAttribute, mublasLtMatrixLayoutGetAttribute,
                   mublasLtMatrixLayoutDestroy);
  EXPECT_EQ(mublasLtMatrixLayoutCreate(nullptr, MUSA_R_16F, 3, 4, 5), kInvalid);
  EXPECT_EQ(mublasLtMatrixLayoutCreate(&layout, static_cast<musaDataType_t>(31), 3, 4, 5),
            kInvalid);
}

TEST(
    Descriptors,
    mublasLtMatmulDescCreate_mublasLtMatmulDescSetAttribute_mublasLtMatmulDescGetAttribute_mublasLtMatmulDescDestroy) {
  mublasLtMatmulDesc_t description = nullptr;
  ASSERT_EQ(mublasLtMatmulDescCreate(&description, MUBLAS_COMPUTE_32F, MUSA_R_32F), kOk);
  check_descriptor(description, MUBLASLT_MATMUL_DESC_TRANSA, std::int32_t{MUBLAS_OP_N},
                   std::int32_t{MUBLAS_OP_T}, mublasLtMatmulDescSetAttribute,
                   mublasLtMatmulDescGetAttribute, mublasLtMatmulDescDestroy);
  EXPECT_EQ(mublasLtMatmulDescCreate(nullptr, MUBLAS_COMPUTE_32F, MUSA_R_32F), kInvalid);
  EXPECT_EQ(mublasLtMatmulDescCreate(&description, static_cast<mublasComputeType_t>(1), MUSA_R_32F),
            kInvalid);
}

// Nothing reads these back.
template <typename Handle, typename Name, typename Value, typename Set, typename Destroy>
void check_unread(Handle handle, Name name, Value value, Set set, Destroy destroy) {
  EXPECT_EQ(set(handle, name, &value, sizeof value), kOk);
  EXPECT_EQ(set(handle, name, &value, sizeof value - 1), kInvalid);
  EXPECT_EQ(set(handle, name, nullptr, sizeof value), kInvalid);
  EXPECT_EQ(set(handle, static_cast<Name>(99), &value, sizeof value), kInvalid);
  EXPECT_EQ(destroy(handle), kOk);
  EXPECT_EQ(destroy(handle), kInvalid);
  EXPECT_EQ(set(handle, name, &value, sizeof value), kInvalid);
}

TEST(
    Descriptors,
    mublasLtMatmulPreferenceCreate_mublasLtMatmulPreferenceSetAttribute_mublasLtMatmulPreferenceDestroy) {
  mublasLtMatmulPreference_t preference = nullptr;
  ASSERT_EQ(mublasLtMatmulPreferenceCreate(&preference), kOk);
  check_unread(preference, MUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{1 << 20},
               mublasLtMatmulPreferenceSetAttribute, mublasLtMatmulPreferenceDestroy);
  EXPECT_EQ(mublasLtMatmulPreferenceCreate(nullptr), kInvalid);
}

TEST(
    Descriptors,
    mublasLtMatrixTransformDescCreate_mublasLtMatrixTransformDescSetAttribute_mublasLtMatrixTransformDescDestroy) {
  mublasLtMatrixTransformDesc_t description = nullptr;
  ASSERT_EQ(mublasLtMatrixTransformDescCreate(&description, MUSA_R_32F), kOk);
  check_unread(description, MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, std::int32_t{MUBLAS_OP_T},
               mublasLtMatrixTransformDescSetAttribute, mublasLtMatrixTransformDescDestroy);
  EXPECT_EQ(mublasLtMatrixTransformDescCreate(nullptr, MUSA_R_32F), kInvalid);
}

}  // namespace
