// Functions that create and destroy plans.
#include "facts.h"
#include "stubs/cufft/plans.h"
#include "stubs/cufft/types.h"
#include "stubs/cufft/with_plan.h"
#include "stubs/reporting/fallback.h"
#include "stubs/resolving/coverage.h"

namespace {

using torchada::fail;
using torchada::Function;
using torchada::outcome;
using torchada::cufft::type_to_musa;
namespace cuda = torchada::cuda;

constexpr int kAllocFailed = static_cast<int>(cuda::CUFFT_ALLOC_FAILED);
constexpr int kInvalidType = static_cast<int>(cuda::CUFFT_INVALID_TYPE);

// Writes the number of the plan that `create` makes. cuFFT looks for a device before it looks at
// the other arguments, so without muFFT this says that it is missing.
template <typename Create, typename Asked>
int add(const Function& function, int* handle, bool made, Create create, Asked asked) {
  if (!handle) return fail(torchada::kInvalid);
  void* plan = nullptr;
  if (const int status = create(&plan)) return outcome(function, status, asked);
  const int number = torchada::cufft::add_plan(plan);
  if (number == 0) {
    mufftDestroy(plan);
    return fail(kAllocFailed);
  }
  if (made) torchada::cufft::set_made(number);
  *handle = number;
  return 0;
}

// The same for a plan of a transform of this type.
template <typename Create, typename Asked>
int add(const Function& function, int* handle, int type, Create create, Asked asked) {
  int musa_type = 0;
  if (handle && !type_to_musa(type, &musa_type) && torchada::has_backend()) {
    return fail(kInvalidType);
  }
  return add(
      function, handle, true, [&](void** plan) { return create(plan, musa_type); }, asked);
}

}  // namespace

extern "C" {

int torchada_adapter_cufftCreate(int* handle) {
  return add(TORCHADA_CUFFT(Create), handle, false, mufftCreate, [] { return 0; });
}

int torchada_adapter_cufftPlan1d(int* handle, int nx, int type, int batch) {
  return add(
      TORCHADA_CUFFT(Plan1d), handle, type,
      [=](void** plan, int musa_type) { return mufftPlan1d(plan, nx, musa_type, batch); },
      TORCHADA_CUFFT_ASKED(Plan1d, handle, nx, type, batch));
}

int torchada_adapter_cufftPlan2d(int* handle, int nx, int ny, int type) {
  return add(
      TORCHADA_CUFFT(Plan2d), handle, type,
      [=](void** plan, int musa_type) { return mufftPlan2d(plan, nx, ny, musa_type); },
      TORCHADA_CUFFT_ASKED(Plan2d, handle, nx, ny, type));
}

int torchada_adapter_cufftPlan3d(int* handle, int nx, int ny, int nz, int type) {
  return add(
      TORCHADA_CUFFT(Plan3d), handle, type,
      [=](void** plan, int musa_type) { return mufftPlan3d(plan, nx, ny, nz, musa_type); },
      TORCHADA_CUFFT_ASKED(Plan3d, handle, nx, ny, nz, type));
}

int torchada_adapter_cufftPlanMany(int* handle, int rank, int* n, int* inembed, int istride,
                                   int idist, int* onembed, int ostride, int odist, int type,
                                   int batch) {
  return add(
      TORCHADA_CUFFT(PlanMany), handle, type,
      [=](void** plan, int musa_type) {
        return mufftPlanMany(plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                             musa_type, batch);
      },
      TORCHADA_CUFFT_ASKED(PlanMany, handle, rank, n, inembed, istride, idist, onembed, ostride,
                           odist, type, batch));
}

int torchada_adapter_cufftDestroy(int handle) {
  // CUFFT_PLAN_NULL, which CUDA 13 introduced.
  if (TORCHADA_ABI >= 13 && handle == -1) return 0;
  void* const plan = torchada::cufft::remove_plan(handle);
  if (!plan) return torchada::cufft::no_plan("cufftDestroy");
  return outcome(TORCHADA_CUFFT(Destroy), mufftDestroy(plan));
}

}  // extern "C"
