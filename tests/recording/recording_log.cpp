// The log that all libraries of the recording backend share with the test.
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "recording.h"

namespace {

constexpr int kSdkVersion = 50100;

std::mutex mutex;
std::vector<recording_call> calls;
std::uint64_t next_value = 1;

struct Answer {
  std::optional<int> status;
  std::map<unsigned, std::vector<unsigned char>> written;  // By argument.
  std::map<unsigned, unsigned> looked;                     // Argument by slot.
};
std::map<std::string, Answer> answers;

void* pointer_argument(const recording_exchange& exchange, unsigned index) {
  const recording_arguments& arguments = exchange.arguments;
  return reinterpret_cast<void*>(index < 6 ? arguments.integers[index]
                                           : arguments.stack[index - 6]);
}

void play(const Answer& answer, recording_exchange* exchange, recording_call* call) {
  for (const auto& [slot, argument] : answer.looked) {
    memcpy(call->seen[slot], pointer_argument(*exchange, argument), sizeof call->seen[slot]);
  }
  for (const auto& [argument, data] : answer.written) {
    void* to = pointer_argument(*exchange, argument);
    if (to) memcpy(to, data.data(), data.size());
  }
  if (answer.status) exchange->results.rax = static_cast<std::uint64_t>(*answer.status);
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

void recording_answer(const char* name, int status) {
  const std::lock_guard lock(mutex);
  answers[name].status = status;
}

void recording_write(const char* name, unsigned argument, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  const std::lock_guard lock(mutex);
  answers[name].written[argument].assign(bytes, bytes + size);
}

void recording_look(const char* name, unsigned slot, unsigned argument) {
  const std::lock_guard lock(mutex);
  answers[name].looked[slot] = argument;
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
  recording_call call{name, {}, recording_thread(), version_probe, {}};
  const auto answer = answers.find(name);
  if (answer != answers.end()) play(answer->second, exchange, &call);
  call.exchange = *exchange;
  calls.push_back(call);
}

}  // extern "C"
