#include <unistd.h>

#include <algorithm>

#include "tests/host/musart/support.h"

namespace {

TEST(Device, SaysWhatItIs) {
  musaDeviceProp prop{};
  ASSERT_OK(musaGetDeviceProperties(&prop, 0));
  EXPECT_STREQ("torchada host (CPU)", prop.name);
  EXPECT_EQ(3, prop.major);
  EXPECT_EQ(1, prop.minor);
  EXPECT_EQ(32, prop.warpSize);
  EXPECT_EQ(1, prop.integrated);
  // 16 GB/s, as programs reckon it: twice the clock, times the bytes of the bus.
  EXPECT_EQ(1000000, prop.memoryClockRate);
  EXPECT_EQ(64, prop.memoryBusWidth);
  EXPECT_GE(prop.multiProcessorCount, 1);
  EXPECT_LE(prop.multiProcessorCount, sysconf(_SC_NPROCESSORS_CONF));
  EXPECT_EQ(size_t{256} << 20, prop.totalGlobalMem);
  EXPECT_ERROR(musaErrorInvalidValue, musaGetDeviceProperties(nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaGetDeviceProperties(&prop, 1));
}

TEST(Device, musaGetDeviceProperties_v2_fills_all) {
  musaDeviceProp prop{};
  std::memset(&prop, 0x5a, sizeof prop);
  EXPECT_OK(musaGetDeviceProperties_v2(&prop, 0));
  EXPECT_EQ(32, prop.warpSize);
  EXPECT_EQ(1, prop.hostRegisterSupported);
  EXPECT_EQ(0, prop.reserved[62]);
  EXPECT_ERROR(musaErrorInvalidValue, musaGetDeviceProperties_v2(nullptr, 0));
}

TEST(Device, AttributesAgreeWithProperties) {
  musaDeviceProp prop{};
  ASSERT_OK(musaGetDeviceProperties(&prop, 0));
  const auto attribute = [](int number) {
    int value = -1;
    EXPECT_OK(musaDeviceGetAttribute(&value, static_cast<musaDeviceAttr>(number), 0)) << number;
    return value;
  };
  EXPECT_EQ(prop.maxThreadsPerBlock, attribute(1));
  EXPECT_EQ(32, attribute(10));
  EXPECT_EQ(prop.multiProcessorCount, attribute(16));
  EXPECT_EQ(1, attribute(18));
  EXPECT_EQ(prop.pciDomainID, attribute(50));
  EXPECT_EQ(3, attribute(75));
  EXPECT_EQ(1, attribute(76));
  EXPECT_EQ(1, attribute(115));
  EXPECT_EQ(0, attribute(116));
  EXPECT_EQ(musaMemHandleTypePosixFileDescriptor, attribute(119));
}

TEST(Device, EveryAttributeOfTheListAndNoOther) {
  const std::vector<int> holes = {44, 102, 103, 104, 105, 107, 110};
  for (int number = -1; number <= 130; ++number) {
    int value = -1;
    const bool hole = std::find(holes.begin(), holes.end(), number) != holes.end();
    const bool listed = number >= 1 && number <= 119 && !hole;
    const musaError_t status =
        musaDeviceGetAttribute(&value, static_cast<musaDeviceAttr>(number), 0);
    EXPECT_EQ(listed ? musaSuccess : musaErrorInvalidValue, status) << number;
    if (listed) {
      EXPECT_GE(value, 0) << number;
    }
  }
  int value = 0;
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetAttribute(nullptr, musaDevAttrWarpSize, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceGetAttribute(&value, musaDevAttrWarpSize, 7));
}

TEST(Device, PciBusIdLeadsBack) {
  char id[16] = {};
  ASSERT_OK(musaDeviceGetPCIBusId(id, sizeof(id), 0));
  int device = -1;
  EXPECT_OK(musaDeviceGetByPCIBusId(&device, id));
  EXPECT_EQ(0, device);
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetPCIBusId(nullptr, 16, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetPCIBusId(id, 5, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceGetPCIBusId(id, 16, 3));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceGetByPCIBusId(&device, "0000:01:00.0"));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceGetByPCIBusId(&device, "01:00.0"));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetByPCIBusId(&device, "no such thing"));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetByPCIBusId(&device, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetByPCIBusId(nullptr, id));
}

TEST(Device, CacheConfigCanBeReadBackAndReset) {
  musaFuncCache cache = musaFuncCachePreferNone;
  EXPECT_OK(musaDeviceSetCacheConfig(musaFuncCachePreferL1));
  EXPECT_OK(musaDeviceGetCacheConfig(&cache));
  EXPECT_EQ(musaFuncCachePreferL1, cache);
  EXPECT_OK(musaDeviceReset());
  EXPECT_OK(musaDeviceGetCacheConfig(&cache));
  EXPECT_EQ(musaFuncCachePreferNone, cache);
}

TEST(Device, MapsMemoryOfTheHostWhateverElseIsSet) {
  unsigned int flags = 0;
  EXPECT_OK(musaSetDeviceFlags(musaDeviceScheduleSpin));
  EXPECT_OK(musaGetDeviceFlags(&flags));
  EXPECT_EQ(static_cast<unsigned>(musaDeviceScheduleSpin | musaDeviceMapHost), flags);
  EXPECT_OK(musaDeviceReset());
}

TEST(Device, BanksAreFixed) {
  musaSharedMemConfig banks = musaSharedMemBankSizeDefault;
  EXPECT_OK(musaDeviceSetSharedMemConfig(musaSharedMemBankSizeEightByte));
  EXPECT_OK(musaDeviceGetSharedMemConfig(&banks));
  EXPECT_EQ(musaSharedMemBankSizeFourByte, banks);
}

TEST(Device, InitDevice) {
  unsigned int flags = 0;
  EXPECT_OK(musaInitDevice(0, musaDeviceScheduleYield, 1));
  EXPECT_OK(musaGetDeviceFlags(&flags));
  EXPECT_EQ(static_cast<unsigned>(musaDeviceScheduleYield | musaDeviceMapHost), flags);
  EXPECT_OK(musaInitDevice(0, 0, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaInitDevice(4, 0, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaInitDevice(0, 0, 2));
  EXPECT_ERROR(musaErrorInvalidValue, musaInitDevice(0, 0x1000, 1));
}

TEST(Device, Restrict) {
  int valid[] = {0};
  int invalid[] = {0, 5};
  EXPECT_OK(musaSetValidDevices(valid, 1));
  EXPECT_OK(musaSetValidDevices(nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaSetValidDevices(invalid, 2));
  EXPECT_ERROR(musaErrorInvalidValue, musaSetValidDevices(nullptr, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaSetValidDevices(valid, -1));
}

TEST(Device, ResetTakesEverythingAway) {
  void* memory = nullptr;
  void* pinned = nullptr;
  musaStream_t stream = nullptr;
  musaEvent_t event = nullptr;
  ASSERT_OK(musaMalloc(&memory, 1 << 20));
  ASSERT_OK(musaMallocHost(&pinned, 4096));
  ASSERT_OK(musaStreamCreate(&stream));
  ASSERT_OK(musaEventCreate(&event));
  ASSERT_OK(musaMemsetAsync(memory, 1, 1 << 20, stream));
  ASSERT_OK(musaDeviceReset());
  EXPECT_ERROR(musaErrorInvalidValue, musaFree(memory));
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeHost(pinned));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamSynchronize(stream));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventQuery(event));
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(musaMemGetInfo(&free, &total));
  EXPECT_EQ(total, free);
}

TEST(Device, NoPeersWithoutASecondDevice) {
  int can = -1;
  EXPECT_OK(musaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT_EQ(0, can);
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceCanAccessPeer(nullptr, 0, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceEnablePeerAccess(0, 0));
}

}  // namespace
