// What is open, what is not, and what passing either gives.
#include "tests/host/mtml/support.h"

namespace {

// Whether the device answers.
bool is_open(const MtmlDevice* device) {
  unsigned int index = 0;
  const MtmlReturn status = mtmlDeviceGetIndex(device, &index);
  EXPECT_TRUE(status == MTML_SUCCESS || status == MTML_ERROR_INVALID_ARGUMENT);
  return status == MTML_SUCCESS;
}

TEST(MtmlObjects, mtmlLibraryInit_GivesOneOfItsOwnToEach) {
  MtmlLibrary* first = nullptr;
  MtmlLibrary* second = nullptr;
  ASSERT_MTML(mtmlLibraryInit(&first));
  ASSERT_MTML(mtmlLibraryInit(&second));
  EXPECT_NE(nullptr, first);
  EXPECT_NE(first, second);
  EXPECT_MTML(mtmlLibraryShutDown(first));
  unsigned int count = 0;
  EXPECT_INVALID(mtmlLibraryCountDevice(first, &count));
  EXPECT_MTML(mtmlLibraryCountDevice(second, &count));
  EXPECT_MTML(mtmlLibraryShutDown(second));
  EXPECT_INVALID(mtmlLibraryInit(nullptr));
}

TEST(MtmlObjects, mtmlLibraryShutDown_ClosesEverythingOnlyAtLast) {
  MtmlLibrary* first = nullptr;
  MtmlLibrary* second = nullptr;
  MtmlDevice* device = nullptr;
  ASSERT_MTML(mtmlLibraryInit(&first));
  ASSERT_MTML(mtmlLibraryInit(&second));
  ASSERT_MTML(mtmlLibraryInitDeviceByIndex(first, 0, &device));
  EXPECT_MTML(mtmlLibraryShutDown(first));
  EXPECT_INVALID(mtmlLibraryShutDown(first));
  EXPECT_TRUE(is_open(device));
  EXPECT_MTML(mtmlLibraryShutDown(second));
  EXPECT_FALSE(is_open(device));
  EXPECT_INVALID(mtmlLibraryInitDeviceByIndex(second, 0, &device));
  EXPECT_INVALID(mtmlLibraryShutDown(nullptr));
  // A new library opens no old device.
  ASSERT_MTML(mtmlLibraryInit(&first));
  EXPECT_FALSE(is_open(device));
  EXPECT_MTML(mtmlLibraryShutDown(first));
}

TEST_F(MtmlTest, mtmlLibraryInitDeviceByIndex_GivesTheSameObject) {
  MtmlDevice* again = nullptr;
  EXPECT_MTML(mtmlLibraryInitDeviceByIndex(library_, 1, &again));
  EXPECT_EQ(device_, again);
  EXPECT_MTML(mtmlLibraryInitDeviceByIndex(library_, 2, &again));
  EXPECT_NE(device_, again);
  EXPECT_EQ(MTML_ERROR_NOT_FOUND, mtmlLibraryInitDeviceByIndex(library_, kDevices, &again));
  EXPECT_EQ(MTML_ERROR_NOT_FOUND, mtmlLibraryInitDeviceByIndex(library_, 0xffffffff, &again));
  EXPECT_INVALID(mtmlLibraryInitDeviceByIndex(library_, 0, nullptr));
  EXPECT_INVALID(mtmlLibraryInitDeviceByIndex(nullptr, 0, &again));
}

TEST_F(MtmlTest, mtmlLibraryFreeDevice_ClosesAsOftenAsItWasOpenedAndTheDeviceAnswersStill) {
  MtmlDevice* again = nullptr;
  ASSERT_MTML(mtmlLibraryInitDeviceByIndex(library_, 1, &again));
  EXPECT_MTML(mtmlLibraryFreeDevice(again));
  EXPECT_TRUE(is_open(device_));
  EXPECT_MTML(mtmlLibraryFreeDevice(device_));
  EXPECT_INVALID(mtmlLibraryFreeDevice(device_));
  EXPECT_TRUE(is_open(device_));
  MtmlMemory* memory = nullptr;
  EXPECT_MTML(mtmlDeviceInitMemory(device_, &memory));
  unsigned long long total = 0;
  EXPECT_MTML(mtmlMemoryGetTotal(memory, &total));
  EXPECT_NE(0u, total);
  EXPECT_INVALID(mtmlLibraryFreeDevice(nullptr));
}

TEST_F(MtmlTest, mtmlLibraryInitDeviceByUuid_FindsIt) {
  char uuid[MTML_DEVICE_UUID_BUFFER_SIZE] = "";
  ASSERT_MTML(mtmlDeviceGetUUID(device_, uuid, sizeof uuid));
  MtmlDevice* found = nullptr;
  EXPECT_MTML(mtmlLibraryInitDeviceByUuid(library_, uuid, &found));
  EXPECT_EQ(device_, found);
  EXPECT_EQ(MTML_ERROR_NOT_FOUND, mtmlLibraryInitDeviceByUuid(library_, "GPU-1", &found));
  EXPECT_INVALID(mtmlLibraryInitDeviceByUuid(library_, nullptr, &found));
  EXPECT_INVALID(mtmlLibraryInitDeviceByUuid(library_, uuid, nullptr));
  EXPECT_INVALID(mtmlLibraryInitDeviceByUuid(nullptr, uuid, &found));
}

TEST_F(MtmlTest, mtmlLibraryInitDeviceByPciSbdf_FindsIt) {
  MtmlPciInfo info{};
  ASSERT_MTML(mtmlDeviceGetPciInfo(device_, &info));
  MtmlDevice* found = nullptr;
  EXPECT_MTML(mtmlLibraryInitDeviceByPciSbdf(library_, info.sbdf, &found));
  EXPECT_EQ(device_, found);
  EXPECT_EQ(MTML_ERROR_NOT_FOUND,
            mtmlLibraryInitDeviceByPciSbdf(library_, "00000000:3a:00.0", &found));
  EXPECT_INVALID(mtmlLibraryInitDeviceByPciSbdf(library_, "somewhere", &found));
  EXPECT_INVALID(mtmlLibraryInitDeviceByPciSbdf(library_, nullptr, &found));
  EXPECT_INVALID(mtmlLibraryInitDeviceByPciSbdf(library_, info.sbdf, nullptr));
  EXPECT_INVALID(mtmlLibraryInitDeviceByPciSbdf(nullptr, info.sbdf, &found));
}

TEST_F(MtmlTest, mtmlLibraryInitSystem_OpensIt) {
  MtmlSystem* system = nullptr;
  EXPECT_MTML(mtmlLibraryInitSystem(library_, &system));
  char version[MTML_DRIVER_VERSION_BUFFER_SIZE] = "";
  EXPECT_MTML(mtmlSystemGetDriverVersion(system, version, sizeof version));
  EXPECT_INVALID(mtmlLibraryInitSystem(library_, nullptr));
  EXPECT_INVALID(mtmlLibraryInitSystem(nullptr, &system));
}

TEST_F(MtmlTest, mtmlLibraryFreeSystem_ClosesIt) {
  MtmlSystem* system = nullptr;
  ASSERT_MTML(mtmlLibraryInitSystem(library_, &system));
  EXPECT_MTML(mtmlLibraryFreeSystem(system));
  char version[MTML_DRIVER_VERSION_BUFFER_SIZE] = "";
  EXPECT_INVALID(mtmlSystemGetDriverVersion(system, version, sizeof version));
  EXPECT_INVALID(mtmlLibraryFreeSystem(system));
  EXPECT_INVALID(mtmlLibraryFreeSystem(nullptr));
}

TEST_F(MtmlTest, mtmlDeviceInitGpu_OpensIt) {
  MtmlGpu* again = nullptr;
  EXPECT_MTML(mtmlDeviceInitGpu(device_, &again));
  EXPECT_EQ(gpu_, again);
  EXPECT_INVALID(mtmlDeviceInitGpu(device_, nullptr));
  EXPECT_INVALID(mtmlDeviceInitGpu(nullptr, &again));
}

TEST_F(MtmlTest, mtmlDeviceFreeGpu_ClosesIt) {
  EXPECT_MTML(mtmlDeviceFreeGpu(gpu_));
  unsigned int utilization = 0;
  EXPECT_INVALID(mtmlGpuGetUtilization(gpu_, &utilization));
  EXPECT_INVALID(mtmlDeviceFreeGpu(gpu_));
  EXPECT_INVALID(mtmlDeviceFreeGpu(nullptr));
}

TEST_F(MtmlTest, mtmlDeviceInitMemory_OpensIt) {
  MtmlMemory* again = nullptr;
  EXPECT_MTML(mtmlDeviceInitMemory(device_, &again));
  EXPECT_EQ(memory_, again);
  EXPECT_INVALID(mtmlDeviceInitMemory(device_, nullptr));
  EXPECT_INVALID(mtmlDeviceInitMemory(nullptr, &again));
}

TEST_F(MtmlTest, mtmlDeviceFreeMemory_ClosesIt) {
  EXPECT_MTML(mtmlDeviceFreeMemory(memory_));
  unsigned long long total = 0;
  EXPECT_INVALID(mtmlMemoryGetTotal(memory_, &total));
  EXPECT_INVALID(mtmlDeviceFreeMemory(memory_));
  EXPECT_INVALID(mtmlDeviceFreeMemory(nullptr));
}

TEST_F(MtmlTest, mtmlDeviceInitVpu_OpensIt) {
  MtmlVpu* again = nullptr;
  EXPECT_MTML(mtmlDeviceInitVpu(device_, &again));
  EXPECT_EQ(vpu_, again);
  EXPECT_INVALID(mtmlDeviceInitVpu(device_, nullptr));
  EXPECT_INVALID(mtmlDeviceInitVpu(nullptr, &again));
}

TEST_F(MtmlTest, mtmlDeviceFreeVpu_ClosesIt) {
  EXPECT_MTML(mtmlDeviceFreeVpu(vpu_));
  unsigned int clock = 0;
  EXPECT_INVALID(mtmlVpuGetClock(vpu_, &clock));
  EXPECT_INVALID(mtmlDeviceFreeVpu(vpu_));
  EXPECT_INVALID(mtmlDeviceFreeVpu(nullptr));
}

// Of another kind, inside an object, or of nothing at all.
TEST_F(MtmlTest, ForeignPointersAreRefused) {
  EXPECT_FALSE(is_open(reinterpret_cast<MtmlDevice*>(gpu_)));
  EXPECT_FALSE(is_open(reinterpret_cast<MtmlDevice*>(reinterpret_cast<char*>(device_) + 1)));
  EXPECT_FALSE(is_open(reinterpret_cast<MtmlDevice*>(&library_)));
  EXPECT_FALSE(is_open(reinterpret_cast<MtmlDevice*>(8)));
  unsigned int count = 0;
  EXPECT_INVALID(mtmlLibraryCountDevice(reinterpret_cast<MtmlLibrary*>(device_), &count));
}

}  // namespace
