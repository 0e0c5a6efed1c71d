// What the tracer keeps for each thread.
#pragma once

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "src/companion/thread_state.h"

namespace torchada::trace {

inline std::int32_t thread_id() {
  ThreadState& state = thread_state();
  if (state.id != 0) return state.id;
  const auto id = static_cast<std::int32_t>(syscall(SYS_gettid));
  if (!is_shared(state)) state.id = id;
  return id;
}

// Marks the tracer's own work. That writes files, at which a thread may be cancelled; the program
// does not expect cancellation here.
class Work {
 public:
  Work() : state_(thread_state()), was_busy_(state_.busy) {
    state_.busy = true;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state_);
  }
  ~Work() {
    pthread_setcancelstate(cancel_state_, nullptr);
    state_.busy = was_busy_;
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

 private:
  ThreadState& state_;
  bool was_busy_;
  int cancel_state_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace torchada::trace
