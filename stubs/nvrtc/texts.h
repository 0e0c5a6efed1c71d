// A list of texts, each with its zero, in memory from the kernel.
#pragma once

#include <stddef.h>
#include <string.h>

#include "stubs/kernels/mapped_array.h"

namespace torchada::nvrtc {

class Texts {
 public:
  size_t size() const { return starts_.size(); }

  // Valid until the next text is added.
  const char* operator[](size_t i) const { return &bytes_[starts_[i]]; }

  // Adds `length` bytes and a zero. False without memory; nothing has changed then.
  bool add(const char* text, size_t length) {
    const size_t start = bytes_.size();
    if (!bytes_.resize(start + length + 1)) return false;
    if (!starts_.add(start)) {
      bytes_.resize(start);
      return false;
    }
    if (length > 0) memcpy(&bytes_[start], text, length);
    return true;
  }
  bool add(const char* text) { return add(text, strlen(text)); }

  // Writes the addresses of all texts, valid until the next is added. False without memory.
  bool list(MappedArray<const char*>* out) const {
    if (!out->resize(size())) return false;
    for (size_t i = 0; i < size(); ++i) (*out)[i] = (*this)[i];
    return true;
  }

  void release() {
    bytes_.release();
    starts_.release();
  }

 private:
  MappedArray<char> bytes_;
  MappedArray<size_t> starts_;
};

}  // namespace torchada::nvrtc
