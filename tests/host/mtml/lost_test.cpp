// TORCHADA_HOST_LOST lists devices that no longer answer.
#include <cstdlib>

#include "tests/host/mtml/support.h"

namespace {

class MtmlLost : public MtmlTest {
 protected:
  void TearDown() override {
    unsetenv("TORCHADA_HOST_LOST");
    MtmlTest::TearDown();
  }
};

TEST_F(MtmlLost, EveryQuestionFails) {
  unsigned long long total = 0;
  EXPECT_MTML(mtmlMemoryGetTotal(memory_, &total));
  setenv("TORCHADA_HOST_LOST", "1", 1);
  EXPECT_EQ(MTML_ERROR_DRIVER_FAILURE, mtmlMemoryGetTotal(memory_, &total));
  unsigned int number = 0;
  EXPECT_EQ(MTML_ERROR_DRIVER_FAILURE, mtmlGpuGetUtilization(gpu_, &number));
  EXPECT_EQ(MTML_ERROR_DRIVER_FAILURE, mtmlDeviceGetPowerUsage(device_, &number));
  char name[MTML_DEVICE_NAME_BUFFER_SIZE] = "";
  EXPECT_EQ(MTML_ERROR_DRIVER_FAILURE, mtmlDeviceGetName(device_, name, sizeof name));
  MtmlGpu* part = nullptr;
  EXPECT_EQ(MTML_ERROR_DRIVER_FAILURE, mtmlDeviceInitGpu(device_, &part));
  unsetenv("TORCHADA_HOST_LOST");
  EXPECT_MTML(mtmlMemoryGetTotal(memory_, &total));
}

TEST_F(MtmlLost, OthersAnswerAndObjectsCanBeClosed) {
  setenv("TORCHADA_HOST_LOST", "2,1", 1);
  MtmlDevice* zero = nullptr;
  MtmlMemory* memory = nullptr;
  EXPECT_MTML(mtmlLibraryInitDeviceByIndex(library_, 0, &zero));
  EXPECT_MTML(mtmlDeviceInitMemory(zero, &memory));
  unsigned long long total = 0;
  EXPECT_MTML(mtmlMemoryGetTotal(memory, &total));
  EXPECT_MTML(mtmlDeviceFreeGpu(gpu_));
  EXPECT_MTML(mtmlLibraryFreeDevice(device_));
  unsigned int count = 0;
  EXPECT_MTML(mtmlLibraryCountDevice(library_, &count));
  EXPECT_EQ(kDevices, count) << "as if nobody had noticed";
}

}  // namespace
