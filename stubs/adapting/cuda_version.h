// The CUDA versions that programs are told, in CUDA's numbering: major * 1000 + minor * 10.
#pragma once

#include "facts.h"
#include "stubs/adapting/version_override.h"

namespace torchada {

// The version that TORCHADA_CUDA_VERSION gives, or else `usual`.
inline int cuda_version_or(int usual) {
  Version wanted;
  if (!version_override("TORCHADA_CUDA_VERSION", &wanted)) return usual;
  return wanted.major * 1000 + wanted.minor * 10;
}

// The release whose exports this library has.
inline int cuda_version() { return cuda_version_or(kCudaVersion); }

// The driver's: the newest release of the tables, the same in every library. It is not lowered to
// what MUSA can do, because a program refuses a driver that is older than the release it was built
// for.
inline int driver_version() { return cuda_version_or(kDriverVersion); }

}  // namespace torchada
