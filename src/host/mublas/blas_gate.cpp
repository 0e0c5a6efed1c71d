#include "src/host/mublas/blas_gate.h"

#include <unistd.h>

#include <atomic>
#include <shared_mutex>

#include "src/host/shared/never_destroyed.h"

namespace host_mublas {
namespace {

struct Gate {
  const pid_t process = getpid();
  std::atomic<bool> open{true};
  std::shared_mutex computing;
};

Gate& gate() { return host::never_destroyed<Gate>(); }

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

bool BlasGate::closed() { return !gate().open; }

BlasGate::BlasGate() {
  gate().computing.lock_shared();
  entered_ = gate().open;
}

BlasGate::~BlasGate() { gate().computing.unlock_shared(); }

}  // namespace host_mublas
