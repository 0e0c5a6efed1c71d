// Compiled for each tree: the version differs.
#include <mccl.h>

#include "errors.h"

using namespace host_mccl;

mcclResult_t mcclGetVersion(int* version) {
  if (version == nullptr) return fail(mcclInvalidArgument, "mcclGetVersion: version is null");
  *version = MCCL_VERSION_CODE;
  return mcclSuccess;
}
