// Functions that report the bytes of a work area.
#include "facts.h"
#include "stubs/cufft/types.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::cufft::DataTypes;
namespace cuda = torchada::cuda;

}  // namespace

extern "C" {

int torchada_adapter_cufftGetSizeMany64(int handle, int rank, long long* n, long long* inembed,
                                        long long istride, long long idist, long long* onembed,
                                        long long ostride, long long odist, int type,
                                        long long batch, size_t* bytes) {
  DataTypes types = {};
  if (!torchada::cufft::numbers_of(type, &types)) {
    return fail(static_cast<int>(cuda::CUFFT_INVALID_TYPE));
  }
  return torchada_own_cufftXtGetSizeMany(handle, rank, n, inembed, istride, idist, types.input,
                                         onembed, ostride, odist, types.output, batch, bytes,
                                         types.execution);
}

}  // extern "C"
