// Makes writing to a pipe without a reader an error instead of the end of the program.
#pragma once

#include <signal.h>

#include <cerrno>
#include <ctime>

namespace torchada {

// While it exists, this thread gets no SIGPIPE; one that arrives meanwhile is discarded. Keeps
// errno.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) != 0;
    // Sets this thread's mask. pthread_sigmask would do the same, but since glibc 2.32 it has a
    // symbol version that older releases lack.
    sigprocmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const int why = errno;
    const timespec now{};
    if (!was_pending_) sigtimedwait(&pipe_, nullptr, &now);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    errno = why;
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t pipe_, before_;
  bool was_pending_;
};

}  // namespace torchada
