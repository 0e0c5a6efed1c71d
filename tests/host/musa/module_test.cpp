// The device runs no code: every image is refused.
#include "tests/host/musa/support.h"

namespace {

class DriverModule : public DriverTest {
 protected:
  MUmodule module_ = nullptr;
  const char image_[8] =
      "\x7f"
      "ELF";
};

TEST_F(DriverModule, muModuleLoadData_muModuleLoadDataEx_muModuleLoadFatBinary_muModuleLoad) {
  EXPECT_EQ(muModuleLoadData(&module_, image_), MUSA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(muModuleLoadDataEx(&module_, image_, 0, nullptr, nullptr),
            MUSA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(muModuleLoadDataEx(&module_, image_, 1, nullptr, nullptr), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muModuleLoadFatBinary(&module_, image_), MUSA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(muModuleLoadData(&module_, nullptr), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muModuleLoad(&module_, "/proc/self/exe"), MUSA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(muModuleLoad(&module_, "/nonexistent/image"), MUSA_ERROR_FILE_NOT_FOUND);
}

TEST_F(DriverModule, muModuleUnload_muModuleGetFunction_muModuleGetGlobal_muModuleGetGlobal_v2) {
  EXPECT_EQ(muModuleUnload(module_), MUSA_ERROR_INVALID_HANDLE);
  MUfunction function = nullptr;
  EXPECT_EQ(muModuleGetFunction(&function, module_, "f"), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muModuleGetFunction(nullptr, module_, "f"), MUSA_ERROR_INVALID_VALUE);
  MUdeviceptr address = 0;
  size_t size = 0;
  EXPECT_EQ(muModuleGetGlobal(&address, &size, module_, "g"), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muModuleGetGlobal_v2(&address, &size, module_, "g"), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muModuleGetGlobal_v2(nullptr, nullptr, module_, "g"), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModule, muLaunchKernel_checks_the_shape_first) {
  EXPECT_EQ(muLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muLaunchKernel(nullptr, 0, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            MUSA_ERROR_INVALID_VALUE);
}

}  // namespace
