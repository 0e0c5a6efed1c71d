// The log that all libraries of the recording backend share with the test.
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <vector>

#include "recording.h"

namespace {

constexpr int kSdkVersion = 50100;

std::mutex mutex;
std::vector<recording_call> calls;
std::uint64_t next_value = 1;

struct Behaviour {
  std::string name;  // Empty: none is asked for.
  std::uint32_t status = 0;
  int argument = -1;
  std::uint32_t value = 0;
} behaviour;

// A permutation of the 64-bit numbers (splitmix64), so that no two results are the same.
std::uint64_t distinct_value() {
  std::uint64_t z = next_value++ * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// A status has 32 bits; what stands above them nobody may read.
void behave(const std::string& name, recording_exchange* exchange) {
  const bool is_meant = name == behaviour.name;
  exchange->results.rax = distinct_value() << 32 | (is_meant ? behaviour.status : 0);
  if (!is_meant || behaviour.argument < 0) return;
  const auto index = static_cast<std::size_t>(behaviour.argument);
  const recording_arguments& arguments = exchange->arguments;
  const std::uint64_t to = index < 6 ? arguments.integers[index] : arguments.stack[index - 6];
  if (to != 0) *reinterpret_cast<std::uint32_t*>(to) = behaviour.value;
}

}  // namespace

extern "C" {

void recording_behave(const char* name, std::uint32_t status, int argument, std::uint32_t value) {
  const std::lock_guard lock(mutex);
  behaviour = {name == nullptr ? "" : name, status, argument, value};
}

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
  if (!behaviour.name.empty()) behave(name, exchange);
  if (version_probe) {
    *reinterpret_cast<int*>(exchange->arguments.integers[0]) = kSdkVersion;
    results.rax = 0;
  }
  calls.push_back({name, *exchange, recording_thread(), version_probe});
}

}  // extern "C"
