// For an adapter that goes another way when a call of MUSA fails: what the failed call left in
// MUSA's last error is not the program's. Its row lists musaPeekAtLastError and musaGetLastError.
#pragma once

#include "facts.h"
#include "stubs/system/thread.h"

namespace torchada {

class Attempt {
 public:
  Attempt() : pending_(musaPeekAtLastError()) {}
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  // Only an error that was pending at the beginning stays pending.
  void forget() const {
    musaGetLastError();
    if (pending_ != 0) set_last_error(pending_);
  }

 private:
  int pending_;
};

}  // namespace torchada
