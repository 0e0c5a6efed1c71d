#include "src/host/mccl/watch.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>

#include "src/host/mccl/per_process.h"
#include "src/host/mccl/threads.h"

namespace host_mccl {

using Clock = std::chrono::steady_clock;

bool Watch::start() {
  if (started_) return true;
  if (poller_ < 0) poller_ = epoll_create1(EPOLL_CLOEXEC);
  if (poller_ < 0) return false;
  close_in_children(poller_);
  std::thread thread = quiet_thread("mccl-watch", [this] { run(); });
  if (!thread.joinable()) return false;
  thread.detach();
  started_ = true;
  return true;
}

bool Watch::add(int descriptor, std::function<bool()> readable) {
  const std::lock_guard lock(mutex_);
  if (!start()) return false;
  watched_[descriptor] = std::move(readable);
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP;
  event.data.fd = descriptor;
  return epoll_ctl(poller_, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void Watch::remove(int descriptor) {
  const std::lock_guard lock(mutex_);
  if (watched_.erase(descriptor) != 0) {
    epoll_ctl(poller_, EPOLL_CTL_DEL, descriptor, nullptr);
  }
  for (auto each = appointments_.begin(); each != appointments_.end();) {
    each = each->second.descriptor == descriptor ? appointments_.erase(each) : std::next(each);
  }
}

void Watch::later(int descriptor, std::chrono::milliseconds delay, std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  const auto time = Clock::now() + delay;
  appointments_.emplace(time, Appointment{time, descriptor, std::move(work)});
}

int Watch::keep_appointments() {
  while (!appointments_.empty()) {
    const auto first = appointments_.begin();
    const auto left = first->first - Clock::now();
    if (left > Clock::duration::zero()) {
      return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(left).count()) +
             1;
    }
    const auto work = std::move(first->second.work);
    appointments_.erase(first);
    work();
  }
  return -1;
}

void Watch::run() {
  std::array<epoll_event, 64> events;
  int timeout = -1;
  while (true) {
    const int count = epoll_wait(poller_, events.data(), static_cast<int>(events.size()), timeout);
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < std::max(count, 0); ++i) {
      const int descriptor = events[i].data.fd;
      const auto found = watched_.find(descriptor);
      if (found == watched_.end()) continue;
      const auto callback = found->second;
      if (callback()) continue;
      watched_.erase(descriptor);
      epoll_ctl(poller_, EPOLL_CTL_DEL, descriptor, nullptr);
    }
    timeout = keep_appointments();
  }
}

}  // namespace host_mccl
