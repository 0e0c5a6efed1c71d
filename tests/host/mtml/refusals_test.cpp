// What a CPU has nothing of, or nobody can know.
#include <array>
#include <string>

#include "tests/host/mtml/support.h"

namespace {

// Becomes a pointer of every type.
struct Room {
  void* to;
  template <typename T>
  operator T*() const {
    return static_cast<T*>(to);
  }
};

struct Given {
  MtmlLibrary* library;
  MtmlDevice* device;
  MtmlDevice* other;
  MtmlGpu* gpu;
  MtmlMemory* memory;
  MtmlVpu* vpu;
};

struct Refused {
  const char* name;
  bool has_room;  // takes other pointers than objects
  MtmlReturn (*call)(const Given& with, Room room);
};

#define CALL(name, has_room, ...)                     \
  Refused {                                           \
#name, has_room, [](const Given& with, Room room) { \
             static_cast<void>(room); \
             return name(__VA_ARGS__); } \
  }

const Refused kRefused[] = {
    CALL(mtmlDeviceInitVirtDevice, true, with.device, room, room),
    CALL(mtmlDeviceFreeVirtDevice, false, with.device),
    CALL(mtmlDeviceGetSerialNumber, true, with.device, 1, room),
    CALL(mtmlDeviceGetPcieSlotInfo, true, with.device, room),
    CALL(mtmlDeviceGetPowerUsage, true, with.device, room),
    CALL(mtmlDeviceGetGpuPath, true, with.device, room, 1),
    CALL(mtmlDeviceGetPrimaryPath, true, with.device, room, 1),
    CALL(mtmlDeviceGetRenderPath, true, with.device, room, 1),
    CALL(mtmlDeviceGetVbiosVersion, true, with.device, room, 1),
    CALL(mtmlDeviceGetMtBiosVersion, true, with.device, room, 1),
    CALL(mtmlDeviceGetFanSpeed, true, with.device, 1, room),
    CALL(mtmlDeviceGetFanRpm, true, with.device, 1, room),
    CALL(mtmlDeviceGetDisplayInterfaceSpec, true, with.device, 1, room),
    CALL(mtmlDeviceReset, false, with.device),
    CALL(mtmlDeviceGetMemoryAffinityWithinNode, true, with.device, 1, room),
    CALL(mtmlDeviceGetMtLinkSpec, true, with.device, room),
    CALL(mtmlDeviceGetMtLinkState, true, with.device, 1, room),
    CALL(mtmlDeviceGetMtLinkCapStatus, true, with.device, 1, MtmlMtLinkCap{}, room),
    CALL(mtmlDeviceGetMtLinkRemoteDevice, true, with.device, 1, room),
    CALL(mtmlDeviceCountMtLinkShortestPaths, true, with.device, with.other, room, room),
    CALL(mtmlDeviceGetMtLinkShortestPaths, true, with.device, with.other, 1, 1, room),
    CALL(mtmlDeviceCountMtLinkLayouts, true, with.device, with.other, room),
    CALL(mtmlDeviceGetMtLinkLayouts, true, with.device, with.other, 1, room),
    CALL(mtmlGpuGetTemperature, true, with.gpu, room),
    CALL(mtmlGpuGetClock, true, with.gpu, room),
    CALL(mtmlGpuGetMaxClock, true, with.gpu, room),
    CALL(mtmlMemoryGetClock, true, with.memory, room),
    CALL(mtmlMemoryGetMaxClock, true, with.memory, room),
    CALL(mtmlMemoryGetBusWidth, true, with.memory, room),
    CALL(mtmlMemoryGetBandwidth, true, with.memory, room),
    CALL(mtmlMemoryGetSpeed, true, with.memory, room),
    CALL(mtmlMemoryGetVendor, true, with.memory, 1, room),
    CALL(mtmlMemoryGetType, true, with.memory, room),
    CALL(mtmlMemorySetEccMode, false, with.memory, MtmlEccMode{}),
    CALL(mtmlMemoryGetEccMode, true, with.memory, room, room),
    CALL(mtmlMemoryGetEccErrorCounter, true, with.memory, MtmlMemoryErrorType{},
         MtmlEccCounterType{}, MtmlMemoryLocation{}, room),
    CALL(mtmlMemoryClearEccErrorCounts, false, with.memory, MtmlEccCounterType{}),
    CALL(mtmlMemoryGetRetiredPagesCount, true, with.memory, room),
    CALL(mtmlMemoryGetRetiredPages, true, with.memory, MtmlPageRetirementCause{}, 1, room),
    CALL(mtmlMemoryGetRetiredPagesPendingStatus, true, with.memory, room),
    CALL(mtmlVpuGetUtilization, true, with.vpu, room),
    CALL(mtmlVpuGetClock, true, with.vpu, room),
    CALL(mtmlVpuGetMaxClock, true, with.vpu, room),
    CALL(mtmlVpuGetCodecCapacity, true, with.vpu, room, room),
    CALL(mtmlVpuGetEncoderSessionStates, true, with.vpu, room, 1),
    CALL(mtmlVpuGetEncoderSessionMetrics, true, with.vpu, 1, room),
    CALL(mtmlVpuGetDecoderSessionStates, true, with.vpu, room, 1),
    CALL(mtmlVpuGetDecoderSessionMetrics, true, with.vpu, 1, room),
    CALL(mtmlDeviceCountSupportedVirtTypes, true, with.device, room),
    CALL(mtmlDeviceGetSupportedVirtTypes, true, with.device, room, 1),
    CALL(mtmlDeviceCountAvailVirtTypes, true, with.device, room),
    CALL(mtmlDeviceGetAvailVirtTypes, true, with.device, room, 1),
    CALL(mtmlDeviceCountAvailVirtDevices, true, with.device, room, room),
    CALL(mtmlDeviceCountActiveVirtDevices, true, with.device, room),
    CALL(mtmlDeviceGetActiveVirtDeviceUuids, true, with.device, room, 1, 1),
    CALL(mtmlDeviceCountMaxVirtDevices, true, with.device, room, room),
    CALL(mtmlDeviceGetVirtType, true, with.device, room),
    CALL(mtmlDeviceGetPhyDeviceUuid, true, with.device, room, 1),
    CALL(mtmlLibrarySetMpcConfigurationInBatch, true, with.library, 1, room, room),
    CALL(mtmlDeviceSetMpcMode, false, with.device, MtmlMpcMode{}),
    CALL(mtmlDeviceGetMpcMode, true, with.device, room),
    CALL(mtmlDeviceCountSupportedMpcProfiles, true, with.device, room),
    CALL(mtmlDeviceGetSupportedMpcProfiles, true, with.device, 1, room),
    CALL(mtmlDeviceCountSupportedMpcConfigurations, true, with.device, room),
    CALL(mtmlDeviceGetSupportedMpcConfigurations, true, with.device, 1, room),
    CALL(mtmlDeviceGetMpcConfiguration, true, with.device, room),
    CALL(mtmlDeviceGetMpcConfigurationByName, true, with.device, room, room),
    CALL(mtmlDeviceSetMpcConfiguration, false, with.device, 1),
    CALL(mtmlDeviceCountMpcInstancesByProfileId, true, with.device, 1, room),
    CALL(mtmlDeviceGetMpcInstancesByProfileId, true, with.device, 1, 1, room),
    CALL(mtmlDeviceCountMpcInstances, true, with.device, room),
    CALL(mtmlDeviceGetMpcInstances, true, with.device, 1, room),
    CALL(mtmlDeviceGetMpcInstanceByIndex, true, with.device, 1, room),
    CALL(mtmlDeviceGetMpcParentDevice, true, with.device, room),
    CALL(mtmlDeviceGetMpcProfileInfo, true, with.device, room),
    CALL(mtmlDeviceGetMpcInstanceIndex, true, with.device, room),
};
#undef CALL

class Refusals : public MtmlTest, public testing::WithParamInterface<Refused> {
 protected:
  void SetUp() override {
    MtmlTest::SetUp();
    ASSERT_MTML(mtmlLibraryInitDeviceByIndex(library_, 0, &other_));
  }
  Given given() const { return {library_, device_, other_, gpu_, memory_, vpu_}; }
  MtmlDevice* other_ = nullptr;
  std::array<char, 4096> bytes_{};
};

TEST_P(Refusals, LeaveTheResultAlone) {
  EXPECT_EQ(MTML_ERROR_NOT_SUPPORTED, GetParam().call(given(), {bytes_.data()}));
  for (const char byte : bytes_) ASSERT_EQ(0, byte);
}

TEST_P(Refusals, ComeAfterBadArguments) {
  EXPECT_INVALID(GetParam().call(Given{}, {bytes_.data()}));
  if (GetParam().has_room) {
    EXPECT_INVALID(GetParam().call(given(), {nullptr}));
  }
  const Given before = given();
  EXPECT_MTML(mtmlLibraryShutDown(library_));
  EXPECT_INVALID(GetParam().call(before, {bytes_.data()}));
  EXPECT_MTML(mtmlLibraryInit(&library_));  // for TearDown()
}

std::string name_of(const testing::TestParamInfo<Refused>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Mtml, Refusals, testing::ValuesIn(kRefused), name_of);

}  // namespace
