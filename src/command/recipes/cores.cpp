#include "src/command/recipes/cores.h"

#include <signal.h>

#include <algorithm>

namespace torchada::recipes {

void Cores::begin_waiting(const std::string& source) {
  const std::lock_guard<std::mutex> lock(mutex_);
  waited_for_.insert(source);
  changed_.notify_all();
}

void Cores::end_waiting(const std::string& source) {
  const std::lock_guard<std::mutex> lock(mutex_);
  waited_for_.erase(waited_for_.find(source));
}

void Cores::begin_launch() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return launches_ < count_; });
  ++launches_;
  if (used() > count_) {
    const auto one = std::find_if(ahead_.begin(), ahead_.end(), [this](const Ahead* each) {
      return !each->is_ended && waited_for_.count(each->source) == 0;
    });
    if (one != ahead_.end()) {
      (*one)->is_ended = true;
      if (const int child = (*one)->child; child != 0) kill(child, SIGTERM);
    }
  }
  changed_.notify_all();
}

void Cores::end_launch() {
  const std::lock_guard<std::mutex> lock(mutex_);
  --launches_;
  changed_.notify_all();
}

bool Cores::begin_ahead(const std::function<std::string()>& next, Ahead* ahead) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !waited_for_.empty() && used() < count_; });
  ahead->source = next();
  ahead->is_ended = false;
  if (ahead->source.empty()) return false;
  ahead_.insert(ahead);
  return true;
}

void Cores::end_ahead(Ahead* ahead) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ahead_.erase(ahead);
  changed_.notify_all();
}

}  // namespace torchada::recipes
