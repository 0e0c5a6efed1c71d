// What other processes use, seen from here.
#include <chrono>
#include <functional>
#include <thread>

#include "tests/host/mtml/support.h"

namespace {

class MtmlUse : public MtmlTest {
 protected:
  unsigned long long used() const {
    unsigned long long found = 0;
    EXPECT_MTML(mtmlMemoryGetUsed(memory_, &found));
    return found;
  }
  unsigned int utilization() const {
    unsigned int found = 0;
    EXPECT_MTML(mtmlGpuGetUtilization(gpu_, &found));
    return found;
  }
  // Whether it becomes true within some seconds.
  static bool soon(const std::function<bool()>& condition) {
    for (int i = 0; i < 500; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  static void pass(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }
};

TEST_F(MtmlUse, mtmlMemoryGetUsed_CountsAllProcesses) {
  EXPECT_EQ(0U, used());
  User first;
  User second;
  first.expect("hold 20971520");
  EXPECT_EQ(20 * kMega, used());
  second.expect("hold 10485760");
  EXPECT_EQ(30 * kMega, used());
  MtmlMemory* other = nullptr;
  MtmlDevice* zero = nullptr;
  ASSERT_MTML(mtmlLibraryInitDeviceByIndex(library_, 0, &zero));
  ASSERT_MTML(mtmlDeviceInitMemory(zero, &other));
  unsigned long long elsewhere = 7;
  EXPECT_MTML(mtmlMemoryGetUsed(other, &elsewhere));
  EXPECT_EQ(0U, elsewhere) << "of another device";
  second.kill_now();
  EXPECT_EQ(20 * kMega, used());
  EXPECT_INVALID(mtmlMemoryGetUsed(memory_, nullptr));
}

TEST_F(MtmlUse, mtmlMemoryGetUtilization_IsTheShareInUse) {
  User user;
  user.expect("hold 26214400");
  unsigned int share = 0;
  EXPECT_MTML(mtmlMemoryGetUtilization(memory_, &share));
  EXPECT_EQ(25U, share);
}

TEST_F(MtmlUse, mtmlGpuGetUtilization_IsAboveZeroWhileAStreamIsBusy) {
  EXPECT_EQ(0U, utilization());
  User user;
  user.expect("busy");
  EXPECT_TRUE(soon([this] { return utilization() > 90; }));
  pass(200);
  EXPECT_GT(utilization(), 90U) << "though nothing has ended since";
  EXPECT_LE(utilization(), 100U);
  user.expect("idle");
  EXPECT_TRUE(soon([this] { return utilization() == 0; }));
  EXPECT_INVALID(mtmlGpuGetUtilization(gpu_, nullptr));
}

TEST_F(MtmlUse, mtmlGpuGetUtilization_IsAFractionIfAStreamIsBusyAtTimes) {
  User user;
  int between = 0;
  for (int i = 0; i < 40 && between < 3; ++i) {
    user.expect("busy");
    pass(10);
    user.expect("idle");
    pass(20);
    const unsigned int found = utilization();
    if (found > 3 && found < 90) ++between;
  }
  EXPECT_EQ(3, between);
}

// Several streams do not make a device busier than it can be, and none is forgotten.
TEST_F(MtmlUse, mtmlGpuGetUtilization_IsAtMostAHundred) {
  User first;
  User second;
  first.expect("busy");
  second.expect("busy");
  EXPECT_TRUE(soon([this] { return utilization() == 100; }));
  first.expect("idle");
  pass(100);
  EXPECT_GT(utilization(), 90U);
  second.kill_now();
  EXPECT_TRUE(soon([this] { return utilization() == 0; })) << "a process that was killed";
}

// The process keeps its number.
TEST_F(MtmlUse, mtmlGpuGetUtilization_ForgetsWhatTheProcessRanBefore) {
  User user;
  user.expect("busy");
  user.tell("exec");
  EXPECT_EQ("ready", user.answer());
  user.expect("busy");
  user.expect("idle");
  EXPECT_TRUE(soon([this] { return utilization() == 0; }));
  user.expect("busy");
  EXPECT_TRUE(soon([this] { return utilization() > 90; }));
}

TEST_F(MtmlUse, mtmlGpuGetEngineUtilization_IsThatOfComputing) {
  User user;
  user.expect("busy");
  const auto of = [this](int engine) {
    unsigned int found = 0;
    const MtmlReturn status =
        mtmlGpuGetEngineUtilization(gpu_, static_cast<MtmlGpuEngine>(engine), &found);
    return std::pair(status, found);
  };
  EXPECT_TRUE(soon([&] { return of(MTML_GPU_ENGINE_COMPUTE) > std::pair(MTML_SUCCESS, 90U); }));
  EXPECT_EQ(MTML_ERROR_NOT_SUPPORTED, of(MTML_GPU_ENGINE_3D).first);
  EXPECT_EQ(MTML_ERROR_INVALID_ARGUMENT, of(MTML_GPU_ENGINE_MAX).first);
  EXPECT_EQ(MTML_ERROR_INVALID_ARGUMENT, of(-1).first);
}

}  // namespace
