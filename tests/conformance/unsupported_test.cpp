// Calls that MUSA cannot serve are refused and change nothing.
#include "tests/conformance/support.h"

namespace {

TEST(Unsupported, cudaLaunchKernel_cannot_run_device_code_for_nvidia) {
  int image = 0;
  char kernel = 0;
  __cudaRegisterFunction(__cudaRegisterFatBinary(&image), &kernel, nullptr, "_Z6kernelv", -1,
                         nullptr, nullptr, nullptr, nullptr, nullptr);
  EXPECT_ERROR(cudaErrorNoKernelImageForDevice,
               cudaLaunchKernel(&kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr));
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction,
               cudaLaunchKernel(not_an_object, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr));
}

TEST(Unsupported, cudaGraphicsMapResources_has_no_counterpart) {
  EXPECT_ERROR(cudaErrorNotSupported, cudaGraphicsMapResources(1, nullptr, nullptr));
}

TEST(Unsupported, cudaCreateChannelDesc_needs_no_device) {
  const cudaChannelFormatDesc made =
      cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindSigned);
  EXPECT_EQ(8, made.x);
  EXPECT_EQ(16, made.y);
  EXPECT_EQ(0, made.w);
  EXPECT_EQ(cudaChannelFormatKindSigned, made.f);
}

}  // namespace
