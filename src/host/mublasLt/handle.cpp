#include "src/host/mublas/blas_gate.h"
#include "src/host/mublasLt/descriptors.h"
#include "src/host/shared/handle_table.h"

extern "C" const char* mublasGetStatusString(mublasStatus_t status);

namespace host_mublaslt {
namespace {

constexpr int kMajor = 1;
constexpr int kMinor = 10;
constexpr int kPatch = 6;

// A context has no state.
struct Context {};

host::HandleTable<mublasLtHandle_t, Context>& contexts() {
  // Never destroyed: destructors may still call this library.
  static auto& instance = *new host::HandleTable<mublasLtHandle_t, Context>;
  return instance;
}

std::size_t runtime_version() {
  int version = 0;
  return musaRuntimeGetVersion(&version) == musaSuccess ? static_cast<std::size_t>(version) : 0;
}

}  // namespace

bool is_live(mublasLtHandle_t handle) { return contexts().find(handle) != nullptr; }

}  // namespace host_mublaslt

using namespace host_mublaslt;

extern "C" {

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

size_t mublasLtGetVersion(void) { return kMajor * 10000 + kMinor * 100 + kPatch; }

size_t mublasLtGetMusartVersion(void) { return runtime_version(); }

size_t mublasLtGetCudartVersion(void) { return runtime_version(); }

mublasStatus_t mublasLtGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return MUBLAS_STATUS_INVALID_VALUE;
  switch (type) {
    case MAJOR_VERSION:
      *value = kMajor;
      return MUBLAS_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = kMinor;
      return MUBLAS_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = kPatch;
      return MUBLAS_STATUS_SUCCESS;
    default:
      return MUBLAS_STATUS_INVALID_VALUE;
  }
}

const char* mublasLtGetStatusName(mublasStatus_t status) { return mublasGetStatusString(status); }

const char* mublasLtGetStatusString(mublasStatus_t status) { return mublasGetStatusString(status); }

}  // extern "C"
