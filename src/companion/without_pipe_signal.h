// Writing to a pipe that nobody reads any more: an error, and not the end of the program.
#pragma once

#include <signal.h>

#include <cerrno>
#include <ctime>

namespace torchada {

// As long as it lives, this thread gets no SIGPIPE; one that came meanwhile is taken back. Keeps
// errno.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) != 0;
    // That of this thread, as pthread_sigmask, which since glibc 2.32 has a version that older ones
    // lack.
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
