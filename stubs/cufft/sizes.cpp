// Functions that report the bytes of a work area.
#include "facts.h"
#include "stubs/cufft/measured.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::cufft::DataTypes;
using torchada::cufft::measured;
using torchada::cufft::with_plan;
namespace cuda = torchada::cuda;

template <typename Asked>
int size_of_many(const char* function, int handle, int rank, long long* n, long long* inembed,
                 long long istride, long long idist, long long* onembed, long long ostride,
                 long long odist, const DataTypes& types, long long batch, size_t* bytes,
                 Asked asked) {
  return measured(
      {function, "mufftXtGetSizeMany"}, handle, types, bytes,
      [=](void* plan, const DataTypes& musa) {
        return mufftXtGetSizeMany(plan, rank, n, inembed, istride, idist, musa.input, onembed,
                                  ostride, odist, musa.output, batch, bytes, musa.execution);
      },
      asked);
}

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
  return size_of_many("cufftGetSizeMany64", handle, rank, n, inembed, istride, idist, onembed,
                      ostride, odist, types, batch, bytes,
                      TORCHADA_CUFFT_ASKED(GetSizeMany64, handle, rank, n, inembed, istride, idist,
                                           onembed, ostride, odist, type, batch, bytes));
}

int torchada_adapter_cufftXtGetSizeMany(int handle, int rank, long long* n, long long* inembed,
                                        long long istride, long long idist, int input,
                                        long long* onembed, long long ostride, long long odist,
                                        int output, long long batch, size_t* bytes, int execution) {
  return size_of_many(
      "cufftXtGetSizeMany", handle, rank, n, inembed, istride, idist, onembed, ostride, odist,
      {input, output, execution}, batch, bytes,
      TORCHADA_CUFFT_ASKED(XtGetSizeMany, handle, rank, n, inembed, istride, idist, input, onembed,
                           ostride, odist, output, batch, bytes, execution));
}

}  // extern "C"
