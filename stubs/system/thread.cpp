#include "stubs/system/thread.h"

#include <atomic>

namespace torchada {
namespace {

ThreadCount status;
ThreadCount opening;  // Depth of our own dlopen calls.
// Calls that the C library had no room to count for their thread. While there are any, every thread
// counts as opening: what it resolves then is found again at the next call.
std::atomic<uint32_t> unmarked{0};

}  // namespace

int last_error() { return static_cast<int>(status.get()); }

void set_last_error(int value) {
  // Most threads never fail, and need no key.
  if (value != 0 || status.get() != 0) status.set(static_cast<uint32_t>(value));
}

bool is_opening_here() {
  return opening.get() != 0 || unmarked.load(std::memory_order_relaxed) != 0;
}

bool Opening::enter_opening() {
  if (opening.set(opening.get() + 1)) return true;
  unmarked.fetch_add(1, std::memory_order_relaxed);
  return false;
}

void Opening::leave_opening(bool is_marked) {
  if (is_marked) {
    opening.set(opening.get() - 1);  // Cannot fail: this thread has the room already.
  } else {
    unmarked.fetch_sub(1, std::memory_order_relaxed);
  }
}

}  // namespace torchada
