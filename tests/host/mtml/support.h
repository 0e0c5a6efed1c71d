// The machine that the tests expect: three devices with 100 MiB each, and an account of its own.
#pragma once

#include <gtest/gtest.h>
#include <mtml.h>
#include <sys/types.h>

#include <string>

#define EXPECT_MTML(call) EXPECT_EQ(MTML_SUCCESS, (call))
#define ASSERT_MTML(call) ASSERT_EQ(MTML_SUCCESS, (call))
#define EXPECT_INVALID(call) EXPECT_EQ(MTML_ERROR_INVALID_ARGUMENT, (call))

constexpr unsigned int kDevices = 3;
constexpr unsigned long long kMega = 1ULL << 20;
constexpr unsigned long long kMemory = 100 * kMega;

// The file of the account; empty while there is none.
std::string account_file();

// An open library, and device 1 with its parts.
class MtmlTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  MtmlLibrary* library_ = nullptr;
  MtmlDevice* device_ = nullptr;
  MtmlGpu* gpu_ = nullptr;
  MtmlMemory* memory_ = nullptr;
  MtmlVpu* vpu_ = nullptr;
};

// The process of user.cpp.
class User {
 public:
  User();
  ~User();
  User(const User&) = delete;
  User& operator=(const User&) = delete;
  // Waits for the answer and expects success.
  void expect(const std::string& command);
  // Passes a command and does not wait for an answer.
  void tell(const std::string& command) const;
  std::string answer();
  // Lets it end. What waitpid() says of that.
  int end();
  // Without a chance to clean up.
  void kill_now();

 private:
  pid_t process_ = -1;
  int input_ = -1;
  int output_ = -1;
};
