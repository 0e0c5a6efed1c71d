// A program with a library built for MUSA. What is not registered with CUDA is MUSA's to judge, and
// the stand-in knows no function. The program's own kernels are refused with 209.
#include <gtest/gtest.h>

#include "tests/conformance/support.h"
#include "tests/device_code/registering.h"

namespace {

char musa_kernel;
char cuda_kernel;

class Mixed : public testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    ASSERT_OK(cudaGetDeviceCount(&count));
    module_.kernel(&cuda_kernel, "_Z11cuda_kernelv");
  }

  Module module_;
};

// MUSA checks the shape of a launch first. A shape that MUSA refuses shows that it got the launch.
TEST_F(Mixed, LaunchesOfMusaKernelsReachMusa) {
  testing::internal::CaptureStderr();
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, launch(&musa_kernel));
  EXPECT_EQ("", testing::internal::GetCapturedStderr());
  EXPECT_ERROR(cudaErrorInvalidConfiguration,
               cudaLaunchKernel(&musa_kernel, {1, 1, 1}, {4096, 1, 1}, nullptr, 0, nullptr));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle,
               cudaLaunchKernel(&musa_kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0, bad_stream()));
  EXPECT_ERROR(kNoImage,
               cudaLaunchKernel(&cuda_kernel, {1, 1, 1}, {4096, 1, 1}, nullptr, 0, nullptr));
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = {1, 1, 1};
  config.blockDim.x = 4096;
  EXPECT_ERROR(cudaErrorInvalidConfiguration, cudaLaunchKernelExC(&config, &musa_kernel, nullptr));
}

TEST_F(Mixed, AttributesAreMusas) {
  cudaFuncAttributes attributes{};
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, &musa_kernel));
  EXPECT_ERROR(kNoImage, cudaFuncGetAttributes(&attributes, &cuda_kernel));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFuncGetAttributes(nullptr, &musa_kernel));
}

TEST_F(Mixed, HandlesAreMusas) {
  cudaFunction_t function = nullptr;
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, cudaGetFuncBySymbol(&function, &musa_kernel));
  EXPECT_EQ(nullptr, function);
#if CUDA_MAJOR >= 12
  cudaKernel_t kernel = nullptr;
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, cudaGetKernel(&kernel, &musa_kernel));
  EXPECT_EQ(nullptr, kernel);
  const char* name = nullptr;
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, &musa_kernel));
  EXPECT_OK(cudaFuncGetName(&name, &cuda_kernel));
  EXPECT_STREQ("_Z11cuda_kernelv", name);
#endif
}

TEST_F(Mixed, GraphNodesAreMusas) {
  cudaGraph_t graph = nullptr;
  ASSERT_OK(cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams params{};
  params.func = &musa_kernel;
  params.gridDim = params.blockDim = {1, 1, 1};
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  cudaKernelNodeParams given{};
  EXPECT_OK(cudaGraphKernelNodeGetParams(node, &given));
  EXPECT_EQ(static_cast<void*>(&musa_kernel), given.func);
  params.func = &cuda_kernel;
  EXPECT_ERROR(kNoImage, cudaGraphKernelNodeSetParams(node, &params));
  EXPECT_OK(cudaGraphKernelNodeGetParams(node, &given));
  EXPECT_EQ(static_cast<void*>(&musa_kernel), given.func);
  EXPECT_OK(cudaGraphDestroy(graph));
}

}  // namespace
