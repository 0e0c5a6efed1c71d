// Forms of context functions that came after the driver of CUDA 11, by the older forms.
#include <stddef.h>

#include "facts.h"
#include "stubs/fallback.h"
#include "stubs/outcome.h"
#include "stubs/refusal.h"

namespace {

using torchada::fail;
using torchada::Function;
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

// Runs `work` while `context` is the current one; null stands for the one that is.
template <typename Work>
int in_context(const char* function, void* context, Work work) {
  if (!context) return work();
  if (const int status = outcome({function, "muCtxPushCurrent_v2"}, muCtxPushCurrent_v2(context))) {
    return status;
  }
  const int status = work();
  void* popped = nullptr;
  const int restored = outcome({function, "muCtxPopCurrent_v2"}, muCtxPopCurrent_v2(&popped));
  return status != 0 ? status : restored;
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

int torchada_adapter_cuCtxGetDevice_v2(int* device, void* context) {
  return in_context("cuCtxGetDevice_v2", context, [=] {
    return outcome({"cuCtxGetDevice_v2", "muCtxGetDevice"}, muCtxGetDevice(device));
  });
}

int torchada_adapter_cuCtxSynchronize_v2(void* context) {
  return in_context("cuCtxSynchronize_v2", context, [] {
    return outcome({"cuCtxSynchronize_v2", "muCtxSynchronize"}, muCtxSynchronize());
  });
}

}  // extern "C"
