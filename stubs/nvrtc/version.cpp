// The release of CUDA whose NVRTC this library stands for.
#include "stubs/adapting/cuda_version.h"
#include "stubs/reporting/fallback.h"

extern "C" int torchada_adapter_nvrtcVersion(int* major, int* minor) {
  if (!major || !minor) return torchada::fail(torchada::kInvalid);
  const int version = torchada::cuda_version();
  *major = version / 1000;
  *minor = version % 1000 / 10;
  return 0;
}
