// The launch of CUDA 3: what it takes is set function by function before.
#include <array>

#include "tests/conformance/cuda_driver.h"

namespace {

constexpr int kCount = 100;

// y = 3 x + y, with x = 2 and y = 1, as _Z5saxpyfPKfPfi takes them.
class OldLaunch : public Driver {
 protected:
  void SetUp() override {
    Driver::SetUp();
    NEEDS_IMAGES();
    load();
    fill(x_, 2);
    fill(y_, 1);
  }
  void TearDown() override {
    if (module_) {
      EXPECT_CU(cuModuleUnload(module_));
    }
    Driver::TearDown();
  }
  void load() {
    ASSERT_CU(cuModuleLoad(&module_, (std::string(IMAGES) + "saxpy.image").c_str()));
    ASSERT_CU(cuModuleGetFunction(&saxpy_, module_, "_Z5saxpyfPKfPfi"));
  }
  static void fill(void* memory, float value) {
    const std::vector<float> values(kCount, value);
    EXPECT_CU(cuMemcpyHtoD_v2(address_of(memory), values.data(), kCount * sizeof(float)));
  }
  void set_parameters() {
    CUdeviceptr x = address_of(x_);
    CUdeviceptr y = address_of(y_);
    EXPECT_CU(cuParamSetf(saxpy_, 0, 3));
    EXPECT_CU(cuParamSetv(saxpy_, 8, &x, sizeof x));
    EXPECT_CU(cuParamSetv(saxpy_, 16, &y, sizeof y));
    EXPECT_CU(cuParamSeti(saxpy_, 24, kCount));
    EXPECT_CU(cuParamSetSize(saxpy_, 28));
  }
  // How many of y became 7; the others are 1.
  size_t computed() {
    std::vector<float> values(kCount);
    EXPECT_CU(cuMemcpyDtoH_v2(values.data(), address_of(y_), kCount * sizeof(float)));
    const auto done = static_cast<size_t>(std::count(values.begin(), values.end(), 7));
    EXPECT_EQ(kCount - done, static_cast<size_t>(std::count(values.begin(), values.end(), 1)));
    return done;
  }

  Buffer x_{kCount * sizeof(float)};
  Buffer y_{kCount * sizeof(float)};
  CUmodule module_ = nullptr;
  CUfunction saxpy_ = nullptr;
};

TEST_F(OldLaunch, cuLaunch_starts_one_block) {
  set_parameters();
  EXPECT_CU(cuFuncSetBlockShape(saxpy_, 8, 1, 1));
  EXPECT_CU(cuLaunch(saxpy_));
  EXPECT_EQ(8U, computed());
}

TEST_F(OldLaunch, cuLaunchGrid_starts_a_grid_of_blocks) {
  EXPECT_CU(cuFuncSetBlockShape(saxpy_, 8, 1, 1));
  set_parameters();
  EXPECT_CU(cuLaunchGrid(saxpy_, 3, 1));
  EXPECT_EQ(24U, computed());
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(saxpy_, 0, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(saxpy_, 1, -1));
}

TEST_F(OldLaunch, cuLaunchGridAsync_keeps_the_order_of_the_stream) {
  set_parameters();
  EXPECT_CU(cuFuncSetBlockShape(saxpy_, 64, 1, 1));
  const Stream stream(CU_STREAM_NON_BLOCKING);
  EXPECT_CU(cuMemsetD32Async(address_of(y_), 0x3f800000, kCount, stream));  // 1.0f
  EXPECT_CU(cuLaunchGridAsync(saxpy_, 2, 1, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(size_t{kCount}, computed());
}

// What is set later does not change a launch before it.
TEST_F(OldLaunch, cuParamSetf_holds_for_the_launches_after_it) {
  set_parameters();
  EXPECT_CU(cuFuncSetBlockShape(saxpy_, 8, 1, 1));
  const Stream stream(CU_STREAM_NON_BLOCKING);
  EXPECT_CU(cuLaunchGridAsync(saxpy_, 1, 1, stream));
  EXPECT_CU(cuParamSetf(saxpy_, 0, 1));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(8U, computed());
}

TEST_F(OldLaunch, cuFuncSetBlockShape_must_come_before_a_launch) {
  set_parameters();
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunch(saxpy_));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(saxpy_, 0, 1, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(saxpy_, 1, -1, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunch(saxpy_));
  EXPECT_CU(cuFuncSetBlockShape(saxpy_, 4, 1, 1));
  EXPECT_CU(cuLaunch(saxpy_));
  EXPECT_EQ(4U, computed());
}

TEST_F(OldLaunch, cuFuncSetSharedSize_is_what_the_launch_asks_for) {
  set_parameters();
  EXPECT_CU(cuFuncSetBlockShape(saxpy_, 4, 1, 1));
  EXPECT_CU(cuFuncSetSharedSize(saxpy_, 1U << 30));
  EXPECT_NE(CUDA_SUCCESS, cuLaunch(saxpy_));
  EXPECT_CU(cuFuncSetSharedSize(saxpy_, 64));
  EXPECT_CU(cuLaunch(saxpy_));
  EXPECT_EQ(4U, computed());
}

TEST_F(OldLaunch, cuParamSetv_refuses_what_no_kernel_takes) {
  int word = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSetv(saxpy_, -1, &word, sizeof word));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSetv(saxpy_, 4093, &word, sizeof word));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSetv(saxpy_, 0, &word, 0xffffffff));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSetv(saxpy_, 0, nullptr, 4));
  EXPECT_CU(cuParamSetv(saxpy_, 4092, &word, sizeof word));
  EXPECT_CU(cuParamSetv(saxpy_, 0, nullptr, 0));
}

TEST_F(OldLaunch, cuParamSeti_wants_its_four_bytes_to_fit) {
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSeti(saxpy_, 4093, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSetf(saxpy_, -4, 0));
  EXPECT_CU(cuParamSeti(saxpy_, 4092, 0));
}

TEST_F(OldLaunch, cuParamSetSize_says_how_many_bytes_the_kernel_gets) {
  set_parameters();
  EXPECT_CU(cuFuncSetBlockShape(saxpy_, 4, 1, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuParamSetSize(saxpy_, 4097));
  EXPECT_CU(cuParamSetSize(saxpy_, 8));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunch(saxpy_));
  EXPECT_CU(cuParamSetSize(saxpy_, 28));
  EXPECT_CU(cuLaunch(saxpy_));
  EXPECT_EQ(4U, computed());
}

// MUSA may give the handle to a function of the next module.
TEST_F(OldLaunch, cuModuleUnload_forgets_what_was_set) {
  for (int i = 0; i < 50; ++i) {
    set_parameters();
    EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunch(saxpy_)) << i;
    EXPECT_CU(cuFuncSetBlockShape(saxpy_, 4, 1, 1));
    EXPECT_CU(cuModuleUnload(module_));
    load();
  }
}

}  // namespace
