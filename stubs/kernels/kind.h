// What code of a program a name may mean.
#pragma once

#include <stdint.h>

namespace torchada::kernels {

enum class Kind : uint8_t { kKernel, kVariable };

}  // namespace torchada::kernels
