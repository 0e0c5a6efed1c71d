#include "src/companion/profiler/external.h"

#include <map>

#include "src/companion/thread_state.h"

namespace torchada::profiler {
namespace {

using Stacks = std::map<std::uint32_t, std::vector<std::uint64_t>>;

Stacks* known() { return static_cast<Stacks*>(thread_state().externals.stacks); }

Stacks& stacks() {
  ThreadState& state = thread_state();
  if (!state.externals.stacks) {
    state.externals.drop = [](void* stacks) { delete static_cast<Stacks*>(stacks); };
    state.externals.stacks = new Stacks;
  }
  return *known();
}

}  // namespace

void push_external(std::uint32_t kind, std::uint64_t id) { stacks()[kind].push_back(id); }

bool pop_external(std::uint32_t kind, std::uint64_t* id) {
  Stacks* const own = known();
  if (!own) return false;
  std::vector<std::uint64_t>& stack = (*own)[kind];
  if (stack.empty()) return false;
  if (id) *id = stack.back();
  stack.pop_back();
  return true;
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> externals() {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> out;
  if (const Stacks* const own = known()) {
    for (const auto& [kind, stack] : *own) {
      if (!stack.empty()) out.emplace_back(kind, stack.back());
    }
  }
  return out;
}

}  // namespace torchada::profiler
