#include "support.h"

extern "C" {
void** __musaRegisterFatBinary(void* fatBinary);
void __musaRegisterFunction(void** handle, const char* hostFunction, char* deviceFunction,
                            const char* deviceName, int threadLimit, uint3* threadIds,
                            uint3* blockIds, dim3* blockDim, dim3* gridDim, int* warpSize);
}

namespace {

void kernel() {}
const void* const kFunction = reinterpret_cast<const void*>(&kernel);

TEST(Launch, RegistrationIsAcceptedSilently) {
  int image = 0;
  void** handle = __musaRegisterFatBinary(&image);
  ASSERT_NE(nullptr, handle);
  char name[] = "kernel";
  __musaRegisterFunction(handle, static_cast<const char*>(kFunction), name, name, -1, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
  EXPECT_OK(musaGetLastError());
}

TEST(Launch, ThereIsNoDeviceCode) {
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaLaunchKernel(kFunction, dim3(1), dim3(1), nullptr, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaLaunchCooperativeKernel(kFunction, dim3(1), dim3(1), nullptr, 0, nullptr));
  musaLaunchConfig_t config{};
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaLaunchKernelExC(&config, kFunction, nullptr));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaFuncSetAttribute(kFunction, musaFuncAttributeMaxDynamicSharedMemorySize, 1));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaFuncSetCacheConfig(kFunction, musaFuncCachePreferL1));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaFuncSetSharedMemConfig(kFunction, musaSharedMemBankSizeDefault));
  musaFuncAttributes attributes{};
  EXPECT_ERROR(musaErrorInvalidDeviceFunction, musaFuncGetAttributes(&attributes, kFunction));
  int blocks = 0;
  size_t bytes = 0;
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kFunction, 32, 0));
  EXPECT_ERROR(
      musaErrorInvalidDeviceFunction,
      musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kFunction, 32, 0, 0));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyAvailableDynamicSMemPerBlock(&bytes, kFunction, 1, 32));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyMaxPotentialClusterSize(&blocks, kFunction, &config));
  EXPECT_ERROR(musaErrorInvalidDeviceFunction,
               musaOccupancyMaxActiveClusters(&blocks, kFunction, &config));
}

TEST(Launch, NullResults) {
  EXPECT_ERROR(musaErrorInvalidValue, musaLaunchKernelExC(nullptr, kFunction, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaFuncGetAttributes(nullptr, kFunction));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kFunction, 32, 0));
}

}  // namespace
