// The driver and the runtime tell the same about a device.
#include <cstring>

#include "tests/host/musa/support.h"

namespace {

class DriverDevice : public DriverTest {};

TEST_F(DriverDevice, muDeviceGet_and_muDeviceGetCount) {
  int count = 0;
  EXPECT_MU(muDeviceGetCount(&count));
  EXPECT_EQ(count, 2);
  EXPECT_EQ(muDeviceGetCount(nullptr), MUSA_ERROR_INVALID_VALUE);
  MUdevice device = -1;
  EXPECT_MU(muDeviceGet(&device, 1));
  EXPECT_EQ(device, 1);
  EXPECT_EQ(muDeviceGet(&device, 2), MUSA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(muDeviceGet(nullptr, 0), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverDevice, muDeviceGetName_muDeviceGetUuid_v2_muDeviceTotalMem_v2) {
  musaDeviceProp prop{};
  ASSERT_EQ(musaGetDeviceProperties(&prop, 1), musaSuccess);
  char name[256] = "?";
  EXPECT_MU(muDeviceGetName(name, sizeof(name), 1));
  EXPECT_STREQ(name, prop.name);
  EXPECT_MU(muDeviceGetName(name, 5, 1));
  EXPECT_EQ(std::string(name), std::string(prop.name).substr(0, 4));
  EXPECT_EQ(muDeviceGetName(name, 0, 1), MUSA_ERROR_INVALID_VALUE);
  MUuuid uuid{};
  EXPECT_MU(muDeviceGetUuid_v2(&uuid, 1));
  EXPECT_EQ(std::memcmp(uuid.bytes, prop.uuid.bytes, sizeof(uuid.bytes)), 0);
  EXPECT_EQ(uuid.bytes[15], 1);
  size_t bytes = 0;
  EXPECT_MU(muDeviceTotalMem_v2(&bytes, 1));
  EXPECT_EQ(bytes, size_t{1} << 30);
}

TEST_F(DriverDevice, muDeviceGetAttribute_has_the_numbers_of_the_runtime) {
  int both = 0;
  for (int attribute = 0; attribute <= 130; ++attribute) {
    int by_driver = -1;
    int by_runtime = -1;
    const MUresult driver =
        muDeviceGetAttribute(&by_driver, static_cast<MUdevice_attribute>(attribute), 0);
    const musaError_t runtime =
        musaDeviceGetAttribute(&by_runtime, static_cast<musaDeviceAttr>(attribute), 0);
    const bool known = (attribute >= 1 && attribute <= 124 && attribute != 120) ||
                       attribute == MU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED;
    EXPECT_EQ(driver, known ? MUSA_SUCCESS : MUSA_ERROR_INVALID_VALUE) << attribute;
    if (driver != MUSA_SUCCESS || runtime != musaSuccess) continue;
    EXPECT_EQ(by_driver, by_runtime) << attribute;
    ++both;
  }
  EXPECT_GT(both, 100);
  int value = 0;
  EXPECT_MU(
      muDeviceGetAttribute(&value, MU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  EXPECT_EQ(value, 1);
  // Memory that other machines can open.
  EXPECT_MU(muDeviceGetAttribute(&value, MU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, 0));
  EXPECT_EQ(value, 0);
}

TEST_F(DriverDevice, muDeviceGetProperties_and_muDeviceComputeCapability) {
  musaDeviceProp expected{};
  ASSERT_EQ(musaGetDeviceProperties(&expected, 0), musaSuccess);
  MUdevprop prop{};
  EXPECT_MU(muDeviceGetProperties(&prop, 0));
  EXPECT_EQ(prop.maxThreadsPerBlock, expected.maxThreadsPerBlock);
  EXPECT_EQ(prop.maxThreadsDim[2], expected.maxThreadsDim[2]);
  EXPECT_EQ(prop.maxGridSize[0], expected.maxGridSize[0]);
  EXPECT_EQ(prop.SIMDWidth, expected.warpSize);
  EXPECT_EQ(prop.textureAlign, 512);
  int major = 0;
  int minor = 0;
  EXPECT_MU(muDeviceComputeCapability(&major, &minor, 0));
  EXPECT_EQ(major, expected.major);
  EXPECT_EQ(minor, expected.minor);
  EXPECT_EQ(muDeviceComputeCapability(&major, nullptr, 0), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverDevice, muDeviceGetPCIBusId_and_muDeviceGetByPCIBusId) {
  char id[16] = "";
  EXPECT_MU(muDeviceGetPCIBusId(id, sizeof(id), 1));
  MUdevice device = -1;
  EXPECT_MU(muDeviceGetByPCIBusId(&device, id));
  EXPECT_EQ(device, 1);
  EXPECT_EQ(muDeviceGetByPCIBusId(&device, "none"), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muDeviceGetPCIBusId(id, sizeof(id), 7), MUSA_ERROR_INVALID_DEVICE);
}

TEST_F(DriverDevice, muDeviceCanAccessPeer_and_muDeviceGetP2PAttribute) {
  int value = -1;
  EXPECT_MU(muDeviceCanAccessPeer(&value, 0, 1));
  EXPECT_EQ(value, 1);
  EXPECT_MU(muDeviceGetP2PAttribute(&value, MU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 0, 1));
  EXPECT_EQ(value, 0);
  EXPECT_EQ(muDeviceCanAccessPeer(&value, 0, 2), MUSA_ERROR_INVALID_DEVICE);
}

}  // namespace
