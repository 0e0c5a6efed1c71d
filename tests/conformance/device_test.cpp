// Which devices exist and what they report.
#include <thread>

#include "tests/conformance/support.h"

namespace {

int attribute(cudaDeviceAttr which, int device = 0) {
  int value = -1;
  EXPECT_OK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

TEST(Devices, cudaGetDeviceCount_counts) {
  int count = 0;
  EXPECT_OK(cudaGetDeviceCount(&count));
  EXPECT_EQ(2, count);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
}

TEST(Devices, cudaSetDevice_holds_for_its_thread) {
  int device = -1;
  EXPECT_OK(cudaSetDevice(1));
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT_EQ(1, device);
  std::thread([] {
    int theirs = -1;
    EXPECT_OK(cudaGetDevice(&theirs));
    EXPECT_EQ(0, theirs);
  }).join();
  EXPECT_OK(cudaSetDevice(0));
}

TEST(Devices, cudaSetDevice_refuses_devices_that_are_not_there) {
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaSetDevice(-1));
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaSetDevice(2));
}

TEST(Devices, cudaGetDevice_is_the_first_one_unless_told) {
  int device = -1;
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT_EQ(0, device);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDevice(nullptr));
}

TEST(Devices, cudaDeviceGetAttribute_tells_each_kind) {
  EXPECT_GT(attribute(cudaDevAttrMultiProcessorCount), 0);
  EXPECT_GT(attribute(cudaDevAttrMaxThreadsPerBlock), 0);
  const int warp = attribute(cudaDevAttrWarpSize);
  EXPECT_TRUE(warp == 32 || warp == 128) << warp;
  EXPECT_EQ(1, attribute(cudaDevAttrUnifiedAddressing));
  EXPECT_EQ(1, attribute(cudaDevAttrMemoryPoolsSupported));
  EXPECT_NE(attribute(cudaDevAttrPciBusId, 0), attribute(cudaDevAttrPciBusId, 1));
}

TEST(Devices, cudaDeviceGetAttribute_refuses_bad_arguments) {
  int value = 0;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(-1), 0));
}

TEST(Devices, cudaGetDeviceProperties_agree_with_the_attributes) {
  for (int device = 0; device < 2; ++device) {
    struct {
      cudaDeviceProp properties;
      unsigned char behind[64];
    } told;
    std::memset(&told, 0xcd, sizeof(told));
    ASSERT_OK(properties_of(&told.properties, device));
    const cudaDeviceProp& properties = told.properties;
    EXPECT_NE('\0', properties.name[0]);
    EXPECT_NE(nullptr, std::memchr(properties.name, 0, sizeof(properties.name)));
    EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor, device), properties.major);
    EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMinor, device), properties.minor);
    EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount, device), properties.multiProcessorCount);
    EXPECT_EQ(attribute(cudaDevAttrWarpSize, device), properties.warpSize);
    EXPECT_EQ(attribute(cudaDevAttrPciBusId, device), properties.pciBusID);
    EXPECT_EQ(attribute(cudaDevAttrMaxGridDimX, device), properties.maxGridSize[0]);
    EXPECT_EQ(attribute(cudaDevAttrL2CacheSize, device), properties.l2CacheSize);
    EXPECT_EQ(attribute(cudaDevAttrMaxTexture1DWidth, device), properties.maxTexture1D);
    EXPECT_EQ(attribute(cudaDevAttrMaxTexture2DHeight, device), properties.maxTexture2D[1]);
    EXPECT_EQ(attribute(cudaDevAttrMaxTexture3DDepth, device), properties.maxTexture3D[2]);
    EXPECT_EQ(attribute(cudaDevAttrMaxSurface2DLayeredLayers, device),
              properties.maxSurface2DLayered[2]);
    EXPECT_EQ(attribute(cudaDevAttrMaxTextureCubemapLayeredWidth, device),
              properties.maxTextureCubemapLayered[0]);
    size_t free = 0;
    size_t total = 0;
    EXPECT_OK(cudaSetDevice(device));
    EXPECT_OK(cudaMemGetInfo(&free, &total));
    EXPECT_EQ(total, properties.totalGlobalMem);
    for (const unsigned char byte : told.behind) ASSERT_EQ(0xcd, byte);
  }
  EXPECT_OK(cudaSetDevice(0));
}

TEST(Devices, cudaGetDeviceProperties_refuses_bad_arguments) {
  cudaDeviceProp properties{};
  EXPECT_ERROR(cudaErrorInvalidDevice, properties_of(&properties, 2));
  EXPECT_ERROR(cudaErrorInvalidDevice, properties_of(&properties, -1));
  EXPECT_ERROR(cudaErrorInvalidValue, properties_of(nullptr, 0));
}

#if CUDA_MAJOR == 12
// Programs built with CUDA 11 headers call this name and pass a struct of CUDA 11: 728 bytes.
TEST(Devices, cudaGetDeviceProperties_fills_the_old_struct_and_no_more) {
  alignas(8) unsigned char old[1032];
  std::memset(old, 0xcd, sizeof(old));
  ASSERT_OK(cudaGetDeviceProperties(reinterpret_cast<cudaDeviceProp*>(old), 0));
  int major = 0;
  std::memcpy(&major, old + 360, sizeof(major));
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), major);
  for (size_t i = 728; i < sizeof(old); ++i) ASSERT_EQ(0xcd, old[i]) << i;
}
#endif

TEST(Devices, cudaDeviceGetPCIBusId_names_the_device) {
  char id[16] = {};
  ASSERT_OK(cudaDeviceGetPCIBusId(id, sizeof(id), 1));
  unsigned int domain = 0;
  unsigned int bus = 0;
  unsigned int slot = 0;
  ASSERT_EQ(3, std::sscanf(id, "%x:%x:%x.", &domain, &bus, &slot)) << id;
  EXPECT_EQ(attribute(cudaDevAttrPciBusId, 1), static_cast<int>(bus));
  EXPECT_EQ(attribute(cudaDevAttrPciDeviceId, 1), static_cast<int>(slot));
}

TEST(Devices, cudaDeviceGetPCIBusId_refuses_bad_arguments) {
  char id[16] = {};
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(nullptr, 16, 0));
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(id, 16, 9));
}

TEST(Devices, cudaDeviceGetByPCIBusId_finds_the_device) {
  char id[16] = {};
  int device = -1;
  ASSERT_OK(cudaDeviceGetPCIBusId(id, sizeof(id), 1));
  EXPECT_OK(cudaDeviceGetByPCIBusId(&device, id));
  EXPECT_EQ(1, device);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(nullptr, id));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&device, nullptr));
}

#if CUDA_MAJOR == 11
TEST(Devices, cudaChooseDevice_chooses_one) {
  cudaDeviceProp wanted{};
  int device = -1;
  EXPECT_OK(cudaChooseDevice(&device, &wanted));
  EXPECT_GE(device, 0);
  EXPECT_LT(device, 2);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaChooseDevice(nullptr, &wanted));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaChooseDevice(&device, nullptr));
}
#endif

TEST(Devices, cudaSetValidDevices_orders_the_choice_of_new_threads) {
  int order[] = {1, 0};
  EXPECT_OK(cudaSetValidDevices(order, 2));
  std::thread([] {
    int device = -1;
    EXPECT_OK(cudaGetDevice(&device));
    EXPECT_EQ(1, device);
  }).join();
  EXPECT_OK(cudaSetValidDevices(nullptr, 0));
  int wrong[] = {7};
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaSetValidDevices(wrong, 1));
}

#if CUDA_MAJOR >= 12
TEST(Devices, cudaInitDevice_sets_the_flags_of_the_device) {
  unsigned int flags = 0;
  EXPECT_OK(cudaInitDevice(0, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid));
  EXPECT_OK(cudaGetDeviceFlags(&flags));
  EXPECT_EQ(cudaDeviceScheduleYield, flags & cudaDeviceScheduleMask);
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaInitDevice(5, 0, 0));
  EXPECT_OK(cudaDeviceReset());
}
#endif

}  // namespace
