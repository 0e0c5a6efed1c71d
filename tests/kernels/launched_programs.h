// The kernels of programs/*.cu, built for the stand-in and launched through its driver. The
// programs' own main functions are for CUDA.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/host/musa/support.h"

struct Size {
  unsigned int x = 1, y = 1, z = 1;
};

class Programs : public DriverTest {
 protected:
  static std::string image_of(const std::string& program) {
    // Images are for warps of one size.
    const char* const arch = std::getenv("TORCHADA_HOST_ARCH");
    const std::string folder = arch == nullptr ? "/" : std::string("/") + arch + "/";
    return IMAGES + folder + program + ".image";
  }
  void load(const char* program) {
    const std::string file = image_of(program);
    ASSERT_MU(muModuleLoad(&module_, file.c_str())) << file;
  }
  template <typename... Arguments>
  void launch(const char* kernel, Size grid, Size block, unsigned int shared,
              Arguments... arguments) {
    MUfunction function = nullptr;
    ASSERT_MU(muModuleGetFunction(&function, module_, kernel)) << kernel;
    void* pointers[] = {&arguments...};
    EXPECT_MU(muLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared,
                             stream_, pointers, nullptr));
  }
  template <typename T>
  static MUdeviceptr upload(const std::vector<T>& values) {
    const MUdeviceptr memory = allocate(values.size() * sizeof(T));
    EXPECT_MU(muMemcpyHtoD_v2(memory, values.data(), values.size() * sizeof(T)));
    return memory;
  }
  template <typename T>
  static std::vector<T> download(MUdeviceptr from, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_MU(muMemcpyDtoH_v2(values.data(), from, count * sizeof(T)));
    return values;
  }
  // The attribute of a kernel.
  int attribute(const char* kernel, MUfunction_attribute which) {
    MUfunction function = nullptr;
    EXPECT_MU(muModuleGetFunction(&function, module_, kernel)) << kernel;
    int value = -1;
    EXPECT_MU(muFuncGetAttribute(&value, which, function));
    return value;
  }

  MUmodule module_ = nullptr;
  MUstream stream_ = nullptr;
};

template <typename T>
std::vector<T> repeat(std::size_t count, T value) {
  return std::vector<T>(count, value);
}
