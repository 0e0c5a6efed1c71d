// Functions that make a plan for a handle of cufftCreate.
#include "stubs/cufft/make_plan.h"

#include "facts.h"
#include "stubs/cufft/types.h"
#include "stubs/cufft/with_plan.h"
#include "stubs/reporting/fallback.h"

namespace torchada::cufft {

int made(int handle, int status) {
  Plan plan;
  if (status != 0 || !find_plan(handle, &plan)) return status;
  set_made(handle);
  if (!plan.stream) return 0;
  return outcome(TORCHADA_CUFFT(SetStream), mufftSetStream(plan.musa, plan.stream));
}

}  // namespace torchada::cufft

namespace {

using torchada::fail;
using torchada::cufft::DataTypes;
namespace cuda = torchada::cuda;

}  // namespace

extern "C" {

int torchada_adapter_cufftMakePlanMany64(int handle, int rank, long long* n, long long* inembed,
                                         long long istride, long long idist, long long* onembed,
                                         long long ostride, long long odist, int type,
                                         long long batch, size_t* bytes) {
  DataTypes types = {};
  if (!torchada::cufft::numbers_of(type, &types)) {
    return fail(static_cast<int>(cuda::CUFFT_INVALID_TYPE));
  }
  return torchada_own_cufftXtMakePlanMany(handle, rank, n, inembed, istride, idist, types.input,
                                          onembed, ostride, odist, types.output, batch, bytes,
                                          types.execution);
}

}  // extern "C"
