#include "stubs/system/unfinished.h"

#include <stdint.h>
#include <unistd.h>

#include <atomic>

namespace torchada {
namespace {

// The process in the upper half, and how many Unfinished it has in the lower. What a child of
// fork() inherits with a count above 0 stays as it is: nobody will finish that work.
std::atomic<uint64_t> work{0};

uint64_t this_process() { return static_cast<uint64_t>(getpid()) << 32; }

constexpr uint64_t kCount = UINT32_MAX;

}  // namespace

Unfinished::Unfinished() : is_counted_(false) {
  const uint64_t process = this_process();
  uint64_t seen = work.load(std::memory_order_relaxed);
  for (;;) {
    const bool is_ours = (seen & ~kCount) == process;
    if (!is_ours && (seen & kCount) != 0) return;
    const uint64_t next = is_ours ? seen + 1 : process + 1;
    is_counted_ = work.compare_exchange_weak(seen, next, std::memory_order_relaxed);
    if (is_counted_) return;
  }
}

Unfinished::~Unfinished() {
  // A child that a constructor forked keeps the count of its parent.
  if (is_counted_ && (work.load(std::memory_order_relaxed) & ~kCount) == this_process()) {
    work.fetch_sub(1, std::memory_order_relaxed);
  }
}

bool was_cut_off() {
  const uint64_t seen = work.load(std::memory_order_relaxed);
  return (seen & kCount) != 0 && (seen & ~kCount) != this_process();
}

}  // namespace torchada
