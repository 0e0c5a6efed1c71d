#include "src/host/mtml/call.h"

using mtml::give_if_known;
using mtml::not_supported;

MtmlReturn mtmlGpuGetUtilization(const MtmlGpu* gpu, unsigned int* utilization) {
  return give_if_known(gpu, utilization, mtml::utilization);
}

// The only engine that a CPU has computes.
MtmlReturn mtmlGpuGetEngineUtilization(const MtmlGpu* gpu, MtmlGpuEngine engine,
                                       unsigned int* utilization) {
  if (engine < MTML_GPU_ENGINE_GEOMETRY || engine >= MTML_GPU_ENGINE_MAX) {
    return MTML_ERROR_INVALID_ARGUMENT;
  }
  if (engine != MTML_GPU_ENGINE_COMPUTE) return not_supported(gpu, utilization);
  return give_if_known(gpu, utilization, mtml::utilization);
}

MtmlReturn mtmlGpuGetTemperature(const MtmlGpu* gpu, int* celsius) {
  return not_supported(gpu, celsius);
}

MtmlReturn mtmlGpuGetClock(const MtmlGpu* gpu, unsigned int* megahertz) {
  return not_supported(gpu, megahertz);
}

MtmlReturn mtmlGpuGetMaxClock(const MtmlGpu* gpu, unsigned int* megahertz) {
  return not_supported(gpu, megahertz);
}
