// Versions that a user sets: TORCHADA_NCCL_VERSION=2.27.3, TORCHADA_CUDA_VERSION=12.4.
#pragma once

namespace torchada {

struct Version {
  int major, minor, patch;
};

// Reads `variable` as MAJOR.MINOR or MAJOR.MINOR.PATCH, each of at most two digits. False if it is
// unset or not a version; one line warns about the latter.
bool version_override(const char* variable, Version* version);

}  // namespace torchada
