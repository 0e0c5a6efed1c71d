// Shared by the tests of the CPU runtime.
#ifndef TORCHADA_TESTS_HOST_MUSART_SUPPORT_H_
#define TORCHADA_TESTS_HOST_MUSART_SUPPORT_H_

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "musa_runtime.h"

#define ASSERT_OK(call) ASSERT_EQ(musaSuccess, (call))
#define EXPECT_OK(call) EXPECT_EQ(musaSuccess, (call))
// The call must return the error and remember it for the thread. Reading it must clear it.
#define EXPECT_ERROR(code, call)                \
  do {                                          \
    EXPECT_EQ((code), (call));                  \
    EXPECT_EQ((code), musaPeekAtLastError());   \
    EXPECT_EQ((code), musaGetLastError());      \
    EXPECT_EQ(musaSuccess, musaGetLastError()); \
  } while (false)

// Blocks streams until it is opened. What the streams wait for outlives it.
class Barrier {
 public:
  ~Barrier() { open(); }
  void hold(musaStream_t stream) {
    auto* const shared = new std::shared_ptr<State>(state_);
    ASSERT_OK(musaLaunchHostFunc(
        stream,
        [](void* argument) {
          const std::unique_ptr<std::shared_ptr<State>> held(
              static_cast<std::shared_ptr<State>*>(argument));
          std::unique_lock lock((*held)->mutex);
          (*held)->changed.wait(lock, [&] { return (*held)->open; });
        },
        shared));
  }
  void open() {
    const std::lock_guard lock(state_->mutex);
    state_->open = true;
    state_->changed.notify_all();
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

struct Outcome {
  int status = -1;
  std::string output;
};

// Runs the helper with these arguments and environment assignments.
inline Outcome run_helper(const std::string& arguments, const std::string& environment = {}) {
  const std::string command = "env " + environment + " " HOST_MUSART_HELPER " " + arguments;
  Outcome run;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 4096> buffer{};
  for (size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    run.output.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return run;
}

template <typename Handle>
std::string to_hex(const Handle& handle) {
  std::string text;
  for (const auto byte : handle.reserved) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned char>(byte));
    text += digits.data();
  }
  return text;
}

// Whether the page is readable, without reading it in this process.
inline bool is_readable(const void* address) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return false;
  const bool readable = write(ends[1], address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return readable;
}

#endif  // TORCHADA_TESTS_HOST_MUSART_SUPPORT_H_
