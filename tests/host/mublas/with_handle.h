#pragma once

#include <gtest/gtest.h>
#include <mublas.h>

#include "tests/host/shared/device.h"

namespace host_tests {

// A handle with its own stream.
class WithHandle : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mublasCreate(&handle_), MUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(mublasSetStream(handle_, stream_.get()), MUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override { EXPECT_EQ(mublasDestroy(handle_), MUBLAS_STATUS_SUCCESS); }

  void scalars_on_device() {
    EXPECT_EQ(mublasSetPointerMode(handle_, MUBLAS_POINTER_MODE_DEVICE), MUBLAS_STATUS_SUCCESS);
  }

  Stream stream_;
  mublasHandle_t handle_ = nullptr;
};

}  // namespace host_tests
