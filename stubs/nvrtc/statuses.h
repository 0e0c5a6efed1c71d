// Statuses of NVRTC that several functions return.
#pragma once

#include "facts.h"

namespace torchada::nvrtc {

inline constexpr int kInvalidProgram = static_cast<int>(cuda::NVRTC_ERROR_INVALID_PROGRAM);
inline constexpr int kInvalidOption = static_cast<int>(cuda::NVRTC_ERROR_INVALID_OPTION);
inline constexpr int kOutOfMemory = static_cast<int>(cuda::NVRTC_ERROR_OUT_OF_MEMORY);

}  // namespace torchada::nvrtc
