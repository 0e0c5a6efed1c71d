// A child forked while another thread registers code can register and look up code itself. The
// parent must not use MUSA before the fork, because a child could not use it after that.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/device_code/registering.h"

namespace {

// The number of children that failed. Each has ten seconds.
int failed_children() {
  std::atomic<bool> stop{false};
  std::thread registering([&] {
    char host = 0;
    while (!stop) {
      const Module module;
      for (int i = 0; i < 40; ++i) module.variable(&host, "host", 1);
    }
  });
  int failed = 0;
  for (int i = 0; i < 60; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);
      char host = 0;
      const Module module;
      module.variable(&host, "host", 9);
      _exit(size_of(&host) == 9 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    failed += status != 0;
  }
  stop = true;
  registering.join();
  return failed;
}

TEST(Fork, InTheMiddleOfARegistration) {
  // In a process with one thread. ctest runs each test in a new process, which has not used MUSA
  // yet.
  const pid_t child = fork();
  if (child == 0) _exit(failed_children());
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(0, WEXITSTATUS(status)) << "children that failed";
}

}  // namespace
