// Makes a device current for a scope. Adapters that include this list musaGetDevice and
// musaSetDevice among their calls.
#pragma once

#include "facts.h"

namespace torchada {

class OnDevice {
 public:
  explicit OnDevice(int device) : device_(device) {
    failed_ = musaGetDevice(&before_) != 0 || (before_ != device && musaSetDevice(device) != 0);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() {
    if (!failed_ && before_ != device_) musaSetDevice(before_);
  }
  bool failed() const { return failed_; }

 private:
  int device_, before_ = 0;
  bool failed_;
};

}  // namespace torchada
