// Modules of the driver, for its tests with kernel libraries.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "tests/conformance/cuda_driver.h"
#include "tests/kernel_libraries/program.h"

inline constexpr CUresult kNoBinary = CUDA_ERROR_NO_BINARY_FOR_GPU;
inline constexpr const char* kPtx = ".version 7.0\n.target sm_70\n";

class Modules : public Driver {
 protected:
  void SetUp() override {
    setenv("TORCHADA_KERNELS", FIRST_IMAGE ":" SECOND_IMAGE, 1);
    Driver::SetUp();
  }
  template <typename... Arguments>
  static CUresult start(CUfunction kernel, Arguments... arguments) {
    void* pointers[] = {&arguments...};
    return cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, nullptr);
  }
  static CUdeviceptr allocate(size_t bytes) {
    CUdeviceptr memory = 0;
    EXPECT_CU(cuMemAlloc_v2(&memory, bytes));
    EXPECT_CU(cuMemsetD8_v2(memory, 0, bytes));
    return memory;
  }
  static int read_int(CUdeviceptr memory) {
    int value = -1;
    EXPECT_CU(cuMemcpyDtoH_v2(&value, memory, sizeof value));
    return value;
  }
  static int result_of(CUfunction kernel) {
    const CUdeviceptr out = allocate(sizeof(int));
    EXPECT_CU(start(kernel, out));
    const int value = read_int(out);
    EXPECT_CU(cuMemFree_v2(out));
    return value;
  }
};

inline std::string content_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
