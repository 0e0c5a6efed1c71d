#include "stubs/cublasLt/handles.h"

#include <atomic>

#include "stubs/cublasLt/known_handles.h"
#include "stubs/fallback.h"

namespace torchada {
namespace {

constexpr int kDevices = 64;
std::atomic<void*> shared[kDevices];  // The handle of each device.

int shared_handle(const Function& function, std::atomic<void*>* place, void** musa) {
  *musa = place->load(std::memory_order_acquire);
  if (*musa) return 0;
  void* fresh = nullptr;
  if (const int status = outcome(function, mublasLtCreate(&fresh))) return status;
  void* expected = nullptr;
  if (place->compare_exchange_strong(expected, fresh, std::memory_order_acq_rel)) {
    *musa = fresh;
  } else {
    mublasLtDestroy(fresh);  // Another thread was first.
    *musa = expected;
  }
  return 0;
}

}  // namespace

int musa_handle(const Function& function, void* handle, void** musa) {
  if (is_known_handle(handle)) {
    *musa = handle;
    return 0;
  }
  int device = 0;
  if (musaGetDevice(&device) != 0) {
    // Without MUSA there is no device either; this call shows which of the two is missing.
    void* none = nullptr;
    const int status = outcome(function, mublasLtCreate(&none));
    if (status == 0) mublasLtDestroy(none);
    return status != 0 ? status : fail(kNoBackend);
  }
  if (device < 0 || device >= kDevices) return fail(kFailed);
  return shared_handle(function, &shared[device], musa);
}

}  // namespace torchada

using torchada::fail;

extern "C" int torchada_adapter_cublasLtCreate(void** handle) {
  if (!handle) return fail(torchada::kInvalid);
  void* fresh = nullptr;
  const int status =
      torchada::outcome({"cublasLtCreate", "mublasLtCreate"}, mublasLtCreate(&fresh));
  if (status != 0) return status;
  if (!torchada::remember_handle(fresh)) {
    mublasLtDestroy(fresh);
    return fail(torchada::kFailed);
  }
  *handle = fresh;
  return 0;
}

extern "C" int torchada_adapter_cublasLtDestroy(void* handle) {
  // Forget it first: MUSA may reuse its address for something that is not one of these handles.
  if (!handle || !torchada::forget_handle(handle)) return fail(torchada::kInvalid);
  const int status =
      torchada::outcome({"cublasLtDestroy", "mublasLtDestroy"}, mublasLtDestroy(handle));
  if (status != 0) torchada::remember_handle(handle);
  return status;
}
