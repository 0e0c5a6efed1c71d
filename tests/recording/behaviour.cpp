#include "tests/recording/behaviour.h"

#include <string.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Flood {
  std::size_t size = 0;
  bool writes = false;
  unsigned char byte = 0;
  std::vector<unsigned char> found;  // In the latest call; empty if there was none.
};

struct Answer {
  std::optional<int> status;
  std::map<unsigned, Flood> flooded;                       // By argument.
  std::map<unsigned, std::vector<unsigned char>> written;  // By argument.
  std::map<unsigned, unsigned> looked;                     // Slot -> argument.
};

struct Behaviour {
  std::string name;  // Empty: no function is set.
  std::uint32_t status = 0;
  int argument = -1;
  std::uint32_t value = 0;
};

struct Watch {
  std::string suffix;  // Empty: no suffix is set.
  unsigned argument = 0;
};

std::mutex mutex;
std::map<std::string, Answer> answers;
std::optional<std::uint64_t> answer_of_all;
Behaviour behaviour;
Watch watch;

std::uint64_t argument_of(const recording_exchange& exchange, unsigned index) {
  const recording_arguments& arguments = exchange.arguments;
  return index < 6 ? arguments.integers[index] : arguments.stack[index - 6];
}

void* pointer_argument(const recording_exchange& exchange, unsigned index) {
  return reinterpret_cast<void*>(argument_of(exchange, index));
}

void play(Answer& answer, recording_exchange* exchange, recording_call* call) {
  for (auto& [argument, flood] : answer.flooded) {
    auto* const to = static_cast<unsigned char*>(pointer_argument(*exchange, argument));
    if (!to) continue;
    flood.found.assign(to, to + flood.size);
    if (flood.writes) memset(to, flood.byte, flood.size);
  }
  for (const auto& [slot, argument] : answer.looked) {
    memcpy(call->seen[slot], pointer_argument(*exchange, argument), sizeof call->seen[slot]);
  }
  for (const auto& [argument, data] : answer.written) {
    void* to = pointer_argument(*exchange, argument);
    if (to) memcpy(to, data.data(), data.size());
  }
  if (answer.status) exchange->results.rax = static_cast<std::uint64_t>(*answer.status);
}

void behave(const char* name, std::uint64_t noise, recording_exchange* exchange) {
  if (behaviour.name.empty()) return;
  const bool is_meant = name == behaviour.name;
  exchange->results.rax = noise << 32 | (is_meant ? behaviour.status : 0);
  if (!is_meant || behaviour.argument < 0) return;
  void* to = pointer_argument(*exchange, static_cast<unsigned>(behaviour.argument));
  if (to) memcpy(to, &behaviour.value, sizeof behaviour.value);
}

void look(const recording_exchange& exchange, recording_call* call) {
  if (watch.suffix.empty() || !std::string_view(call->name).ends_with(watch.suffix)) return;
  const std::size_t size = argument_of(exchange, watch.argument + 1);
  memcpy(call->seen[0], pointer_argument(exchange, watch.argument),
         std::min(size, sizeof call->seen[0]));
}

}  // namespace

extern "C" {

void recording_answer(const char* name, int status) {
  const std::lock_guard lock(mutex);
  answers[name].status = status;
}

void recording_write(const char* name, unsigned argument, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  const std::lock_guard lock(mutex);
  answers[name].written[argument].assign(bytes, bytes + size);
}

void recording_flood(const char* name, unsigned argument, std::size_t size, bool writes,
                     unsigned char byte) {
  const std::lock_guard lock(mutex);
  answers[name].flooded[argument] = {size, writes, byte, {}};
}

const unsigned char* recording_flooded(const char* name, unsigned argument) {
  static std::vector<unsigned char> found;
  const std::lock_guard lock(mutex);
  std::vector<unsigned char>& latest = answers[name].flooded[argument].found;
  found.swap(latest);
  latest.clear();
  return found.empty() ? nullptr : found.data();
}

void recording_answer_all(std::uint64_t status) {
  const std::lock_guard lock(mutex);
  answer_of_all = status;
}

void recording_look(const char* name, unsigned slot, unsigned argument) {
  const std::lock_guard lock(mutex);
  answers[name].looked[slot] = argument;
}

void recording_watch(const char* suffix, unsigned argument) {
  const std::lock_guard lock(mutex);
  watch = {suffix, argument};
}

void recording_behave(const char* name, std::uint32_t status, int argument, std::uint32_t value) {
  const std::lock_guard lock(mutex);
  behaviour = {name == nullptr ? "" : name, status, argument, value};
}

void recording_play(std::uint64_t noise, recording_exchange* exchange, recording_call* call) {
  const std::lock_guard lock(mutex);
  if (answer_of_all) exchange->results.rax = *answer_of_all;
  behave(call->name, noise, exchange);
  const auto answer = answers.find(call->name);
  if (answer != answers.end()) play(answer->second, exchange, call);
  look(*exchange, call);
}

}  // extern "C"
