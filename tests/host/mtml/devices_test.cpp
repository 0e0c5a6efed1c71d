// Devices look as MUSA's own libraries show them.
#include <musa_runtime.h>
#include <sched.h>

#include <array>
#include <climits>
#include <cstdio>
#include <cstring>

#include "tests/host/mtml/support.h"

namespace {

musaDeviceProp properties_of(int device) {
  musaDeviceProp found{};
  EXPECT_EQ(musaSuccess, musaGetDeviceProperties(&found, device));
  return found;
}

TEST_F(MtmlTest, mtmlLibraryCountDevice_CountsThem) {
  unsigned int count = 0;
  EXPECT_MTML(mtmlLibraryCountDevice(library_, &count));
  EXPECT_EQ(kDevices, count);
  EXPECT_INVALID(mtmlLibraryCountDevice(library_, nullptr));
  EXPECT_INVALID(mtmlLibraryCountDevice(nullptr, &count));
}

TEST_F(MtmlTest, mtmlDeviceGetIndex_IsThatOfInit) {
  unsigned int index = 0;
  EXPECT_MTML(mtmlDeviceGetIndex(device_, &index));
  EXPECT_EQ(1U, index);
  EXPECT_INVALID(mtmlDeviceGetIndex(device_, nullptr));
}

TEST_F(MtmlTest, mtmlDeviceGetName_IsThatOfTheRuntime) {
  const musaDeviceProp expected = properties_of(1);
  char name[MTML_DEVICE_NAME_BUFFER_SIZE] = "";
  EXPECT_MTML(mtmlDeviceGetName(device_, name, sizeof name));
  EXPECT_STREQ(expected.name, name);
  EXPECT_EQ(MTML_ERROR_INSUFFICIENT_SIZE, mtmlDeviceGetName(device_, name, 4));
  EXPECT_INVALID(mtmlDeviceGetName(device_, nullptr, sizeof name));
}

TEST_F(MtmlTest, mtmlDeviceGetUUID_IsThatOfTheRuntime) {
  const musaDeviceProp expected = properties_of(1);
  char uuid[MTML_DEVICE_UUID_BUFFER_SIZE] = "";
  EXPECT_MTML(mtmlDeviceGetUUID(device_, uuid, sizeof uuid));
  ASSERT_EQ(36U, std::strlen(uuid));
  std::array<unsigned char, 16> bytes{};
  const char* at = uuid;
  for (unsigned char& byte : bytes) {
    if (*at == '-') ++at;
    unsigned int value = 0;
    ASSERT_EQ(1, std::sscanf(at, "%2x", &value)) << uuid;
    byte = static_cast<unsigned char>(value);
    at += 2;
  }
  EXPECT_EQ(0, std::memcmp(bytes.data(), expected.uuid.bytes, bytes.size())) << uuid;
  EXPECT_EQ('-', uuid[8]);
  EXPECT_EQ(MTML_ERROR_INSUFFICIENT_SIZE, mtmlDeviceGetUUID(device_, uuid, 36));
  EXPECT_INVALID(mtmlDeviceGetUUID(device_, nullptr, sizeof uuid));
}

TEST_F(MtmlTest, mtmlDeviceGetPciInfo_IsThatOfTheRuntime) {
  const musaDeviceProp expected = properties_of(1);
  MtmlPciInfo info{};
  EXPECT_MTML(mtmlDeviceGetPciInfo(device_, &info));
  EXPECT_STREQ("0000FFFF:01:00.0", info.sbdf);
  EXPECT_EQ(static_cast<unsigned int>(expected.pciDomainID), info.segment);
  EXPECT_EQ(static_cast<unsigned int>(expected.pciBusID), info.bus);
  EXPECT_EQ(static_cast<unsigned int>(expected.pciDeviceID), info.device);
  int index = -1;
  EXPECT_EQ(musaSuccess, musaDeviceGetByPCIBusId(&index, info.sbdf));
  EXPECT_EQ(1, index);
  EXPECT_INVALID(mtmlDeviceGetPciInfo(device_, nullptr));
}

TEST_F(MtmlTest, mtmlDeviceGetBrand_IsNotThatOfAGpu) {
  MtmlBrandType brand = MTML_BRAND_MTT;
  EXPECT_MTML(mtmlDeviceGetBrand(device_, &brand));
  EXPECT_EQ(MTML_BRAND_UNKNOWN, brand);
}

TEST_F(MtmlTest, mtmlDeviceGetProperty_SaysThatADeviceHasNoParts) {
  MtmlDeviceProperty property;
  std::memset(&property, 0xff, sizeof property);
  EXPECT_MTML(mtmlDeviceGetProperty(device_, &property));
  EXPECT_EQ(MTML_DEVICE_NOT_SUPPORT_VIRTUALIZATION, property.virtCap);
  EXPECT_EQ(MTML_VIRT_ROLE_NONE, property.virtRole);
  EXPECT_EQ(MTML_DEVICE_NOT_SUPPORT_MPC, property.mpcCap);
  EXPECT_EQ(MTML_MPC_TYPE_NONE, property.mpcType);
  EXPECT_EQ(MTML_DEVICE_NOT_SUPPORT_MTLINK, property.mtLinkCap);
}

TEST_F(MtmlTest, mtmlDeviceCountFan_IsZero) {
  unsigned int count = 7;
  EXPECT_MTML(mtmlDeviceCountFan(device_, &count));
  EXPECT_EQ(0U, count);
}

TEST_F(MtmlTest, mtmlDeviceCountDisplayInterface_IsZero) {
  unsigned int count = 7;
  EXPECT_MTML(mtmlDeviceCountDisplayInterface(device_, &count));
  EXPECT_EQ(0U, count);
}

TEST_F(MtmlTest, mtmlDeviceCountGpuCores_IsThatOfTheRuntime) {
  unsigned int count = 0;
  EXPECT_MTML(mtmlDeviceCountGpuCores(device_, &count));
  EXPECT_EQ(static_cast<unsigned int>(properties_of(1).multiProcessorCount), count);
}

TEST_F(MtmlTest, mtmlDeviceGetCpuAffinityWithinNode_IsThatOfTheProcess) {
  constexpr std::size_t kBits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, CPU_SETSIZE / kBits + 1> found{};
  found.fill(~0UL);
  EXPECT_MTML(mtmlDeviceGetCpuAffinityWithinNode(device_, found.size(), found.data()));
  cpu_set_t expected;
  ASSERT_EQ(0, sched_getaffinity(0, sizeof expected, &expected));
  for (std::size_t cpu = 0; cpu < found.size() * kBits; ++cpu) {
    const bool is_set = (found[cpu / kBits] >> cpu % kBits & 1) != 0;
    EXPECT_EQ(cpu < CPU_SETSIZE && CPU_ISSET(cpu, &expected), is_set) << cpu;
  }
  EXPECT_INVALID(mtmlDeviceGetCpuAffinityWithinNode(device_, 0, found.data()));
  EXPECT_INVALID(mtmlDeviceGetCpuAffinityWithinNode(device_, 1, nullptr));
}

TEST_F(MtmlTest, mtmlMemoryGetTotal_IsThatOfTheRuntime) {
  unsigned long long total = 0;
  EXPECT_MTML(mtmlMemoryGetTotal(memory_, &total));
  EXPECT_EQ(kMemory, total);
  EXPECT_EQ(properties_of(1).totalGlobalMem, total);
  EXPECT_INVALID(mtmlMemoryGetTotal(memory_, nullptr));
}

TEST_F(MtmlTest, mtmlMemoryGetUsedSystem_IsZero) {
  unsigned long long used = 7;
  EXPECT_MTML(mtmlMemoryGetUsedSystem(memory_, &used));
  EXPECT_EQ(0U, used);
}

}  // namespace
