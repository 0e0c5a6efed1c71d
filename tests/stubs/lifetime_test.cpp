// fork() and exit: calls made when MUSA is gone or unusable.
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/stubs/probe_test.h"

namespace {

TEST(Fork, BeforeFirstUse) {
  EXPECT_EQ(child_status([] { _exit(probe_add(20, 3)); }), 23);
  EXPECT_EQ(probe_add(1, 2), 3);
}

// In the child, MUSA has lost its threads and its device: calls fail, as with real CUDA, and do not
// hang.
TEST(Fork, AfterFirstUse) {
  ASSERT_EQ(probe_add(1, 2), 3);
  EXPECT_EQ(child_status([] { _exit(probe_add(10, 7)); }), kProbeForked);
  EXPECT_EQ(child_status([] { _exit(probe_errno()); }), kProbeForked)
      << "first called in the child";
  EXPECT_EQ(child_status([] { _exit(probe_adapted(1) - 1000); }), kProbeForked) << "by an adapter";
  EXPECT_EQ(child_status([] { _exit(probe_lent(1)); }), kProbeForked) << "by one that stands in";
  EXPECT_EQ(probe_add(1, 2), 3) << "the parent goes on";
}

TEST(Fork, AfterUseThenExec) {
  ASSERT_EQ(probe_add(1, 2), 3);
  EXPECT_EQ(child_status([] { execl("/bin/true", "true", static_cast<char*>(nullptr)); }), 0);
}

TEST(Fork, WhileOthersResolve) {
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) probe_add(1, 2);
  });
  for (int i = 0; i < 20; ++i) {
    const int status = child_status([] { _exit(probe_add(20, 3)); });
    // If the child is forked before the other thread has opened MUSA, the child opens it itself.
    EXPECT_TRUE(status == kProbeForked || status == 23) << status;
  }
  stop = true;
  other.join();
}

// Calls from destructors and handlers, in a child that exits normally.
int status_at_exit = -1;

int exit_of_child(void (*before_use)(), void (*after_use)()) {
  int channel[2];
  if (pipe(channel) != 0) return -1;
  static int report_to;
  report_to = channel[1];
  const pid_t child = fork();
  if (child == 0) {
    atexit([] {  // Registered first, runs last.
      const char value = static_cast<char>(status_at_exit);
      if (write(report_to, &value, 1) != 1) _exit(9);
    });
    if (before_use) before_use();
    probe_add(1, 2);
    if (after_use) after_use();
    exit(0);
  }
  close(channel[1]);
  char value = -2;
  if (read(channel[0], &value, 1) != 1) value = -3;
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  return value;
}

TEST(Exit, HandlerRegisteredBeforeTheFirstCall) {
  EXPECT_EQ(exit_of_child([] { atexit([] { status_at_exit = probe_add(1, 2); }); }, nullptr),
            kProbeUnloading);
}

// A library that MUSA opened later takes itself apart first.
TEST(Exit, AfterTheSiblingIsGone) {
  EXPECT_EQ(exit_of_child(nullptr, [] { status_at_exit = probe_sibling(); }), kProbeUnloading);
}

TEST(Exit, SymbolFirstCalledThen) {
  EXPECT_EQ(exit_of_child([] { atexit([] { status_at_exit = probe_errno(); }); }, nullptr),
            kProbeUnloading);
}

// Handlers registered after MUSA was opened run before MUSA's destructors.
TEST(Exit, HandlerRegisteredAfterTheFirstCall) {
  EXPECT_EQ(exit_of_child(nullptr, [] { atexit([] { status_at_exit = probe_add(1, 2); }); }), 3);
}

TEST(Exit, DetachedThreadThatGoesOnCalling) {
  for (int i = 0; i < 10; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      probe_add(1, 2);
      for (int k = 0; k < 4; ++k) {
        std::thread([] {
          for (;;) probe_add(1, 2);
        }).detach();
      }
      exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
}

TEST(Exit, UnderscoreExitRunsNothing) {
  EXPECT_EQ(child_status([] {
              probe_add(1, 2);
              _exit(probe_add(20, 3));
            }),
            23);
}

}  // namespace

// The sibling calls this when it has taken itself apart.
extern "C" void probe_test_when_sibling_is_gone() { status_at_exit = probe_sibling(); }
