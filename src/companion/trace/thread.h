// State of one thread. Initial-exec, as in the fake libraries: no allocation on a thread's first
// call, which might lead into a malloc of the program's that calls CUDA.
#pragma once

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace torchada::trace {

class Recording;

struct Thread {
  Recording* innermost;  // The recorded call that this thread is inside of.
  std::int32_t id;       // As gettid; 0 until asked for, and in a child of fork().
  bool busy;             // Inside the tracer's own work: what calls CUDA now is not the program.
};

extern __attribute__((tls_model("initial-exec"))) thread_local Thread thread;

inline std::int32_t thread_id() {
  if (thread.id == 0) thread.id = static_cast<std::int32_t>(syscall(SYS_gettid));
  return thread.id;
}

// Marks the tracer's own work. It writes files, where a thread may be cancelled; the program has
// not asked for that to happen here.
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
