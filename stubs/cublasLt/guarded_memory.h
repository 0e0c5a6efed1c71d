// Memory for a struct that MUSA fills in and whose size in MUSA no public source gives. It is much
// larger than CUDA's struct and has marks behind it, so that a larger struct is noticed instead of
// overwriting the program's memory.
#pragma once

#include <string.h>

namespace torchada {

class GuardedMemory {
 public:
  // `bytes` is the size in CUDA. Those bytes start as a copy of `before`, or as zeros.
  explicit GuardedMemory(unsigned bytes, const void* before = nullptr) : bytes_(bytes) {
    memset(memory_, kMark, sizeof memory_);
    if (before) {
      memcpy(memory_, before, bytes);
    } else {
      memset(memory_, 0, bytes);
    }
  }
  void* memory() { return memory_; }
  bool is_overrun() const {
    for (unsigned i = bytes_; i < sizeof memory_; ++i) {
      if (memory_[i] != kMark) return true;
    }
    return false;
  }
  void copy_to(void* out) const { memcpy(out, memory_, bytes_); }

 private:
  static constexpr unsigned char kMark = 0xa5;
  alignas(16) unsigned char memory_[1024];
  unsigned bytes_;
};

}  // namespace torchada
