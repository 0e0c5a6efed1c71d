// Context functions that came after the driver of CUDA 11, by older ones.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
namespace cuda = torchada::cuda;

constexpr const char* kNoParts =
    "a context on part of a device's processors; MUSA is not known to have such contexts";

// What cuCtxCreate_v4 takes, or null.
struct CreateParams {
  void* affinity;
  int affinity_count;
  void* graphics;
};
static_assert(sizeof(CreateParams) == cuda::sizeof_CUctxCreateParams);
static_assert(offsetof(CreateParams, affinity_count) ==
              cuda::CUctxCreateParams_numExecAffinityParams);
static_assert(offsetof(CreateParams, graphics) == cuda::CUctxCreateParams_cigParams);

int create(const char* function, void** context, unsigned flags, int device) {
  return outcome({function, "muCtxCreate_v2"}, muCtxCreate_v2(context, flags, device));
}

}  // namespace

extern "C" {

int torchada_adapter_cuCtxCreate_v3(void** context, void* affinity, int affinity_count,
                                    unsigned flags, int device) {
  if (affinity_count < 0 || (affinity_count > 0 && !affinity)) return fail(torchada::kInvalid);
  if (affinity_count > 0) {
    return torchada::refuse_argument("cuCtxCreate_v3", "paramsArray", "(not null)", kNoParts,
                                     torchada::kUnsupported);
  }
  return create("cuCtxCreate_v3", context, flags, device);
}

int torchada_adapter_cuCtxCreate_v4(void** context, void* params, unsigned flags, int device) {
  if (const auto* const wanted = static_cast<const CreateParams*>(params)) {
    if (wanted->affinity_count > 0) {
      return torchada::refuse_argument("cuCtxCreate_v4", "ctxCreateParams->execAffinityParams",
                                       "(not null)", kNoParts, torchada::kUnsupported);
    }
    if (wanted->graphics) {
      return torchada::refuse_argument("cuCtxCreate_v4", "ctxCreateParams->cigParams", "(not null)",
                                       "MUSA is not known to share contexts with graphics",
                                       torchada::kUnsupported);
    }
  }
  return create("cuCtxCreate_v4", context, flags, device);
}

// What CUDA says on devices without such contexts.
int torchada_adapter_cuCtxGetExecAffinity(void* affinity, int type) {
  int device = 0;
  if (const int status =
          outcome({"cuCtxGetExecAffinity", "muCtxGetDevice"}, muCtxGetDevice(&device))) {
    return status;
  }
  if (!affinity || type != cuda::CU_EXEC_AFFINITY_TYPE_SM_COUNT) return fail(torchada::kInvalid);
  return fail(static_cast<int>(cuda::CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY));
}

// MUSA's driver sets the flags of a primary context. Whether the current context is one shows by
// its handle.
int torchada_adapter_cuCtxSetFlags(unsigned flags) {
  constexpr const char* kName = "cuCtxSetFlags";
  void* current = nullptr;
  int device = 0;
  if (const int status = outcome({kName, "muCtxGetCurrent"}, muCtxGetCurrent(&current))) {
    return status;
  }
  if (const int status = outcome({kName, "muCtxGetDevice"}, muCtxGetDevice(&device))) {
    return status;
  }
  unsigned old_flags = 0;
  int is_active = 0;
  if (const int status = outcome({kName, "muDevicePrimaryCtxGetState"},
                                 muDevicePrimaryCtxGetState(device, &old_flags, &is_active))) {
    return status;
  }
  void* primary = nullptr;
  if (is_active != 0) {
    if (const int status = outcome({kName, "muDevicePrimaryCtxRetain"},
                                   muDevicePrimaryCtxRetain(&primary, device))) {
      return status;
    }
    if (const int status = outcome({kName, "muDevicePrimaryCtxRelease_v2"},
                                   muDevicePrimaryCtxRelease_v2(device))) {
      return status;
    }
  }
  if (current != primary) {
    return torchada::refuse_argument(kName, "the current context", "(from cuCtxCreate)",
                                     "MUSA sets the flags of primary contexts only",
                                     torchada::kUnsupported);
  }
  return outcome({kName, "muDevicePrimaryCtxSetFlags_v2"},
                 muDevicePrimaryCtxSetFlags_v2(device, flags));
}

}  // extern "C"
