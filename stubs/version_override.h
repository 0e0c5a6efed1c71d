// Versions that a user sets: TORCHADA_NCCL_VERSION=2.27.3, TORCHADA_CUDA_VERSION=12.4.
#pragma once

namespace torchada {

struct Version {
  int major, minor, patch;
};

// Reads `variable` as MAJOR.MINOR or MAJOR.MINOR.PATCH, each of at most two digits. False where it
// is unset or no version; the latter is said once.
bool version_override(const char* variable, Version* version);

}  // namespace torchada
