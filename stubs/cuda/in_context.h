// Work in a context that may not be the current one. A row whose adapter includes this lists
// muCtxPushCurrent_v2 and muCtxPopCurrent_v2 among its calls.
#pragma once

#include "facts.h"
#include "stubs/adapting/outcome.h"

namespace torchada::driver {

// Runs `work` while `context` is the current one; null stands for the one that is.
template <typename Work>
int in_context(const char* function, void* context, Work work) {
  if (!context) return work();
  if (const int status = outcome({function, "muCtxPushCurrent_v2"}, muCtxPushCurrent_v2(context))) {
    return status;
  }
  const int status = work();
  void* popped = nullptr;
  const int restored = outcome({function, "muCtxPopCurrent_v2"}, muCtxPopCurrent_v2(&popped));
  return status != 0 ? status : restored;
}

}  // namespace torchada::driver
