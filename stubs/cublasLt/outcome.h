// Turns the outcome of a MUSA call into CUDA's terms.
#pragma once

#include "stubs/table.h"

namespace torchada {

// A function by its CUDA and MUSA names.
struct Function {
  const char* cuda;
  const char* musa;
};

// Like outcome, for a `musa_status` other than success.
int failed_outcome(const Function& function, int musa_status);

// The status to return for `musa_status`. Says in one line if the call did not reach MUSA: no MUSA,
// no muBLASLt in it (SDKs before 4.3), or a muBLASLt without the function.
inline int outcome(const Function& function, int musa_status) {
  return musa_status == 0 ? 0 : failed_outcome(function, musa_status);
}

// Says why muBLASLt cannot take a call, and returns the status for it.
int refuse(const Function& function, const char* reason);

}  // namespace torchada
