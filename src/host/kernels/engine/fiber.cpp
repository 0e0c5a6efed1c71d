#include "src/host/kernels/engine/fiber.h"

#include <sys/mman.h>

#include <new>

namespace musa {
namespace {

constexpr std::size_t kGuard = 4096;
constexpr std::size_t kStack = std::size_t{64} << 10;
// What lies above a stack belongs to nobody, so that addresses near a thread's variables are local.
constexpr std::size_t kAbove = kStack;
constexpr std::size_t kAll = kGuard + kStack + kAbove;
// Stacks begin at different places of a page. Otherwise the top of each would take the same lines
// of the cache, of which there are few.
constexpr std::size_t kStep = 192;
constexpr std::size_t kSteps = 20;

}  // namespace

Fiber::Fiber(unsigned int number, void (*main)(boost::context::detail::transfer_t)) : main_(main) {
  void* const memory = mmap(nullptr, kAll, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<unsigned char*>(memory);
  if (mprotect(memory_, kGuard, PROT_NONE) != 0 ||
      mprotect(memory_ + kGuard + kStack, kAbove, PROT_NONE) != 0) {
    munmap(memory_, kAll);
    throw std::bad_alloc();
  }
  top_ = memory_ + kGuard + kStack - number % kSteps * kStep;
  restart();
}

Fiber::~Fiber() {
  notes.end();
  munmap(memory_, kAll);
}

void Fiber::restart() {
  at = boost::context::detail::make_fcontext(top_, kStack - kSteps * kStep, main_);
  has_thread = false;
  notes.begin(memory_ + kGuard, kStack);
}

bool Fiber::is_guard(const void* address) const {
  return address >= memory_ && address < memory_ + kGuard;
}

}  // namespace musa
