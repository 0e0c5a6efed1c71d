#include "src/host/mccl/watch.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>

#include "src/host/mccl/per_process.h"
#include "src/host/mccl/threads.h"
#include "src/host/shared/own_descriptor.h"

namespace host_mccl {

bool Watch::start() {
  if (started_) return true;
  if (poller_ < 0) poller_ = host::above_standard(epoll_create1(EPOLL_CLOEXEC));
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
}

void Watch::run() {
  std::array<epoll_event, 64> events;
  while (true) {
    const int count = epoll_wait(poller_, events.data(), static_cast<int>(events.size()), -1);
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
  }
}

}  // namespace host_mccl
