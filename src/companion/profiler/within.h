// Work in a context of the program's.
#pragma once

#include "src/shared/profiler_interface.h"

namespace torchada::profiler {

// The context is current while this lives, unless MUSA refuses it.
class Within {
 public:
  Within(const decltype(Facts::musa)& musa, void* context)
      : musa_(musa), entered_(context && musa.push_context(context) == 0) {}
  ~Within() {
    void* popped = nullptr;
    if (entered_) musa_.pop_context(&popped);
  }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

  bool entered() const { return entered_; }

 private:
  const decltype(Facts::musa)& musa_;
  const bool entered_;
};

}  // namespace torchada::profiler
