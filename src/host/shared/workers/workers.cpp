#include "src/host/shared/workers/workers.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "src/host/shared/variables.h"

namespace host {
namespace {

constexpr int kMost = 256;

int usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
  return static_cast<int>(std::thread::hardware_concurrency());  // More than a cpu_set_t holds.
}

struct Job {
  const std::function<void(int)>& part;
  const int count;
  int next = 0;
  int unfinished = count;
  bool found_no_memory = false;
  std::condition_variable done;
};

class Workers {
 public:
  void run(int count, const std::function<void(int)>& part) {
    Job job{part, count, 0, count, false, {}};
    std::unique_lock lock(mutex_);
    start_threads(count - 1);
    // The thread that takes its last part takes it out of jobs_, before this function returns.
    // cppcheck-suppress danglingLifetime
    jobs_.push_back(&job);
    for (int i = 1; i < count; ++i) wake_.notify_one();
    while (job.next < job.count) take(job, lock);
    job.done.wait(lock, [&job] { return job.unfinished == 0; });
    if (job.found_no_memory) throw std::bad_alloc();
  }

 private:
  // Computes the next part, with the lock released.
  void take(Job& job, std::unique_lock<std::mutex>& lock) {
    const int number = job.next++;
    if (job.next == job.count) jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
    lock.unlock();
    bool found_no_memory = false;
    try {
      job.part(number);
    } catch (const std::bad_alloc&) {
      found_no_memory = true;
    }
    lock.lock();
    job.found_no_memory |= found_no_memory;
    if (--job.unfinished == 0) job.done.notify_one();
  }

  void start_threads(int wanted) {
    wanted = std::min(wanted, thread_count() - 1);
    if (started_ >= wanted) return;
    // Signals belong to the program and its own threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      for (; started_ < wanted; ++started_) std::thread([this] { work(); }).detach();
    } catch (const std::exception&) {
      // With fewer threads the call takes longer.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  [[noreturn]] void work() {
    pthread_setname_np(pthread_self(), "musa-worker");
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return !jobs_.empty(); });
      take(*jobs_.front(), lock);
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job*> jobs_;  // Those with parts that nobody has taken.
  int started_ = 0;
};

// Never destroyed: its threads wait in it until the process ends. A child of fork() has none of
// them, and perhaps a lock that one of them held.
std::atomic<Workers*> shared_workers{nullptr};

Workers& workers() {
  static const int watched =
      pthread_atfork(nullptr, nullptr, [] { shared_workers.store(nullptr); });
  static_cast<void>(watched);
  Workers* found = shared_workers.load();
  if (found != nullptr) return *found;
  auto* const made = new Workers;
  if (shared_workers.compare_exchange_strong(found, made)) return *made;
  delete made;
  return *found;
}

}  // namespace

int thread_count() {
  static const int count = [] {
    const int number = static_cast<int>(number_variable("TORCHADA_HOST_THREADS", 1, kMost, 0));
    if (number != 0) return number;
    // OpenMP's may be a list, one number for each level.
    const char* const text = secure_getenv("OMP_NUM_THREADS");
    const long first = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    return first < 1 ? std::clamp(usable_cores(), 1, kMost)
                     : static_cast<int>(std::min<long>(first, kMost));
  }();
  return count;
}

void in_parallel(int count, const std::function<void(int)>& part) {
  if (count > 1 && thread_count() > 1) return workers().run(count, part);
  for (int i = 0; i < count; ++i) part(i);
}

}  // namespace host
