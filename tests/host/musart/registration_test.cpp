// Device code of a program, registered as mcc's static constructors do. The runtime refuses it by
// its name, and runs the program's other parts.
#include <string>
#include <utility>

#include "musa_registration.h"
#include "tests/host/musart/support.h"

namespace {

// As in the section .mtFatBinSegment. The bundle is cut off: nothing may look into it.
struct Wrapper {
  unsigned int magic = 0x466243b1;
  unsigned int version = 1;
  const char* bundle = "__CLANG_OFFLOAD_BUNDLE__";
  void* unused = nullptr;
};

void kernel() {}
void unregistered_kernel() {}

class Registration : public ::testing::Test {
 protected:
  void SetUp() override {
    binary_ = __musaRegisterFatBinary(&wrapper_);
    ASSERT_NE(nullptr, binary_);
    __musaRegisterFunction(binary_, address_of(kernel), name_, name_, -1, nullptr, nullptr, nullptr,
                           nullptr, nullptr);
    __musaRegisterVar(binary_, variable_, variable_name_, variable_name_, 0, sizeof variable_, 0,
                      0);
  }
  void TearDown() override {
    if (binary_ != nullptr) __musaUnregisterFatBinary(binary_);
    EXPECT_OK(musaGetLastError());
  }

  static const char* address_of(void (*function)()) {
    return reinterpret_cast<const char*>(function);
  }
  static musaError_t launch(void (*function)(), unsigned int threads = 1) {
    return musaLaunchKernel(address_of(function), dim3(1), dim3(threads), nullptr, 0, nullptr);
  }

  Wrapper wrapper_;
  void** binary_ = nullptr;
  char name_[13] = "_Z6kernelPfi";
  char variable_[8] = {};
  char variable_name_[6] = "table";
};

TEST_F(Registration, __musaRegisterFunction_makes_launches_fail_with_the_name_of_the_kernel) {
  ::testing::internal::CaptureStderr();
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, launch(kernel));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, launch(kernel));
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(
      "torchada host: kernel _Z6kernelPfi is not available: its device code is for a GPU of Moore "
      "Threads, and this is a CPU; returning musaErrorNoKernelImageForDevice (209)\n",
      said);
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, launch(unregistered_kernel));
  EXPECT_ERROR(musaErrorInvalidConfiguration, launch(kernel, 2000));
}

TEST_F(Registration, __musaRegisterFunction_makes_questions_fail) {
  musaFuncAttributes attributes{};
  musaFunction_t handle = nullptr;
  const char* name = nullptr;
  int blocks = 0;
  size_t size = 0;
  musaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1);
  const void* const function = address_of(kernel);
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaFuncGetAttributes(&attributes, function));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaFuncGetName(&name, function));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaFuncGetParamInfo(function, 0, &size, &size));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice,
               musaFuncSetAttribute(function, musaFuncAttributeMaxDynamicSharedMemorySize, 1));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaGetFuncBySymbol(&handle, function));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice,
               musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32, 0));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice,
               musaOccupancyAvailableDynamicSMemPerBlock(&size, function, 1, 32));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice,
               musaOccupancyMaxActiveClusters(&blocks, function, &config));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaLaunchKernelExC(&config, function, nullptr));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice,
               musaLaunchCooperativeKernel(function, dim3(1), dim3(1), nullptr, 0, nullptr));
}

TEST_F(Registration, __musaRegisterVar_makes_copies_fail_with_the_name_of_the_variable) {
  char bytes[8] = {};
  void* address = nullptr;
  ::testing::internal::CaptureStderr();
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaMemcpyToSymbol(variable_, bytes, 8));
  EXPECT_EQ(
      "torchada host: variable table is not available: its device code is for a GPU of Moore "
      "Threads, and this is a CPU; returning musaErrorNoKernelImageForDevice (209)\n",
      ::testing::internal::GetCapturedStderr());
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaMemcpyFromSymbol(bytes, variable_, 8));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, musaGetSymbolAddress(&address, variable_));
  EXPECT_ERROR(musaErrorInvalidSymbol, musaMemcpyToSymbol(bytes, variable_, 8));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpyToSymbol(variable_, nullptr, 8));
}

TEST_F(Registration, __musaRegisterFatBinary_gives_every_file_a_handle_of_its_own) {
  void** const other = __musaRegisterFatBinary(&wrapper_);
  ASSERT_NE(nullptr, other);
  ASSERT_NE(binary_, other);
  __musaRegisterFunction(other, address_of(unregistered_kernel), name_, name_, -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, launch(unregistered_kernel));
  __musaUnregisterFatBinary(other);
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, launch(unregistered_kernel));
  EXPECT_ERROR(musaErrorNoKernelImageForDevice, launch(kernel));
}

TEST_F(Registration, __musaUnregisterFatBinary_forgets_what_the_file_registered) {
  __musaUnregisterFatBinary(std::exchange(binary_, nullptr));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, launch(kernel));
  char bytes[8] = {};
  EXPECT_ERROR(musaErrorInvalidSymbol, musaMemcpyToSymbol(variable_, bytes, 8));
  __musaUnregisterFatBinary(nullptr);
  void* stranger = nullptr;
  __musaUnregisterFatBinary(&stranger);
  __musaRegisterFunction(&stranger, address_of(kernel), name_, name_, -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, launch(kernel));
}

struct Popped {
  musaError_t status = musaSuccess;
  dim3 grid;
  dim3 block;
  size_t shared = 0;
  musaStream_t stream = nullptr;
};

Popped pop() {
  Popped out;
  out.status = __musaPopCallConfiguration(&out.grid, &out.block, &out.shared, &out.stream);
  return out;
}

TEST_F(Registration, __musaPushCallConfiguration_keeps_all_four) {
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreate(&stream));
  EXPECT_EQ(0U, __musaPushCallConfiguration(dim3(1, 2, 3), dim3(4, 5, 6), 7, stream));
  const Popped popped = pop();
  ASSERT_OK(popped.status);
  EXPECT_EQ(1U, popped.grid.x);
  EXPECT_EQ(2U, popped.grid.y);
  EXPECT_EQ(3U, popped.grid.z);
  EXPECT_EQ(4U, popped.block.x);
  EXPECT_EQ(5U, popped.block.y);
  EXPECT_EQ(6U, popped.block.z);
  EXPECT_EQ(7U, popped.shared);
  EXPECT_EQ(stream, popped.stream);
  EXPECT_OK(musaStreamDestroy(stream));
}

TEST_F(Registration, __musaPopCallConfiguration_gives_the_last_first) {
  EXPECT_EQ(0U, __musaPushCallConfiguration(dim3(1), dim3(2), 3, nullptr));
  EXPECT_EQ(0U, __musaPushCallConfiguration(dim3(4), dim3(5), 6, nullptr));
  EXPECT_EQ(4U, pop().grid.x);
  EXPECT_EQ(1U, pop().grid.x);
  EXPECT_ERROR(musaErrorMissingConfiguration, pop().status);
}

}  // namespace
