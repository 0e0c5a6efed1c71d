// Functions that make a plan for a handle of cufftCreate.
#include "facts.h"
#include "stubs/cufft/measured.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::cufft::DataTypes;
using torchada::cufft::measured;
using torchada::cufft::Plan;
namespace cuda = torchada::cuda;

// Returns `status`, the outcome of making the plan. If it was made, muFFT gets the stream that the
// program has set before.
int made(int handle, int status) {
  Plan plan;
  if (status != 0 || !torchada::cufft::find_plan(handle, &plan)) return status;
  torchada::cufft::set_made(handle);
  if (!plan.stream) return 0;
  return outcome(TORCHADA_CUFFT(SetStream), mufftSetStream(plan.musa, plan.stream));
}

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

int torchada_adapter_cufftMakePlan1d(int handle, int nx, int type, int batch, size_t* bytes) {
  return made(handle, measured(
                          TORCHADA_CUFFT(MakePlan1d), handle, type, bytes,
                          [=](void* plan, int musa_type) {
                            return mufftMakePlan1d(plan, nx, musa_type, batch, bytes);
                          },
                          TORCHADA_CUFFT_ASKED(MakePlan1d, handle, nx, type, batch, bytes)));
}

int torchada_adapter_cufftMakePlan2d(int handle, int nx, int ny, int type, size_t* bytes) {
  return made(handle, measured(
                          TORCHADA_CUFFT(MakePlan2d), handle, type, bytes,
                          [=](void* plan, int musa_type) {
                            return mufftMakePlan2d(plan, nx, ny, musa_type, bytes);
                          },
                          TORCHADA_CUFFT_ASKED(MakePlan2d, handle, nx, ny, type, bytes)));
}

int torchada_adapter_cufftMakePlan3d(int handle, int nx, int ny, int nz, int type, size_t* bytes) {
  return made(handle, measured(
                          TORCHADA_CUFFT(MakePlan3d), handle, type, bytes,
                          [=](void* plan, int musa_type) {
                            return mufftMakePlan3d(plan, nx, ny, nz, musa_type, bytes);
                          },
                          TORCHADA_CUFFT_ASKED(MakePlan3d, handle, nx, ny, nz, type, bytes)));
}

int torchada_adapter_cufftMakePlanMany(int handle, int rank, int* n, int* inembed, int istride,
                                       int idist, int* onembed, int ostride, int odist, int type,
                                       int batch, size_t* bytes) {
  return made(handle,
              measured(
                  TORCHADA_CUFFT(MakePlanMany), handle, type, bytes,
                  [=](void* plan, int musa_type) {
                    return mufftMakePlanMany(plan, rank, n, inembed, istride, idist, onembed,
                                             ostride, odist, musa_type, batch, bytes);
                  },
                  TORCHADA_CUFFT_ASKED(MakePlanMany, handle, rank, n, inembed, istride, idist,
                                       onembed, ostride, odist, type, batch, bytes)));
}

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
