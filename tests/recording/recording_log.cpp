// The log shared by all libraries of the recording backend and the test.
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <vector>

#include "tests/recording/behaviour.h"
#include "tests/recording/recording.h"

namespace {

constexpr int kSdkVersion = 50200;

std::mutex mutex;
std::vector<recording_call> calls;
std::uint64_t next_value = 1;

// A permutation of the 64-bit numbers (splitmix64), so that no two results are equal.
std::uint64_t distinct_value() {
  std::uint64_t z = next_value++ * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

extern "C" {

void recording_reset() {
  const std::lock_guard lock(mutex);
  calls.clear();
}

std::size_t recording_count() {
  const std::lock_guard lock(mutex);
  return calls.size();
}

recording_call recording_get(std::size_t index) {
  const std::lock_guard lock(mutex);
  return calls.at(index);
}

std::uint64_t recording_thread() { return static_cast<std::uint64_t>(syscall(SYS_gettid)); }

void recording_append(const char* name, recording_exchange* exchange) {
  const bool version_probe = strcmp(name, "musaRuntimeGetVersion") == 0;
  const std::lock_guard lock(mutex);
  recording_results& results = exchange->results;
  results = {distinct_value(), distinct_value(), {distinct_value(), distinct_value()}};
  if (version_probe) {
    *reinterpret_cast<int*>(exchange->arguments.integers[0]) = kSdkVersion;
    results.rax = 0;
  }
  recording_call call{name, {}, recording_thread(), version_probe, {}};
  recording_play(results.rdx, exchange, &call);
  call.exchange = *exchange;
  calls.push_back(call);
}

}  // extern "C"
