#include "stubs/cublasLt/handles.h"

#include <atomic>

#include "stubs/adapting/known_handles.h"
#include "stubs/process/peers.h"
#include "stubs/reporting/fallback.h"

namespace torchada {
namespace {

// Those that cublasLtCreate returned and cublasLtDestroy has not yet destroyed. A program has a few
// for each device and thread.
KnownHandles<4096> known;
// Those of cuBLAS, as it tells. One that finds no room is not taken here.
KnownHandles<1U << 16> of_blas;

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
  if (known.knows(handle)) {
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
  if (!of_blas.knows(handle)) return fail(kNoBackend);
  if (device < 0 || device >= kDevices) return fail(kFailed);
  return shared_handle(function, &shared[device], musa);
}

extern "C" void torchada_hear_of_blas_handle(void* handle, bool is_made) {
  if (is_made) {
    of_blas.remember(handle);
  } else {
    of_blas.forget(handle);
  }
}

}  // namespace torchada

using torchada::fail;

extern "C" int torchada_adapter_cublasLtCreate(void** handle) {
  if (!handle) return fail(torchada::kInvalid);
  void* fresh = nullptr;
  const int status =
      torchada::outcome({"cublasLtCreate", "mublasLtCreate"}, mublasLtCreate(&fresh));
  if (status != 0) return status;
  if (!torchada::known.remember(fresh)) {
    mublasLtDestroy(fresh);
    return fail(torchada::kFailed);
  }
  *handle = fresh;
  return 0;
}

extern "C" int torchada_adapter_cublasLtDestroy(void* handle) {
  // Forget it first: MUSA may reuse its address for something that is not one of these handles.
  if (!torchada::known.forget(handle)) return fail(torchada::kInvalid);
  const int status =
      torchada::outcome({"cublasLtDestroy", "mublasLtDestroy"}, mublasLtDestroy(handle));
  if (status != 0) torchada::known.remember(handle);
  return status;
}
