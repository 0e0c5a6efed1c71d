// Compiled separately for each tree, because the version differs.
#include <mublas.h>

#include "src/host/mublas/context.h"

using namespace host_mublas;

mublasStatus_t mublasGetVersion(mublasHandle_t handle, int* version) {
  if (!find_context(handle)) return MUBLAS_STATUS_INVALID_HANDLE;
  if (version == nullptr) return MUBLAS_STATUS_INVALID_POINTER;
  *version = MUBLAS_VERSION_MAJOR * 10000 + MUBLAS_VERSION_MINOR * 100 + MUBLAS_VERSION_PATCH;
  return MUBLAS_STATUS_SUCCESS;
}
