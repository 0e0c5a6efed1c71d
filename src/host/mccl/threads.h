#pragma once

#include <pthread.h>
#include <signal.h>

#include <exception>
#include <thread>
#include <utility>

namespace host_mccl {

// A thread that blocks all signals. Returns an empty (not joinable) thread if the system cannot
// start one.
template <typename Work>
std::thread quiet_thread(const char* name, Work work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread made;
  try {
    made = std::thread(std::move(work));
    pthread_setname_np(made.native_handle(), name);
  } catch (const std::exception&) {
    // The empty result reports it.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return made;
}

}  // namespace host_mccl
