#include "src/host/mublas/blas_gate.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "src/host/shared/never_destroyed.h"

// Weak: muBLASLt computes on the streams' threads alone, and has no others.
namespace host {
[[gnu::weak]] int thread_count();
}

// OpenBLAS's own. What is given back is kept for the next computation.
extern "C" {
void* blas_memory_alloc(int);
void blas_memory_free(void*);
}

namespace host_mublas {
namespace {

struct Gate {
  const pid_t process = getpid();
  std::atomic<bool> open{true};
  std::shared_mutex computing;
  std::atomic<bool> has_room{false};
  std::atomic<bool> one_at_a_time{false};
  std::mutex making_room;
};

Gate& gate() { return host::never_destroyed<Gate>(); }

// For that many buffers. OpenBLAS's are 128 MiB long in its newest releases, of which few pages are
// touched.
bool fits(std::size_t buffers) {
  constexpr std::size_t kBuffer = std::size_t{132} << 20;
  std::vector<void*> tried;
  bool fit = true;
  for (std::size_t i = 0; i < buffers && fit; ++i) {
    void* const pages = mmap(nullptr, kBuffer, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    fit = pages != MAP_FAILED;
    if (fit) tried.push_back(pages);
  }
  for (void* const pages : tried) munmap(pages, kBuffer);
  return fit;
}

bool make_room() {
  const std::lock_guard lock(gate().making_room);
  if (gate().has_room.load()) return true;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    const std::size_t users =
        1 + static_cast<std::size_t>(host::thread_count != nullptr ? host::thread_count() : 0);
    if (!fits(users)) return false;
    std::vector<void*> buffers;
    for (std::size_t i = 0; i < users; ++i) buffers.push_back(blas_memory_alloc(0));
    for (void* const buffer : buffers) blas_memory_free(buffer);
    gate().one_at_a_time.store(true);
  }
  gate().has_room.store(true);
  return true;
}

struct CloseAtExit {
  ~CloseAtExit() {
    // A forked child inherits the lock's state, but not the threads that would release it.
    if (gate().process != getpid()) return;
    gate().open = false;
    const std::lock_guard wait_for_running(gate().computing);
  }
};

}  // namespace

// A static object constructed while the program runs is destroyed before the library's own
// destructors run, including OpenBLAS's, in whatever order the linker placed those.
void BlasGate::close_at_exit() {
  gate();
  static const CloseAtExit closer;
}

bool BlasGate::has_room() { return gate().has_room.load(std::memory_order_relaxed) || make_room(); }

bool BlasGate::closed() { return !gate().open; }

BlasGate::BlasGate() : alone_(gate().one_at_a_time.load()) {
  if (alone_) {
    gate().computing.lock();
  } else {
    gate().computing.lock_shared();
  }
  entered_ = gate().open;
}

BlasGate::~BlasGate() {
  if (alone_) {
    gate().computing.unlock();
  } else {
    gate().computing.unlock_shared();
  }
}

}  // namespace host_mublas
