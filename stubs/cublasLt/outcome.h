// What a call of MUSA's came to, in CUDA's terms.
#pragma once

#include "table.h"

namespace torchada {

// A function by both its names.
struct Function {
  const char* cuda;
  const char* musa;
};

// As outcome, where `musa_status` is not success.
int failed_outcome(const Function& function, int musa_status);

// The status to return for `musa_status`. Says so in one line where the call did not arrive: no
// MUSA, no muBLASLt in it (SDKs before 4.3), or one without the function.
inline int outcome(const Function& function, int musa_status) {
  return musa_status == 0 ? 0 : failed_outcome(function, musa_status);
}

// Says why muBLASLt cannot take a call, and returns the status for it.
int refuse(const Function& function, const char* reason);

}  // namespace torchada
