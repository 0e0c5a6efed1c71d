// Functions that make a plan for a handle of cufftCreate.
#include "stubs/cufft/make_plan.h"

#include "facts.h"
#include "stubs/cufft/measured.h"
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
using torchada::cufft::made;
using torchada::cufft::measured;
namespace cuda = torchada::cuda;

// `function` is what the program called; muFFT has one function for both.
template <typename Asked>
int make_many(const char* function, int handle, int rank, long long* n, long long* inembed,
              long long istride, long long idist, long long* onembed, long long ostride,
              long long odist, const DataTypes& types, long long batch, size_t* bytes,
              Asked asked) {
  if (rank < 1 || !n) return fail(torchada::kInvalid);
  return made(handle, measured(
                          {function, "mufftXtMakePlanMany"}, handle, types, bytes,
                          [=](void* plan, const DataTypes& musa) {
                            return mufftXtMakePlanMany(plan, rank, n, inembed, istride, idist,
                                                       musa.input, onembed, ostride, odist,
                                                       musa.output, batch, bytes, musa.execution);
                          },
                          asked));
}

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
  return make_many("cufftMakePlanMany64", handle, rank, n, inembed, istride, idist, onembed,
                   ostride, odist, types, batch, bytes,
                   TORCHADA_CUFFT_ASKED(MakePlanMany64, handle, rank, n, inembed, istride, idist,
                                        onembed, ostride, odist, type, batch, bytes));
}

int torchada_adapter_cufftXtMakePlanMany(int handle, int rank, long long* n, long long* inembed,
                                         long long istride, long long idist, int input,
                                         long long* onembed, long long ostride, long long odist,
                                         int output, long long batch, size_t* bytes,
                                         int execution) {
  return make_many(
      "cufftXtMakePlanMany", handle, rank, n, inembed, istride, idist, onembed, ostride, odist,
      {input, output, execution}, batch, bytes,
      TORCHADA_CUFFT_ASKED(XtMakePlanMany, handle, rank, n, inembed, istride, idist, input, onembed,
                           ostride, odist, output, batch, bytes, execution));
}

}  // extern "C"
