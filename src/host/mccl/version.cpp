// Compiled separately for each tree, because the version differs.
#include <mccl.h>

#include "src/host/mccl/errors.h"

// Assumed: MCCL got this result when NCCL did, with 2.13.
mcclResult_t host_mccl::remote_error() {
  return MCCL_VERSION_CODE >= MCCL_VERSION(2, 13, 0) ? mcclRemoteError : mcclSystemError;
}

using namespace host_mccl;

mcclResult_t mcclGetVersion(int* version) {
  if (version == nullptr) return fail(mcclInvalidArgument, "mcclGetVersion: version is null");
  *version = MCCL_VERSION_CODE;
  return mcclSuccess;
}
