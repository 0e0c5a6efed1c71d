// Modules without an image, and handles that no module has. kernel_test.cpp has those that run.
#include "tests/host/musa/support.h"

namespace {

class DriverModule : public DriverTest {
 protected:
  MUmodule module_ = nullptr;
  const char image_[64] =  // As long as a header.
      "\x7f"
      "ELF";
};

TEST_F(DriverModule, muModuleLoadData_muModuleLoadDataEx_muModuleLoadFatBinary_muModuleLoad) {
  EXPECT_EQ(muModuleLoadData(&module_, image_), MUSA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(muModuleLoadDataEx(&module_, image_, 0, nullptr, nullptr), MUSA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(muModuleLoadDataEx(&module_, image_, 1, nullptr, nullptr), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muModuleLoadFatBinary(&module_, image_), MUSA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(muModuleLoadData(&module_, nullptr), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muModuleLoad(&module_, "/proc/self/exe"), MUSA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(muModuleLoad(&module_, "/nonexistent/image"), MUSA_ERROR_FILE_NOT_FOUND);
}

TEST_F(DriverModule, muModuleUnload_muModuleGetFunction_muModuleGetGlobal_v2) {
  EXPECT_EQ(muModuleUnload(module_), MUSA_ERROR_INVALID_HANDLE);
  MUfunction function = nullptr;
  EXPECT_EQ(muModuleGetFunction(&function, module_, "f"), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muModuleGetFunction(nullptr, module_, "f"), MUSA_ERROR_INVALID_VALUE);
  MUdeviceptr address = 0;
  size_t size = 0;
  EXPECT_EQ(muModuleGetGlobal_v2(&address, &size, module_, "g"), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muModuleGetGlobal_v2(nullptr, nullptr, module_, "g"), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModule, muLaunchKernel_checks_the_shape_first) {
  EXPECT_EQ(muLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muLaunchKernel(nullptr, 0, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModule, muLaunchKernelEx_checks_the_shape_first) {
  MUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  EXPECT_EQ(muLaunchKernelEx(&config, nullptr, nullptr, nullptr), MUSA_ERROR_INVALID_HANDLE);
  config.blockDimX = 0;
  EXPECT_EQ(muLaunchKernelEx(&config, nullptr, nullptr, nullptr), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muLaunchKernelEx(nullptr, nullptr, nullptr, nullptr), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModule, muModuleGetTexRef_and_muModuleGetSurfRef) {
  MUtexref texture = nullptr;
  MUsurfref surface = nullptr;
  EXPECT_EQ(muModuleGetTexRef(&texture, module_, "t"), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muModuleGetTexRef(nullptr, module_, "t"), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muModuleGetSurfRef(&surface, module_, "s"), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muModuleGetSurfRef(&surface, module_, nullptr), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModule, muFuncGetAttribute_muFuncSetAttribute_muFuncGetModule_know_no_function) {
  int value = 0;
  EXPECT_EQ(muFuncGetAttribute(&value, MU_FUNC_ATTRIBUTE_NUM_REGS, nullptr),
            MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muFuncGetAttribute(nullptr, MU_FUNC_ATTRIBUTE_NUM_REGS, nullptr),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muFuncSetAttribute(nullptr, MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 1),
            MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muFuncGetModule(&module_, nullptr), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muFuncGetModule(nullptr, nullptr), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModule, muFuncSetCacheConfig_and_muFuncSetSharedMemConfig_know_no_function) {
  EXPECT_EQ(muFuncSetCacheConfig(nullptr, MU_FUNC_CACHE_PREFER_L1), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muFuncSetSharedMemConfig(nullptr, MU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE),
            MUSA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverModule, muOccupancyMaxActiveBlocksPerMultiprocessor_knows_no_function) {
  int blocks = 0;
  EXPECT_EQ(muOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nullptr, 32, 0),
            MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, nullptr, 32, 0),
            MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModule, muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_knows_no_function) {
  int blocks = 0;
  EXPECT_EQ(muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, nullptr, 32, 0, 0),
            MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(nullptr, nullptr, 32, 0, 0),
            MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModule, muOccupancyMaxPotentialBlockSize_knows_no_function) {
  int grid = 0;
  int block = 0;
  EXPECT_EQ(muOccupancyMaxPotentialBlockSize(&grid, &block, nullptr, nullptr, 0, 0),
            MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muOccupancyMaxPotentialBlockSize(&grid, nullptr, nullptr, nullptr, 0, 0),
            MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverModule, muOccupancyMaxPotentialBlockSizeWithFlags_knows_no_function) {
  int grid = 0;
  int block = 0;
  EXPECT_EQ(muOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, nullptr, nullptr, 0, 0, 0),
            MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muOccupancyMaxPotentialBlockSizeWithFlags(nullptr, &block, nullptr, nullptr, 0, 0, 0),
            MUSA_ERROR_INVALID_VALUE);
}

}  // namespace
