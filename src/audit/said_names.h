// Names about which a line was said, so that a program that asks a thousand times gets one.
#pragma once

#include "src/shared/text.h"

namespace torchada {

class SaidNames {
 public:
  // Whether the line about `name` is to be said now. A process says at most 32 such lines. A child
  // of fork() says its own.
  bool is_first(const char* name);

  // Prints how many names there are in this process, and each: "2 libraries were WHAT".
  void print(const char* what) const;

 private:
  static constexpr int kMost = 32;
  Text<100> names_[kMost];
  int count_ = 0;
  int process_ = 0;
};

}  // namespace torchada
