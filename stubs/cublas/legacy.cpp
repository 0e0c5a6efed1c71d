#include "stubs/cublas/legacy.h"

#include <atomic>

#include "facts.h"
#include "stubs/reporting/fallback.h"

namespace torchada {
namespace {

constexpr int kNotInitialized = static_cast<int>(cuda::CUBLAS_STATUS_NOT_INITIALIZED);

// Indexed by device. No machine has more devices than this.
constexpr int kMostDevices = 64;
std::atomic<void*> handles[kMostDevices];

std::atomic<int> kept{0};

// Returns 0 without a device: creating the handle for device 0 then says what is wrong.
int current_device() {
  int device = 0;
  return musaGetDevice(&device) == 0 ? device : 0;
}

}  // namespace

int legacy_handle(void** handle) {
  const int device = current_device();
  if (device < 0 || device >= kMostDevices) return kNotInitialized;
  *handle = handles[device].load(std::memory_order_acquire);
  if (*handle) return 0;
  void* fresh = nullptr;
  if (const int status = torchada_own_cublasCreate_v2(&fresh)) return status;
  // One of the racing threads wins; the handles of the others were never used.
  if (handles[device].compare_exchange_strong(*handle, fresh, std::memory_order_acq_rel)) {
    *handle = fresh;
  } else {
    torchada_own_cublasDestroy_v2(fresh);
  }
  return 0;
}

void legacy_keep(int status) {
  if (status != 0) kept.store(status, std::memory_order_relaxed);
}

}  // namespace torchada

extern "C" {

int torchada_adapter_cublasInit() {
  void* handle = nullptr;
  return torchada::legacy_handle(&handle);
}

// For the current device, like cublasInit.
int torchada_adapter_cublasShutdown() {
  const int device = torchada::current_device();
  torchada::kept.store(0, std::memory_order_relaxed);
  if (device < 0 || device >= torchada::kMostDevices) return 0;
  void* handle = torchada::handles[device].exchange(nullptr, std::memory_order_acq_rel);
  return handle ? torchada_own_cublasDestroy_v2(handle) : 0;
}

// Reading the error clears it. Without MUSA every read gives the same error.
int torchada_adapter_cublasGetError() {
  int device = 0;
  if (musaGetDevice(&device) != 0) return torchada::kNotInitialized;
  return torchada::kept.exchange(0, std::memory_order_relaxed);
}

}  // extern "C"
