#include "legacy.h"

#include <atomic>

#include "facts.h"
#include "fallback.h"

namespace torchada {
namespace {

constexpr int kNotInitialized = static_cast<int>(cuda::CUBLAS_STATUS_NOT_INITIALIZED);

// By device. More devices than this are not in one machine.
constexpr int kMostDevices = 64;
std::atomic<void*> handles[kMostDevices];

std::atomic<int> kept{0};

// Without a device the one for the first is asked for, so that making it says what is wrong.
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
  // Of threads that race here one wins; the others' handles were never used.
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

// Of the current device, as cublasInit.
int torchada_adapter_cublasShutdown() {
  const int device = torchada::current_device();
  torchada::kept.store(0, std::memory_order_relaxed);
  if (device < 0 || device >= torchada::kMostDevices) return 0;
  void* handle = torchada::handles[device].exchange(nullptr, std::memory_order_acq_rel);
  return handle ? torchada_own_cublasDestroy_v2(handle) : 0;
}

// Reading the error clears it. Without MUSA there is nothing but this one, however often it is
// read.
int torchada_adapter_cublasGetError() {
  int device = 0;
  if (musaGetDevice(&device) != 0) return torchada::kNotInitialized;
  return torchada::kept.exchange(0, std::memory_order_relaxed);
}

int torchada_adapter_cublasSetKernelStream(void* stream) {
  void* handle = nullptr;
  if (const int status = torchada::legacy_handle(&handle)) return status;
  return torchada_own_cublasSetStream_v2(handle, stream);
}

}  // extern "C"
