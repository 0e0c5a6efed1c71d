// cuBLAS's handles are muBLAS's. cuBLASLt takes them too, so it is told of them.
#include "facts.h"
#include "stubs/adapting/kept_values.h"
#include "stubs/adapting/known_handles.h"
#include "stubs/adapting/outcome.h"
#include "stubs/process/peers.h"
#include "stubs/reporting/fallback.h"

namespace {

torchada::KnownHandles<1U << 16> blas_handles;

// The program gets a handle for which there is no room all the same.
void begin(void* handle) {
  if (blas_handles.remember(handle)) torchada::tell_of_blas_handle(handle, true);
}

}  // namespace

extern "C" int torchada_adapter_cublasCreate_v2(void** handle) {
  const int status = torchada::outcome({"cublasCreate_v2", "mublasCreate"}, mublasCreate(handle),
                                       [=] { return handle ? 0 : torchada::kInvalid; });
  if (status == 0 && handle) begin(*handle);
  return status;
}

// What is known of it is forgotten first: MUSA may give the next one the same address.
extern "C" int torchada_adapter_cublasDestroy_v2(void* handle) {
  torchada::forget_values(handle);
  const bool was_known = blas_handles.forget(handle);
  if (was_known) torchada::tell_of_blas_handle(handle, false);
  const int status = torchada::outcome({"cublasDestroy_v2", "mublasDestroy"}, mublasDestroy(handle),
                                       [=] { return handle ? 0 : torchada::kNoBackend; });
  if (status != 0 && was_known) begin(handle);
  return status;
}
