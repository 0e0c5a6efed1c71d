#pragma once

#include <gtest/gtest.h>
#include <mublasLt.h>

#include "tests/host/shared/typed_matrix.h"

namespace host_tests {

class Layout {
 public:
  Layout(musaDataType_t type, std::uint64_t rows, std::uint64_t columns, std::int64_t ld) {
    EXPECT_EQ(mublasLtMatrixLayoutCreate(&layout_, type, rows, columns, ld), MUBLAS_STATUS_SUCCESS);
  }
  ~Layout() { EXPECT_EQ(mublasLtMatrixLayoutDestroy(layout_), MUBLAS_STATUS_SUCCESS); }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  template <typename T>
  void set(mublasLtMatrixLayoutAttribute_t attribute, T value) {
    EXPECT_EQ(mublasLtMatrixLayoutSetAttribute(layout_, attribute, &value, sizeof value),
              MUBLAS_STATUS_SUCCESS);
  }
  mublasLtMatrixLayout_t get() const { return layout_; }

 private:
  mublasLtMatrixLayout_t layout_ = nullptr;
};

class Matmul {
 public:
  Matmul(mublasComputeType_t compute, musaDataType_t scale) {
    EXPECT_EQ(mublasLtMatmulDescCreate(&description_, compute, scale), MUBLAS_STATUS_SUCCESS);
  }
  ~Matmul() { EXPECT_EQ(mublasLtMatmulDescDestroy(description_), MUBLAS_STATUS_SUCCESS); }
  Matmul(const Matmul&) = delete;
  Matmul& operator=(const Matmul&) = delete;

  template <typename T>
  void set(mublasLtMatmulDescAttributes_t attribute, T value) {
    EXPECT_EQ(mublasLtMatmulDescSetAttribute(description_, attribute, &value, sizeof value),
              MUBLAS_STATUS_SUCCESS);
  }
  mublasLtMatmulDesc_t get() const { return description_; }

 private:
  mublasLtMatmulDesc_t description_ = nullptr;
};

class WithLtHandle : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mublasLtCreate(&handle_), MUBLAS_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mublasLtDestroy(handle_), MUBLAS_STATUS_SUCCESS); }

  Stream stream_;
  mublasLtHandle_t handle_ = nullptr;
};

}  // namespace host_tests
