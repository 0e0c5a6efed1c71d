// Calls that name a kernel or a variable registered by the program.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/conformance/support.h"
#include "tests/device_code/registering.h"

extern "C" void __cudaRegisterHostVar(void** handle, const char* name, char* host, size_t size);

namespace {

char kernel;
char variable;
char managed;
char host_variable;

class Consulting : public testing::Test {
 protected:
  void SetUp() override {
    module_.kernel(&kernel, "_Z6kernelv");
    module_.variable(&variable, "variable", 40);
    __cudaRegisterManagedVar(module_.handle(), reinterpret_cast<void**>(&managed), nullptr,
                             "managed", 0, 48, 0, 0);
    __cudaRegisterHostVar(module_.handle(), "host_variable", &host_variable, 56);
  }

  Module module_;
};

TEST_F(Consulting, LaunchesAreRefused) {
  EXPECT_ERROR(kNoImage, launch(&kernel));
  cudaLaunchConfig_t config{};
  EXPECT_ERROR(kNoImage, cudaLaunchKernelExC(&config, &kernel, nullptr));
  EXPECT_ERROR(kNoImage,
               cudaLaunchCooperativeKernel(&kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr));
  // A variable is not a kernel.
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, launch(&variable));
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, launch(nullptr));
}

#if CUDA_MAJOR >= 12
TEST_F(Consulting, WhatNewerCompilersEmitIsRefused) {
  cudaKernel_t handle = nullptr;
  ASSERT_OK(__cudaGetKernel(&handle, &kernel));
  EXPECT_ERROR(kNoImage, __cudaLaunchKernel(handle, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr));
  EXPECT_ERROR(kNoImage, cudaKernelSetAttributeForDevice(
                             handle, cudaFuncAttributeMaxDynamicSharedMemorySize, 0, 0));
}

TEST_F(Consulting, NamesAreKnown) {
  const char* name = nullptr;
  ASSERT_OK(cudaFuncGetName(&name, &kernel));
  EXPECT_STREQ("_Z6kernelv", name);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFuncGetName(nullptr, &kernel));
  name = "untouched";
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, &variable));
  EXPECT_STREQ("untouched", name);
}

TEST_F(Consulting, HandlesAreRefused) {
  auto* handle = reinterpret_cast<cudaKernel_t>(not_an_object);
  EXPECT_ERROR(kNoImage, cudaGetKernel(&handle, &kernel));
  EXPECT_EQ(reinterpret_cast<cudaKernel_t>(not_an_object), handle);
}
#endif

TEST_F(Consulting, AttributesAreRefusedAndUntouched) {
  cudaFuncAttributes attributes;
  std::memset(&attributes, 0xee, sizeof attributes);
  const cudaFuncAttributes before = attributes;
  EXPECT_ERROR(kNoImage, cudaFuncGetAttributes(&attributes, &kernel));
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, &variable));
  EXPECT_EQ(0, std::memcmp(&before, &attributes, sizeof before));
  EXPECT_ERROR(kNoImage,
               cudaFuncSetAttribute(&kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
  EXPECT_ERROR(kNoImage, cudaFuncSetCacheConfig(&kernel, cudaFuncCachePreferL1));
  cudaFunction_t function = nullptr;
  EXPECT_ERROR(kNoImage, cudaGetFuncBySymbol(&function, &kernel));
  EXPECT_EQ(nullptr, function);
}

TEST_F(Consulting, OccupancyIsRefused) {
  int blocks = 77;
  EXPECT_ERROR(kNoImage, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kernel, 64, 0));
  EXPECT_ERROR(kNoImage,
               cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &kernel, 64, 0, 0));
  size_t bytes = 77;
  EXPECT_ERROR(kNoImage, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &kernel, 1, 64));
  EXPECT_EQ(77, blocks);
  EXPECT_EQ(77u, bytes);
}

TEST_F(Consulting, GraphNodesAreRefused) {
  cudaGraph_t graph = nullptr;
  ASSERT_OK(cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams params{};
  params.func = &kernel;
  params.gridDim = params.blockDim = {1, 1, 1};
  cudaGraphNode_t node = nullptr;
  EXPECT_ERROR(kNoImage, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  EXPECT_EQ(nullptr, node);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr));
  EXPECT_OK(cudaGraphDestroy(graph));
}

TEST_F(Consulting, VariablesHaveASizeAndNoAddress) {
  EXPECT_EQ(40u, size_of(&variable));
  EXPECT_EQ(48u, size_of(&managed));
  EXPECT_EQ(56u, size_of(&host_variable));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetSymbolSize(nullptr, &variable));
  void* address = not_an_object;
  EXPECT_ERROR(kNoImage, cudaGetSymbolAddress(&address, &variable));
  EXPECT_EQ(static_cast<void*>(not_an_object), address);
  EXPECT_ERROR(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, &kernel));
  EXPECT_ERROR(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, not_an_object));
}

TEST_F(Consulting, CopiesOfVariablesAreRefused) {
  char bytes[40] = {};
  EXPECT_ERROR(kNoImage,
               cudaMemcpyToSymbol(&variable, bytes, sizeof bytes, 0, cudaMemcpyHostToDevice));
  EXPECT_ERROR(kNoImage,
               cudaMemcpyFromSymbol(bytes, &variable, sizeof bytes, 0, cudaMemcpyDeviceToHost));
  EXPECT_ERROR(kNoImage, cudaMemcpyToSymbolAsync(&variable, bytes, sizeof bytes, 0,
                                                 cudaMemcpyHostToDevice, nullptr));
  EXPECT_ERROR(kNoImage, cudaMemcpyFromSymbolAsync(bytes, &variable, sizeof bytes, 0,
                                                   cudaMemcpyDeviceToHost, nullptr));
  EXPECT_ERROR(cudaErrorInvalidSymbol,
               cudaMemcpyToSymbol(not_an_object, bytes, sizeof bytes, 0, cudaMemcpyHostToDevice));
}

}  // namespace
