// The device functions that compiled programs registered. A CPU runs none of them, but it knows
// their names, and keeps what a program sets for them.
#ifndef TORCHADA_HOST_MUSART_KERNEL_REGISTRY_H_
#define TORCHADA_HOST_MUSART_KERNEL_REGISTRY_H_

#include <map>
#include <mutex>
#include <string>

#include "musa_runtime_api.h"

namespace musart {

struct KernelSettings {
  int max_dynamic_shared = 0;  // 0: what every function may have
  int carveout = -1;           // no preference
  int cluster[3] = {0, 0, 0};
  int nonportable_cluster = 0;
  int scheduling_policy = 0;
  musaFuncCache cache = musaFuncCachePreferNone;
  musaSharedMemConfig shared_banks = musaSharedMemBankSizeDefault;
};

// Registered for good: programs take registrations back only while they end.
struct KernelFunction {
  KernelFunction(std::string device_name, int limit)
      : name(std::move(device_name)), thread_limit(limit) {}

  const std::string name;
  const int thread_limit;  // threads in a block; 0 if the function sets none

  std::mutex mutex;
  std::map<int, KernelSettings> settings;  // by device
};

// Null if nothing was registered for it. A program names a function by its address in host code
// or by a handle it got for it.
KernelFunction* find_kernel(const void* function);

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_KERNEL_REGISTRY_H_
