// SDK 3.1 exports fewer functions: registered code is still recognised, and otherwise the line says
// what is missing.
#include <gtest/gtest.h>

#include <string>

#include "tests/conformance/support.h"
#include "tests/device_code/registering.h"

namespace {

char kernel;

TEST(OldSdk, KernelsAreRefused) {
  const Module module;
  module.kernel(&kernel, "_Z6kernelv");
  EXPECT_ERROR(kNoImage, launch(&kernel));
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, launch(not_an_object));
  cudaFuncAttributes attributes{};
  EXPECT_ERROR(kNoImage, cudaFuncGetAttributes(&attributes, &kernel));
}

// No tree of the stand-in has this function: how device code's variables are registered with MUSA
// has not been published.
TEST(OldSdk, MissingFunctionsAreNamed) {
  char variable = 0;
  const Module module;
  module.variable(&variable, "variable", 4);
  cudaGraphNode_t node = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_ERROR(kNoImage, cudaGraphMemcpyNodeSetParamsToSymbol(node, &variable, nullptr, 4, 0,
                                                              cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaErrorNotSupported,
               cudaGraphMemcpyNodeSetParamsToSymbol(node, not_an_object, nullptr, 4, 0,
                                                    cudaMemcpyHostToDevice));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("device variable variable has no MUSA image")) << said;
  EXPECT_NE(std::string::npos,
            said.find("musaGraphMemcpyNodeSetParamsToSymbol is not exported by /"))
      << said;
}

#if CUDA_MAJOR >= 12
TEST(OldSdk, NamesAreKnown) {
  const Module module;
  module.kernel(&kernel, "_Z6kernelv");
  const char* name = nullptr;
  EXPECT_OK(cudaFuncGetName(&name, &kernel));
  EXPECT_STREQ("_Z6kernelv", name);
  EXPECT_ERROR(cudaErrorNotSupported, cudaFuncGetName(&name, not_an_object));
}
#endif

}  // namespace
