#include "tests/host/mublasLt/with_descriptors.h"

namespace {

using host_tests::Complex;
using host_tests::Layout;
using host_tests::TypedArray;

class Transform : public host_tests::WithLtHandle {};

TEST_F(Transform, mublasLtMatrixTransform_scales_adds_transposes_and_changes_the_order) {
  const TypedArray a(MUSA_R_16F, host_tests::small_integers(MUSA_R_16F, 6, 1));  // 2 x 3
  const TypedArray b(MUSA_R_8I, host_tests::small_integers(MUSA_R_8I, 6, 2));  // 3 x 2, transposed
  const TypedArray c(MUSA_R_32F, std::vector<Complex>(8, {9}));                // rows of 4
  Layout layout_a(MUSA_R_16F, 2, 3, 2), layout_b(MUSA_R_8I, 3, 2, 3), layout_c(MUSA_R_32F, 2, 3, 4);
  layout_c.set(MUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t{MUBLASLT_ORDER_ROW});
  mublasLtMatrixTransformDesc_t description = nullptr;
  ASSERT_EQ(mublasLtMatrixTransformDescCreate(&description, MUSA_R_32F), MUBLAS_STATUS_SUCCESS);
  const std::int32_t transposed = MUBLAS_OP_T;
  ASSERT_EQ(mublasLtMatrixTransformDescSetAttribute(
                description, MUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, &transposed, 4),
            MUBLAS_STATUS_SUCCESS);
  const float two = 2, minus = -1;
  const auto call = [&](mublasLtHandle_t handle, mublasLtMatrixLayout_t with_a, void* result) {
    return mublasLtMatrixTransform(handle, description, &two, a.data(), with_a, &minus, b.data(),
                                   layout_b.get(), result, layout_c.get(), stream_.get());
  };
  ASSERT_EQ(call(handle_, layout_a.get(), c.data()), MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 3; ++column) {
      EXPECT_EQ(c.values()[row * 4 + column],
                2.0 * a.values()[row + column * 2] - b.values()[column + row * 3]);
    }
    EXPECT_EQ(c.values()[row * 4 + 3], 9.0);
  }
  EXPECT_EQ(call(nullptr, layout_a.get(), c.data()), MUBLAS_STATUS_INVALID_HANDLE);
  EXPECT_EQ(call(handle_, layout_b.get(), c.data()), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, nullptr, c.data()), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, layout_a.get(), nullptr), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasLtMatrixTransformDescDestroy(description), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(call(handle_, layout_a.get(), c.data()), MUBLAS_STATUS_INVALID_VALUE);
}

}  // namespace
