#include "src/host/musa/stream.h"

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

#include "musa_runtime_api.h"

namespace musa {
namespace {

thread_local int thread_device = -1;  // -1 for all but streams' own threads

}  // namespace

bool on_stream_thread() { return thread_device >= 0; }

int stream_thread_device() { return thread_device; }

void Milestone::wait() const { stream->wait_for(position); }

bool Stream::is_blocking() const { return (flags_ & musaStreamNonBlocking) == 0; }

Milestone Stream::push(Task task) {
  const std::lock_guard lock(mutex_);
  if (!thread_started_) start_thread();
  queue_.push_back(std::move(task));
  ++submitted_;
  changed_.notify_all();
  return {shared_from_this(), submitted_};
}

Milestone Stream::latest() {
  const std::lock_guard lock(mutex_);
  return {shared_from_this(), submitted_};
}

bool Stream::is_idle() {
  const std::lock_guard lock(mutex_);
  return submitted_ == completed_;
}

void Stream::wait_for(std::uint64_t position) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return completed_ >= position; });
}

bool Stream::has_reached(std::uint64_t position) {
  const std::lock_guard lock(mutex_);
  return completed_ >= position;
}

void Stream::close() {
  const std::lock_guard lock(mutex_);
  closing_ = true;
  changed_.notify_all();
}

bool Stream::is_finished() {
  const std::lock_guard lock(mutex_);
  return closing_ && submitted_ == completed_;
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
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  thread_started_ = true;
}

void Stream::work() {
  thread_device = device_;
  pthread_setname_np(pthread_self(), "musa-stream");
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) {
      thread_started_ = false;
      return;
    }
    Task task = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    for (const Milestone& milestone : task.after) milestone.wait();
    task.run();
    // Release what the task holds before its completion is visible: a waiting thread may check
    // that.
    task = Task{};
    lock.lock();
    ++completed_;
    changed_.notify_all();
  }
}

}  // namespace musa
