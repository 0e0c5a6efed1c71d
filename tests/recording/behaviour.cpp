#include "behaviour.h"

#include <mutex>
#include <string>

namespace {

struct Behaviour {
  std::string name;  // Empty: none is asked for.
  std::uint32_t status = 0;
  int argument = -1;
  std::uint32_t value = 0;
};

std::mutex mutex;
Behaviour behaviour;

}  // namespace

extern "C" {

void recording_behave(const char* name, std::uint32_t status, int argument, std::uint32_t value) {
  const std::lock_guard lock(mutex);
  behaviour = {name == nullptr ? "" : name, status, argument, value};
}

void recording_play(const char* name, std::uint64_t noise, recording_exchange* exchange) {
  const std::lock_guard lock(mutex);
  if (behaviour.name.empty()) return;
  const bool is_meant = name == behaviour.name;
  exchange->results.rax = noise << 32 | (is_meant ? behaviour.status : 0);
  if (!is_meant || behaviour.argument < 0) return;
  const auto index = static_cast<std::size_t>(behaviour.argument);
  const recording_arguments& arguments = exchange->arguments;
  const std::uint64_t to = index < 6 ? arguments.integers[index] : arguments.stack[index - 6];
  if (to != 0) *reinterpret_cast<std::uint32_t*>(to) = behaviour.value;
}

}  // extern "C"
