// A program with a library built for MUSA. The library's kernels are registered with MUSA and
// called through CUDA's names, beside the program's own kernels.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tests/conformance/support.h"
#include "tests/device_code/registering.h"

namespace {

char musa_kernel;
char cuda_kernel;

class Mixed : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    int count = 0;
    ASSERT_OK(cudaGetDeviceCount(&count));
    void* const musart = dlopen("libmusart.so.5", RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(nullptr, musart) << "MUSA is not open";
    const auto open = reinterpret_cast<void** (*)(void*)>(dlsym(musart, "__musaRegisterFatBinary"));
    const auto function =
        reinterpret_cast<void (*)(void**, const char*, char*, const char*, int, void*, void*, void*,
                                  void*, int*)>(dlsym(musart, "__musaRegisterFunction"));
    ASSERT_NE(nullptr, open);
    ASSERT_NE(nullptr, function);
    int image = 0;
    function(open(&image), &musa_kernel, nullptr, "_Z11musa_kernelv", 128, nullptr, nullptr,
             nullptr, nullptr, nullptr);
  }
  void SetUp() override { module_.kernel(&cuda_kernel, "_Z11cuda_kernelv"); }

  Module module_;
};

// The stand-in checks the shape of a launch first. It has no image either, but reports that without
// the shim's line.
TEST_F(Mixed, LaunchesOfMusaKernelsReachMusa) {
  testing::internal::CaptureStderr();
  EXPECT_ERROR(kNoImage, launch(&musa_kernel));
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
  struct {
    cudaFuncAttributes attributes;
    unsigned char canary[64];
  } given;
  std::memset(&given, 0xee, sizeof given);
  ASSERT_OK(cudaFuncGetAttributes(&given.attributes, &musa_kernel));
  EXPECT_EQ(128, given.attributes.maxThreadsPerBlock);
  EXPECT_EQ(-1, given.attributes.preferredShmemCarveout);
  for (const unsigned char byte : given.canary) EXPECT_EQ(0xee, byte);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFuncGetAttributes(nullptr, &musa_kernel));
  EXPECT_OK(cudaFuncSetAttribute(&musa_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  ASSERT_OK(cudaFuncGetAttributes(&given.attributes, &musa_kernel));
  EXPECT_EQ(1024, given.attributes.maxDynamicSharedSizeBytes);
}

TEST_F(Mixed, HandlesAreMusas) {
  cudaFunction_t function = nullptr;
  EXPECT_OK(cudaGetFuncBySymbol(&function, &musa_kernel));
  EXPECT_NE(nullptr, function);
#if CUDA_MAJOR >= 12
  cudaKernel_t kernel = nullptr;
  EXPECT_OK(cudaGetKernel(&kernel, &musa_kernel));
  EXPECT_NE(nullptr, kernel);
  EXPECT_OK(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            2048, 0));
  const char* name = nullptr;
  EXPECT_OK(cudaFuncGetName(&name, &musa_kernel));
  EXPECT_STREQ("_Z11musa_kernelv", name);
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
