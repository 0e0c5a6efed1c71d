// State of one thread. Initial-exec, as in the fake libraries: a thread's first call then allocates
// nothing. An allocation might lead into a malloc of the program that calls CUDA.
#pragma once

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace torchada::trace {

class Recording;

struct Thread {
  Recording* innermost;  // The recorded call that this thread is in.
  std::int32_t id;       // The gettid() number; 0 until needed, and in a child of fork().
  // Inside the tracer's own work: calls to CUDA do not come from the program.
  bool busy;
};

extern __attribute__((tls_model("initial-exec"))) thread_local Thread thread;

inline std::int32_t thread_id() {
  if (thread.id == 0) thread.id = static_cast<std::int32_t>(syscall(SYS_gettid));
  return thread.id;
}

// Marks the tracer's own work. That writes files, at which a thread may be cancelled; the program
// does not expect cancellation here.
class Work {
 public:
  Work() {
    thread.busy = true;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state_);
  }
  ~Work() {
    pthread_setcancelstate(cancel_state_, nullptr);
    thread.busy = false;
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

 private:
  int cancel_state_;
};

}  // namespace torchada::trace
