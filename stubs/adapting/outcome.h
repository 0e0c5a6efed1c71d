// Turns the outcome of a MUSA call into CUDA's terms, for hand-written adapters. Compiled with the
// statuses (facts.h) of each library whose sources.cmake names outcome.cpp.
#pragma once

namespace torchada {

// A function by its CUDA and MUSA names.
struct Function {
  const char* cuda;
  const char* musa;
};

// Like outcome, for a `musa_status` other than success. `documented` is the status that CUDA
// documents for these arguments (conditions.h), or 0.
int failed_outcome(const Function& function, int musa_status, int documented = 0);

// The status to return for `musa_status`. Says in one line if there is no MUSA, or if MUSA does not
// support what was asked for. (An adapter whose function MUSA lacks is not called: needs.h.)
inline int outcome(const Function& function, int musa_status) {
  return musa_status == 0 ? 0 : failed_outcome(function, musa_status);
}

// The same. `asked()` gives the documented status; it is called after a failure only.
template <typename Asked>
int outcome(const Function& function, int musa_status, Asked asked) {
  return musa_status == 0 ? 0 : failed_outcome(function, musa_status, asked());
}

// Says why MUSA's library cannot take a call, and returns the status for it.
int refuse(const Function& function, const char* reason);

}  // namespace torchada
