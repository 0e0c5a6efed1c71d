#include <array>

#include "tests/host/mtml/support.h"

namespace {

class MtmlTopology : public MtmlTest {
 protected:
  void SetUp() override {
    MtmlTest::SetUp();
    ASSERT_MTML(mtmlLibraryInitDeviceByIndex(library_, 0, &other_));
  }
  MtmlDevice* other_ = nullptr;
};

TEST_F(MtmlTopology, mtmlDeviceGetTopologyLevel_TellsOnlyADeviceFromOthers) {
  MtmlDeviceTopologyLevel level = MTML_TOPOLOGY_SINGLE;
  EXPECT_MTML(mtmlDeviceGetTopologyLevel(device_, other_, &level));
  EXPECT_EQ(MTML_TOPOLOGY_SYSTEM, level);
  EXPECT_MTML(mtmlDeviceGetTopologyLevel(device_, device_, &level));
  EXPECT_EQ(MTML_TOPOLOGY_INTERNAL, level);
  EXPECT_INVALID(mtmlDeviceGetTopologyLevel(device_, nullptr, &level));
  EXPECT_INVALID(mtmlDeviceGetTopologyLevel(nullptr, device_, &level));
  EXPECT_INVALID(mtmlDeviceGetTopologyLevel(device_, other_, nullptr));
}

TEST_F(MtmlTopology, mtmlDeviceCountDeviceByTopologyLevel_CountsTheOthers) {
  unsigned int count = 7;
  EXPECT_MTML(mtmlDeviceCountDeviceByTopologyLevel(device_, MTML_TOPOLOGY_SYSTEM, &count));
  EXPECT_EQ(kDevices - 1, count);
  EXPECT_MTML(mtmlDeviceCountDeviceByTopologyLevel(device_, MTML_TOPOLOGY_SINGLE, &count));
  EXPECT_EQ(0U, count);
  const auto beyond = static_cast<MtmlDeviceTopologyLevel>(6);
  EXPECT_INVALID(mtmlDeviceCountDeviceByTopologyLevel(device_, beyond, &count));
}

TEST_F(MtmlTopology, mtmlDeviceGetDeviceByTopologyLevel_OpensTheOthers) {
  std::array<MtmlDevice*, 2> found{};
  EXPECT_MTML(mtmlDeviceGetDeviceByTopologyLevel(device_, MTML_TOPOLOGY_SYSTEM, 2, found.data()));
  EXPECT_EQ(other_, found[0]);
  unsigned int index = 0;
  EXPECT_MTML(mtmlDeviceGetIndex(found[1], &index));
  EXPECT_EQ(2U, index);
  EXPECT_INVALID(
      mtmlDeviceGetDeviceByTopologyLevel(device_, MTML_TOPOLOGY_SYSTEM, 3, found.data()));
  EXPECT_INVALID(mtmlDeviceGetDeviceByTopologyLevel(device_, MTML_TOPOLOGY_SYSTEM, 2, nullptr));
}

TEST_F(MtmlTopology, mtmlDeviceGetP2PStatus_SaysThatPeersReachEachOther) {
  for (const auto what : {MTML_P2P_CAPS_READ, MTML_P2P_CAPS_WRITE}) {
    MtmlDeviceP2PStatus status = MTML_P2P_STATUS_UNKNOWN;
    EXPECT_MTML(mtmlDeviceGetP2PStatus(device_, other_, what, &status));
    EXPECT_EQ(MTML_P2P_STATUS_OK, status);
    EXPECT_MTML(mtmlDeviceGetP2PStatus(device_, device_, what, &status));
    EXPECT_EQ(MTML_P2P_STATUS_GPU_NOT_SUPPORTED, status);
  }
  MtmlDeviceP2PStatus status = MTML_P2P_STATUS_UNKNOWN;
  EXPECT_INVALID(
      mtmlDeviceGetP2PStatus(device_, other_, static_cast<MtmlDeviceP2PCaps>(2), &status));
  EXPECT_INVALID(mtmlDeviceGetP2PStatus(device_, other_, MTML_P2P_CAPS_READ, nullptr));
}

}  // namespace
