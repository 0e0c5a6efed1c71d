// The numbers by which records name contexts, streams and graphs: from 1, in the order of first
// use.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace torchada::profiler {

class Numbering {
 public:
  // `within`: what the handle belongs to, if others may have an equal one.
  std::uint32_t of(const void* handle, const void* within = nullptr) {
    const std::lock_guard lock(mutex_);
    std::uint32_t& number = numbers_[{within, handle}];
    if (number == 0) number = static_cast<std::uint32_t>(numbers_.size());
    return number;
  }

  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  std::map<std::pair<const void*, const void*>, std::uint32_t> numbers_;
};

}  // namespace torchada::profiler
