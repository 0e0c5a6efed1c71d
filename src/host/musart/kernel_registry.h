// The device functions that compiled programs registered. A CPU runs none of them, but it knows
// their names and keeps a program's settings for them.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "musa_runtime_api.h"

namespace musart {

struct KernelSettings {
  int max_dynamic_shared = 0;  // 0: the default that every function has
  int carveout = -1;           // no preference
  int cluster[3] = {0, 0, 0};
  int nonportable_cluster = 0;
  int scheduling_policy = 0;
  musaFuncCache cache = musaFuncCachePreferNone;
  musaSharedMemConfig shared_banks = musaSharedMemBankSizeDefault;
};

// Never removed: programs unregister only at exit.
struct KernelFunction {
  KernelFunction(std::string device_name, int limit)
      : name(std::move(device_name)), thread_limit(limit) {}

  const std::string name;
  const int thread_limit;  // threads in a block; 0: no limit

  std::mutex mutex;
  std::map<int, KernelSettings> settings;  // by device
};

// Null if nothing is registered. A program names a function by its address in host code or by a
// handle for it.
KernelFunction* find_kernel(const void* function);

}  // namespace musart
