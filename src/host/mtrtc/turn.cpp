#include "src/host/mtrtc/turn.h"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

namespace host_mtrtc {
namespace {

struct Turns {
  std::mutex mutex;
  std::condition_variable changed;
  unsigned int running = 0;
};

// Never destroyed. A child of fork() begins anew: the threads that had a turn are not in it.
Turns& turns() {
  alignas(Turns) static unsigned char place[sizeof(Turns)];
  static Turns* const made = [] {
    auto* const first = new (place) Turns;
    pthread_atfork(nullptr, nullptr, [] { new (place) Turns; });
    return first;
  }();
  return *made;
}

}  // namespace

Turn::Turn() {
  std::unique_lock lock(turns().mutex);
  const unsigned int most = std::max(1U, std::thread::hardware_concurrency());
  turns().changed.wait(lock, [&] { return turns().running < most; });
  ++turns().running;
}

Turn::~Turn() {
  {
    const std::lock_guard lock(turns().mutex);
    if (turns().running > 0) --turns().running;
  }
  turns().changed.notify_one();
}

}  // namespace host_mtrtc
