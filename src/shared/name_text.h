// A name that is written into memory of the caller's.
#pragma once

#include <stddef.h>
#include <string.h>

namespace torchada::kernels {

class NameText {
 public:
  NameText(char* out, size_t room) : out_(out), room_(room) {}

  void add(const char* text, size_t length);
  void add_number(size_t number);
  void insert(size_t at, char c);
  void erase(size_t at);
  size_t size() const { return size_; }
  // Ends it by a zero. The length; 0 if not all had room.
  size_t end();

 private:
  char* out_;
  size_t room_;
  size_t size_ = 0;
  bool full_ = false;
};

inline void NameText::add(const char* text, size_t length) {
  if (full_ || length >= room_ - size_) {
    full_ = true;
    return;
  }
  memcpy(out_ + size_, text, length);
  size_ += length;
}

inline void NameText::add_number(size_t number) {
  char digits[20];
  size_t at = sizeof digits;
  do digits[--at] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  add(digits + at, sizeof digits - at);
}

inline void NameText::insert(size_t at, char c) {
  add("?", 1);
  if (full_) return;
  memmove(out_ + at + 1, out_ + at, size_ - at - 1);
  out_[at] = c;
}

inline void NameText::erase(size_t at) {
  if (full_) return;
  --size_;
  memmove(out_ + at, out_ + at + 1, size_ - at);
}

inline size_t NameText::end() {
  if (full_) return 0;
  out_[size_] = '\0';
  return size_;
}

}  // namespace torchada::kernels
