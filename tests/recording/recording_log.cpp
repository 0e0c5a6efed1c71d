// The log that all libraries of the recording backend share with the test.
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "recording.h"

namespace {

constexpr int kSdkVersion = 50100;

std::mutex mutex;
std::vector<recording_call> calls;
std::uint64_t next_value = 1;

struct Written {
  std::string name;
  unsigned argument;
  std::vector<unsigned char> bytes;
};
std::vector<Written> written;
bool has_answer = false;
std::uint64_t answer = 0;
std::string watched_suffix;
unsigned watched_argument = 0;

std::uint64_t argument_of(const recording_exchange& exchange, unsigned index) {
  const recording_arguments& arguments = exchange.arguments;
  return index < 6 ? arguments.integers[index] : arguments.stack[index - 6];
}

// What the backend does besides recording, if a test has asked for it.
void act(recording_call* call) {
  const std::string name = call->name;
  for (const Written& item : written) {
    void* to = reinterpret_cast<void*>(argument_of(call->exchange, item.argument));
    if (item.name == name && to != nullptr) memcpy(to, item.bytes.data(), item.bytes.size());
  }
  if (watched_suffix.empty() || name.size() < watched_suffix.size() ||
      name.compare(name.size() - watched_suffix.size(), watched_suffix.size(), watched_suffix) != 0)
    return;
  const std::size_t size = argument_of(call->exchange, watched_argument + 1);
  memcpy(call->seen, reinterpret_cast<const void*>(argument_of(call->exchange, watched_argument)),
         std::min(size, sizeof call->seen));
}

// A permutation of the 64-bit numbers (splitmix64), so that no two results are the same.
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

void recording_answer(std::uint64_t status) {
  const std::lock_guard lock(mutex);
  has_answer = true;
  answer = status;
}

void recording_write(const char* name, unsigned argument, const void* bytes, std::size_t size) {
  const std::lock_guard lock(mutex);
  written.erase(std::remove_if(written.begin(), written.end(),
                               [&](const Written& item) {
                                 return item.name == name && item.argument == argument;
                               }),
                written.end());
  const auto* const first = static_cast<const unsigned char*>(bytes);
  written.push_back({name, argument, {first, first + size}});
}

void recording_watch(const char* suffix, unsigned argument) {
  const std::lock_guard lock(mutex);
  watched_suffix = suffix;
  watched_argument = argument;
}

void recording_append(const char* name, recording_exchange* exchange) {
  const bool version_probe = strcmp(name, "musaRuntimeGetVersion") == 0;
  const std::lock_guard lock(mutex);
  recording_results& results = exchange->results;
  results = {distinct_value(), distinct_value(), {distinct_value(), distinct_value()}};
  if (version_probe) {
    *reinterpret_cast<int*>(exchange->arguments.integers[0]) = kSdkVersion;
    results.rax = 0;
  }
  if (has_answer) results.rax = answer;
  calls.push_back({name, *exchange, recording_thread(), version_probe, {}});
  act(&calls.back());
}

}  // extern "C"
