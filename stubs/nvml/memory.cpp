// A device's memory: sizes in bytes.
#include "stubs/nvml/structs.h"

namespace {

using torchada::Function;
using torchada::nvml::in_part;
using torchada::nvml::kMemory;
using torchada::nvml::kSuccess;
using torchada::nvml::put;
using torchada::nvml::with_device;
namespace cuda = torchada::cuda;

struct Sizes {
  unsigned long long total = 0;
  unsigned long long used = 0;

  // MTML may count what it asks at two moments.
  unsigned long long free() const { return total > used ? total - used : 0; }
};

int sizes_of(const Function& function, void* device, Sizes* sizes) {
  const int status = in_part(device, kMemory, [&](void* memory) {
    const int failure = mtmlMemoryGetTotal(memory, &sizes->total);
    return failure ? failure : mtmlMemoryGetUsed(memory, &sizes->used);
  });
  return torchada::outcome(function, status);
}

}  // namespace

extern "C" {

int torchada_adapter_nvmlDeviceGetMemoryInfo(void* device, void* memory) {
  const auto function = TORCHADA_NVML(DeviceGetMemoryInfo, MemoryGetTotal);
  return with_device(device, [&](void* asked) {
    if (!memory) return torchada::fail(torchada::kInvalid);
    Sizes sizes;
    if (const int status = sizes_of(function, asked, &sizes)) return status;
    put(memory, cuda::nvmlMemory_t_total, sizes.total);
    put(memory, cuda::nvmlMemory_t_free, sizes.free());
    put(memory, cuda::nvmlMemory_t_used, sizes.used);
    return kSuccess;
  });
}

// What MTML does not tell apart, it counts as used: the three parts make the whole.
int torchada_adapter_nvmlDeviceGetMemoryInfo_v2(void* device, void* memory) {
  const auto function = TORCHADA_NVML(DeviceGetMemoryInfo_v2, MemoryGetTotal);
  return with_device(device, [&](void* asked) {
    if (const int status = torchada::nvml::check_version(memory, cuda::sizeof_nvmlMemory_v2_t, 2)) {
      return status;
    }
    Sizes sizes;
    if (const int status = sizes_of(function, asked, &sizes)) return status;
    put(memory, cuda::nvmlMemory_v2_t_total, sizes.total);
    put(memory, cuda::nvmlMemory_v2_t_reserved, 0ULL);
    put(memory, cuda::nvmlMemory_v2_t_free, sizes.free());
    put(memory, cuda::nvmlMemory_v2_t_used, sizes.used);
    return kSuccess;
  });
}

}  // extern "C"
