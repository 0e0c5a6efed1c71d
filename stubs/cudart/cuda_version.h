// The CUDA version that this library answers, in CUDA's numbering: major * 1000 + minor * 10.
#pragma once

#include "facts.h"
#include "stubs/version_override.h"

namespace torchada {

// The release whose exports this library has, or the one that TORCHADA_CUDA_VERSION gives.
inline int cuda_version() {
  Version wanted;
  if (!version_override("TORCHADA_CUDA_VERSION", &wanted)) return kCudaVersion;
  return wanted.major * 1000 + wanted.minor * 10;
}

}  // namespace torchada
