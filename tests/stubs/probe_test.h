// Shared by the tests of the probe library. ctest runs every test in its own process, so the first
// call in a test is the first call of that symbol, and the very first call opens the backend, whose
// constructor destroys the vector registers.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "tests/stubs/probe.h"
#include "tests/stubs/probe_tables.h"

// The setenv of the tests, which the replacement library calls: see opening_test.cpp.
extern std::atomic<bool> setenv_is_slow;
extern std::atomic<int> most_setenvs;  // That ran at once.

// What `call` writes on stderr.
template <typename Call>
std::string stderr_of(Call call) {
  testing::internal::CaptureStderr();
  call();
  return testing::internal::GetCapturedStderr();
}

// Exit status of a child that runs `body`, or the negated signal that ended it.
inline int child_status(void (*body)()) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// The sum that backend functions compute from their arguments' bytes.
inline uint64_t weighted(const void* data, size_t size) {
  uint64_t total = 0;
  for (size_t i = 0; i < size; ++i) {
    total = total * 31 + static_cast<const unsigned char*>(data)[i];
  }
  return total;
}
