// Two replacement libraries in one process, over one backend: what happens to it through the one
// holds for the other. The second is a copy of the first, which the loader takes for another
// library.
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/stubs/probe_test.h"

namespace {

using Add = int (*)(int, int);

// probe_add of the second library, loaded and not called yet.
Add second_add() {
  static const Add add = [] {
    const std::string copy = testing::TempDir() + "torchada-peer-" + std::to_string(getpid());
    std::filesystem::copy_file(PROBE_REPLACEMENT, copy,
                               std::filesystem::copy_options::overwrite_existing);
    void* const handle = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(handle, nullptr) << dlerror();
    std::filesystem::remove(copy);
    return reinterpret_cast<Add>(dlsym(handle, "probe_add"));
  }();
  EXPECT_NE(add, &probe_add);
  return add;
}

TEST(Peers, UseTheSameBackend) {
  EXPECT_EQ(second_add()(1, 2), 3);
  EXPECT_EQ(stderr_of([] { EXPECT_EQ(probe_add(1, 2), 3); }), "");
}

// Two libraries open the backend at once. setenv moves the environment, through which the other
// would walk.
TEST(Peers, TakeTurnsAtTheEnvironment) {
  setenv("PROBE_DEVICES", "1", 1);
  setenv("PROBE_NET_DEBUG", "INFO", 1);
  const Add add = second_add();
  setenv_is_slow = true;
  std::atomic<int> ready{0};
  const auto call = [&](Add function) {
    ++ready;
    while (ready < 2) std::this_thread::yield();
    EXPECT_EQ(function(1, 2), 3);
    EXPECT_STREQ(getenv("BACK_NET_DEBUG"), "INFO");
  };
  std::thread other(call, add);
  call(probe_add);
  other.join();
  EXPECT_EQ(most_setenvs, 1);
}

// A thread copies the environment while another forks: nobody is left in the child to end its turn.
TEST(Peers, ChildDoesNotWaitForAThreadOfItsParent) {
  setenv("PROBE_DEVICES", "1", 1);
  most_setenvs = 0;
  setenv_is_slow = true;
  std::thread other([] { EXPECT_EQ(probe_add(1, 2), 3); });
  while (most_setenvs == 0) std::this_thread::yield();
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(child_status([] { _exit(probe_add(20, 3)); }), 23);
  // A turn that nobody ends is waited for as long as two seconds.
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(1500));
  other.join();
}

// The parent has used MUSA through one library; the child calls the other one first.
TEST(Peers, FirstCallInAChildOfFork) {
  second_add();
  ASSERT_EQ(probe_add(1, 2), 3);
  EXPECT_EQ(child_status([] { _exit(second_add()(20, 3)); }), kProbeForked);
  EXPECT_EQ(second_add()(20, 3), 23) << "the parent goes on";
}

TEST(Peers, FirstCallInAChildWhoseParentUsedNone) {
  second_add();
  EXPECT_EQ(child_status([] { _exit(second_add()(20, 3)); }), 23);
}

TEST(Peers, FirstCallAtExit) {
  static int channel[2];
  ASSERT_EQ(pipe(channel), 0);
  const pid_t child = fork();
  if (child == 0) {
    second_add();
    atexit([] {  // Registered before MUSA is opened, runs after it is gone.
      const char value = static_cast<char>(second_add()(1, 2));
      if (write(channel[1], &value, 1) != 1) _exit(9);
    });
    probe_add(1, 2);
    exit(0);
  }
  close(channel[1]);
  char value = -1;
  EXPECT_EQ(read(channel[0], &value, 1), 1);
  close(channel[0]);
  EXPECT_EQ(value, kProbeUnloading);
  waitpid(child, nullptr, 0);
}

// The second library opens the backend, whose constructor calls the first: what the first resolves
// then is of a library that is not constructed yet, so it resolves again at the next call.
TEST(Peers, ConstructorCallsTheOther) {
  setenv("TORCHADA_LOG", "debug", 1);
  const std::string route = "probe_add -> back_add";
  const auto count = [&](const std::string& text) {
    size_t found = 0;
    for (size_t at = text.find(route); at != std::string::npos; at = text.find(route, at + 1)) {
      ++found;
    }
    return found;
  };
  const Add add = second_add();
  EXPECT_EQ(count(stderr_of([&] { EXPECT_EQ(add(1, 2), 3); })), 2U) << "one of each library";
  EXPECT_EQ(count(stderr_of([] { EXPECT_EQ(probe_add(1, 2), 3); })), 1U) << "resolved again";
  EXPECT_EQ(count(stderr_of([] { EXPECT_EQ(probe_add(1, 2), 3); })), 0U) << "and kept";
  EXPECT_EQ(probe_called_back(), 1);
}

}  // namespace
