// What a monitor asks, in the same process.
#include "tests/long_run/work.h"

void use_nvml(unsigned) {
  OK(nvmlInit_v2());
  unsigned count = 0;
  int seen = 0;
  OK(nvmlDeviceGetCount_v2(&count));
  OK(cudaGetDeviceCount(&seen));
  compare("NVML, devices", {static_cast<float>(seen)}, {static_cast<float>(count)});
  for (unsigned i = 0; i < count; ++i) {
    nvmlDevice_t device = nullptr;
    nvmlMemory_t memory{};
    OK(nvmlDeviceGetHandleByIndex_v2(i, &device));
    OK(nvmlDeviceGetMemoryInfo(device, &memory));
    compare("NVML, memory is used or free", {1},
            {memory.used + memory.free <= memory.total ? 1.F : 0.F});
  }
  OK(nvmlShutdown());
}
