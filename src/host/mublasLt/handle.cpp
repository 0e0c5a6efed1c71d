#include "src/host/mublas/blas_gate.h"
#include "src/host/mublasLt/descriptors.h"
#include "src/host/shared/handle_table.h"
#include "src/host/shared/never_destroyed.h"

namespace host_mublaslt {
namespace {

// A context has no state.
struct Context {};

using Contexts = host::HandleTable<host::HandleKind::kBlasLt, mublasLtHandle_t, Context>;

Contexts& contexts() { return host::never_destroyed<Contexts>(); }

}  // namespace

bool is_live(mublasLtHandle_t handle) { return contexts().find(handle) != nullptr; }

}  // namespace host_mublaslt

using namespace host_mublaslt;

mublasStatus_t mublasLtCreate(mublasLtHandle_t* lightHandle) {
  if (lightHandle == nullptr) return MUBLAS_STATUS_INVALID_VALUE;
  int device = 0;
  if (musaGetDevice(&device) != musaSuccess) return MUBLAS_STATUS_INTERNAL_ERROR;
  host_mublas::BlasGate::close_at_exit();
  *lightHandle = contexts().insert(std::make_shared<Context>());
  return MUBLAS_STATUS_SUCCESS;
}

mublasStatus_t mublasLtDestroy(mublasLtHandle_t lightHandle) {
  return contexts().remove(lightHandle) ? MUBLAS_STATUS_SUCCESS : MUBLAS_STATUS_INVALID_HANDLE;
}
