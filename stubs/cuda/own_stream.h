// For functions in which a null stream means the thread's own (_ptsz, _ptds).
#pragma once

#include "facts.h"

namespace torchada::driver {

inline void* own_stream(void* stream) {
  return stream ? stream : reinterpret_cast<void*>(musa::MU_STREAM_PER_THREAD);
}

}  // namespace torchada::driver
