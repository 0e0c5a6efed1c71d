#include "tests/host/mtml/support.h"

#include <glob.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace {

// Before the first call, which reads all this.
class Machine : public testing::Environment {
 public:
  void SetUp() override {
    setenv("TORCHADA_HOST_DEVICES", std::to_string(kDevices).c_str(), 1);
    setenv("TORCHADA_HOST_MEMORY", "100M", 1);
    setenv("TORCHADA_HOST_ACCOUNT", name_.c_str(), 1);
    unsetenv("TORCHADA_HOST_LOST");
    unsetenv("MUSA_VISIBLE_DEVICES");
  }
  void TearDown() override { unlink(account_file().c_str()); }

 private:
  const std::string name_ = "mtml" + std::to_string(getpid());
};

const auto* const machine = testing::AddGlobalTestEnvironment(new Machine);

}  // namespace

std::string account_file() {
  glob_t found{};
  const std::string pattern =
      std::string("/dev/shm/torchada-musa-*-") + getenv("TORCHADA_HOST_ACCOUNT");
  std::string file;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) file = found.gl_pathv[0];
  globfree(&found);
  return file;
}

void MtmlTest::SetUp() {
  ASSERT_MTML(mtmlLibraryInit(&library_));
  ASSERT_MTML(mtmlLibraryInitDeviceByIndex(library_, 1, &device_));
  ASSERT_MTML(mtmlDeviceInitGpu(device_, &gpu_));
  ASSERT_MTML(mtmlDeviceInitMemory(device_, &memory_));
  ASSERT_MTML(mtmlDeviceInitVpu(device_, &vpu_));
}

void MtmlTest::TearDown() { EXPECT_MTML(mtmlLibraryShutDown(library_)); }

User::User() {
  int input[2] = {-1, -1};
  int output[2] = {-1, -1};
  EXPECT_EQ(0, pipe(input));
  EXPECT_EQ(0, pipe(output));
  process_ = fork();
  if (process_ == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    for (const int end : {input[0], input[1], output[0], output[1]}) close(end);
    execl(USER, USER, nullptr);
    _exit(3);
  }
  close(input[0]);
  close(output[1]);
  input_ = input[1];
  output_ = output[0];
  EXPECT_EQ("ready", answer());
}

User::~User() {
  end();
  close(output_);
}

int User::end() {
  int status = 0;
  if (input_ >= 0) close(std::exchange(input_, -1));
  if (process_ > 0) waitpid(std::exchange(process_, -1), &status, 0);
  return status;
}

void User::expect(const std::string& command) {
  tell(command);
  EXPECT_EQ("0", answer()) << command;
}

void User::tell(const std::string& command) const {
  const std::string line = command + "\n";
  EXPECT_EQ(static_cast<ssize_t>(line.size()), write(input_, line.data(), line.size()));
}

std::string User::answer() {
  std::string line;
  for (char next = 0; read(output_, &next, 1) == 1 && next != '\n';) line += next;
  return line;
}

void User::kill_now() {
  kill(process_, SIGKILL);
  waitpid(std::exchange(process_, -1), nullptr, 0);
}
