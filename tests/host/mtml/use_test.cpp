// What other processes use, seen from here.
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
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

// What another process of the user can do to the account's file, and to the pages that it names.
class AccountOfRunningPrograms : public MtmlUse {
 protected:
  void SetUp() override {
    MtmlUse::SetUp();
    EXPECT_EQ(0U, used());  // From now on this process has the account, too.
    file_ = account_file();
    std::ifstream in(file_, std::ios::binary);
    content_ = {std::istreambuf_iterator<char>(in), {}};
    ASSERT_FALSE(content_.empty());
    std::uint64_t words[2] = {};
    std::memcpy(words, content_.data(), std::min(sizeof(words), content_.size()));
    void* const pages = shmat(static_cast<int>(words[1]), nullptr, 0);
    if (pages != reinterpret_cast<void*>(-1)) pages_ = pages;
  }
  void TearDown() override {
    if (pages_ != nullptr) shmdt(pages_);
    unlink(file_.c_str());
    write_file(content_);
    EXPECT_EQ(0, chmod(file_.c_str(), 0600));
    MtmlUse::TearDown();
  }
  void write_file(const std::string& content) const {
    std::ofstream(file_, std::ios::binary) << content;
  }
  void attack(int way) const {
    switch (way) {
      case 0:
        EXPECT_EQ(0, truncate(file_.c_str(), 0));
        break;
      case 1:
        EXPECT_EQ(0, truncate(file_.c_str(), 4096));
        break;
      case 2:
        write_file(std::string(100000, '\xa5'));
        break;
      case 3:
        write_file(std::string(content_.size(), '\xff'));
        break;
      case 4:
        if (pages_ != nullptr) std::memset(pages_, 0x81, 32768);
        break;
      default:
        unlink(file_.c_str());
        write_file("");
    }
  }
  static constexpr int kWays = 6;

 private:
  std::string file_;
  std::string content_;
  void* pages_ = nullptr;
};

TEST_F(AccountOfRunningPrograms, GoOnWhateverBecomesOfIt) {
  User user;
  for (int way = 0; way < kWays; ++way) {
    SCOPED_TRACE(way);
    attack(way);
    user.expect("work");
    user.expect("hold 1048576");
    used();
    utilization();
    User later;
    later.expect("work");
    EXPECT_EQ(0, later.end());
  }
  EXPECT_EQ(0, user.end());
}

TEST_F(AccountOfRunningPrograms, GoOnWhileItIsSpoilt) {
  User user;
  std::atomic<bool> done{false};
  std::thread attacker([&] {
    for (int i = 0; !done; ++i) attack(i % kWays);
  });
  for (int i = 0; i < 20; ++i) {
    user.expect("work");
    used();
  }
  done = true;
  attacker.join();
  EXPECT_EQ(0, user.end());
}

}  // namespace
