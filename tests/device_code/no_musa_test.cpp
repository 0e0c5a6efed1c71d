// Without MUSA, the error says so, even for registered code.
#include <gtest/gtest.h>

#include <string>

#include "tests/conformance/support.h"
#include "tests/device_code/registering.h"

namespace {

TEST(NoMusa, ComesBeforeNoImage) {
  char kernel = 0;
  char variable = 0;
  const Module module;
  module.kernel(&kernel, "_Z6kernelv");
  module.variable(&variable, "variable", 4);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaErrorInsufficientDriver, launch(&kernel));
  cudaFuncAttributes attributes{};
  EXPECT_EQ(cudaErrorInsufficientDriver, cudaFuncGetAttributes(&attributes, &kernel));
  size_t size = 77;
  EXPECT_EQ(cudaErrorInsufficientDriver, cudaGetSymbolSize(&size, &variable));
  EXPECT_EQ(77u, size);
#if CUDA_MAJOR >= 12
  const char* name = nullptr;
  EXPECT_EQ(cudaErrorInsufficientDriver, cudaFuncGetName(&name, &kernel));
  EXPECT_EQ(nullptr, name);
  EXPECT_EQ(cudaErrorInsufficientDriver,
            __cudaLaunchKernel(reinterpret_cast<cudaKernel_t>(&kernel), {1, 1, 1}, {1, 1, 1},
                               nullptr, 0, nullptr));
#endif
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("no MUSA found")) << said;
  EXPECT_EQ(std::string::npos, said.find("has no MUSA image")) << said;
}

}  // namespace
