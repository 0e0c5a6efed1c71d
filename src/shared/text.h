// Fixed-size text without malloc or stdio: lines are built here and written with one write().
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace torchada {

template <size_t kCapacity>
class Text {
 public:
  Text& operator<<(const char* s) {
    append(s, strlen(s));
    return *this;
  }
  Text& operator<<(int64_t value) {
    char digits[21];
    size_t n = sizeof digits;
    // Unsigned, because the smallest value has no positive counterpart.
    uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    do digits[--n] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) digits[--n] = '-';
    append(digits + n, sizeof digits - n);
    return *this;
  }
  void append(const char* s, size_t n) {
    if (n > kCapacity - size_) {
      n = kCapacity - size_;
      truncated_ = true;
    }
    memcpy(data_ + size_, s, n);
    size_ += n;
    data_[size_] = '\0';
  }
  void clear() {
    size_ = 0;
    truncated_ = false;
    data_[0] = '\0';
  }
  const char* c_str() const { return data_; }
  size_t size() const { return size_; }
  bool truncated() const { return truncated_; }  // A path cut short must not be opened.

 private:
  char data_[kCapacity + 1] = {};
  size_t size_ = 0;
  bool truncated_ = false;
};

using Line = Text<1024>;
using Path = Text<4096>;

}  // namespace torchada
