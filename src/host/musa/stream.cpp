#include "src/host/musa/stream.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "musa_runtime_api.h"
#include "src/host/musa/busy_time.h"
#include "src/host/shared/say.h"

namespace musa {
namespace {

thread_local int thread_device = -1;  // -1 where no stream's work runs

constexpr int kPauses = 30;  // about a microsecond

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

bool on_stream_thread() { return thread_device >= 0; }

int stream_thread_device() { return thread_device; }

OnStreamThread::OnStreamThread(int device) {
  thread_device = device;
#if defined(__x86_64__)
  constexpr unsigned int kDefault = 0x1f80;
  floats_ = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(kDefault);
#else
  std::fegetenv(&floats_);
  std::fesetenv(FE_DFL_ENV);
#endif
}

OnStreamThread::~OnStreamThread() {
  thread_device = -1;
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(floats_);
#else
  std::fesetenv(&floats_);
#endif
}

void Milestone::wait() const { stream->wait_for(position); }

bool Stream::is_blocking() const { return (flags_ & musaStreamNonBlocking) == 0; }

std::uint64_t Stream::push(Task task) {
  std::unique_lock lock(mutex_);
  if (!thread_started_) start_thread();
  queue_.push_back(std::move(task));
  const std::uint64_t position = submitted_.fetch_add(1) + 1;
  const bool wake = std::exchange(thread_sleeps_, false);
  lock.unlock();
  if (wake) work_.notify_one();
  return position;
}

bool Stream::begin_here() {
  const std::lock_guard lock(mutex_);
  if (!is_idle()) return false;
  submitted_.fetch_add(1);
  return runs_here_ = true;
}

void Stream::end_here() {
  {
    const std::lock_guard lock(mutex_);
    runs_here_ = false;
    if (thread_sleeps_ && (closing_ || !queue_.empty())) work_.notify_one();
  }
  complete_one();  // not before: from then on another thread may begin here
}

void Stream::wait_for(std::uint64_t position) {
  if (has_reached(position)) return;
  std::unique_lock lock(mutex_);
  while (true) {
    awaited_.store(std::min(awaited_.load(), position));
    if (has_reached(position)) return;
    reached_.wait(lock);
  }
}

void Stream::complete_one() {
  if (completed_.fetch_add(1) + 1 < awaited_.load()) return;
  {
    const std::lock_guard lock(mutex_);
    awaited_.store(UINT64_MAX);
  }
  reached_.notify_all();
}

void Stream::close() {
  const std::lock_guard lock(mutex_);
  closing_ = true;
  work_.notify_one();
}

void Stream::start_thread() {
  // Signals belong to the program and its own threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    // Detached; the thread itself keeps the stream alive. So a process can exit while its streams
    // are busy.
    std::thread([self = shared_from_this()] { self->work(); }).detach();
  } catch (const std::exception& error) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    host::say(std::string("a stream cannot start its thread: ") + error.what());
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  thread_started_ = true;
}

void Stream::work() {
  const OnStreamThread here(device());
  pthread_setname_np(pthread_self(), "musa-stream");
  while (true) {
    {
      std::unique_lock lock(mutex_);
      while (queue_.empty() || runs_here_) {
        if (closing_ && !runs_here_) {
          thread_started_ = false;
          return;
        }
        thread_sleeps_ = true;
        work_.wait(lock);
      }
      thread_sleeps_ = false;
      taken_.swap(queue_);
    }
    std::optional<Busy> busy(std::in_place, device_.busy_time());
    for (Task& task : taken_) {
      if (!task.after.empty()) {
        busy.reset();
        for (const Milestone& milestone : task.after) milestone.wait();
        busy.emplace(device_.busy_time());
      }
      device_.do_accepted(task.run);
      // Release what the task holds before its completion is visible: a waiting thread may check
      // that.
      task = Task{};
      complete_one();
    }
    taken_.clear();
    busy.reset();
    // A program that goes on enqueuing has done so by then, and need not wake the thread.
    for (int i = 0; i < kPauses; ++i) pause();
  }
}

}  // namespace musa
