// The lock of one source: its owner compiles it, and others wait for what it makes. The system
// frees it when the owner dies.
#pragma once

#include <string>

namespace torchada::recipes {

class SourceLock {
 public:
  // `file`: is made if need be.
  explicit SourceLock(const std::string& file);
  ~SourceLock();
  SourceLock(const SourceLock&) = delete;
  SourceLock& operator=(const SourceLock&) = delete;

  // False if another has it.
  bool try_lock() const;
  void lock() const;

 private:
  int descriptor_;
};

}  // namespace torchada::recipes
