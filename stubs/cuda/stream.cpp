// What a stream belongs to, and its attributes.
#include <stddef.h>
#include <string.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/in_context.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

// MUSA's union has the first two members that CUDA's has; CUDA's is longer.
static_assert(musa::sizeof_MUstreamAttrValue <= cuda::sizeof_CUstreamAttrValue);
static_assert(musa::sizeof_MUaccessPolicyWindow == cuda::sizeof_CUaccessPolicyWindow);
static_assert(musa::MUaccessPolicyWindow_num_bytes == cuda::CUaccessPolicyWindow_num_bytes);
static_assert(musa::MUaccessPolicyWindow_hitRatio == cuda::CUaccessPolicyWindow_hitRatio);
static_assert(musa::MUaccessPolicyWindow_hitProp == cuda::CUaccessPolicyWindow_hitProp);
static_assert(musa::MUaccessPolicyWindow_missProp == cuda::CUaccessPolicyWindow_missProp);
static_assert(musa::MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ==
              cuda::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
static_assert(musa::MU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY ==
              cuda::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY);

// Room for what a newer MUSA may write.
struct AttributeValue {
  alignas(8) unsigned char bytes[cuda::sizeof_CUstreamAttrValue];
};

// Bytes of the attribute's member, or 0 if MUSA's streams do not have it.
size_t size_of_attribute(int attribute) {
  switch (attribute) {
    case cuda::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      return musa::sizeof_MUaccessPolicyWindow;
    case cuda::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      return sizeof(int);
    default:
      return 0;
  }
}

// CUDA's streams have these as well.
bool is_of_streams(int attribute) {
  return attribute == cuda::CU_LAUNCH_ATTRIBUTE_PRIORITY ||
         attribute == cuda::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP ||
         attribute == cuda::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
}

int refuse_attribute(const char* function, int attribute) {
  if (!is_of_streams(attribute)) return fail(torchada::kInvalid);
  return torchada::refuse_enumerator(
      function, 1, attribute, "MUSA's streams have no such attribute", torchada::kUnsupported);
}

}  // namespace

extern "C" {

int torchada_adapter_cuStreamGetAttribute(void* stream, int attribute, void* out) {
  if (!out) return fail(torchada::kInvalid);
  if (attribute == cuda::CU_LAUNCH_ATTRIBUTE_PRIORITY) {
    return outcome({"cuStreamGetAttribute", "muStreamGetPriority"},
                   muStreamGetPriority(stream, static_cast<int*>(out)));
  }
  const size_t size = size_of_attribute(attribute);
  if (size == 0) return refuse_attribute("cuStreamGetAttribute", attribute);
  AttributeValue value = {};
  const int status = outcome({"cuStreamGetAttribute", "muStreamGetAttribute"},
                             muStreamGetAttribute(stream, attribute, value.bytes));
  if (status == 0) memcpy(out, value.bytes, size);
  return status;
}

int torchada_adapter_cuStreamSetAttribute(void* stream, int attribute, const void* in) {
  if (!in) return fail(torchada::kInvalid);
  const size_t size = size_of_attribute(attribute);
  if (size == 0) return refuse_attribute("cuStreamSetAttribute", attribute);
  AttributeValue value = {};
  memcpy(value.bytes, in, size);
  return outcome({"cuStreamSetAttribute", "muStreamSetAttribute"},
                 muStreamSetAttribute(stream, attribute, value.bytes));
}

int torchada_adapter_cuStreamGetDevice(void* stream, int* device) {
  if (!device) return fail(torchada::kInvalid);
  void* context = nullptr;
  if (const int status =
          outcome({"cuStreamGetDevice", "muStreamGetCtx"}, muStreamGetCtx(stream, &context))) {
    return status;
  }
  return torchada::driver::in_context("cuStreamGetDevice", context, [=] {
    return outcome({"cuStreamGetDevice", "muCtxGetDevice"}, muCtxGetDevice(device));
  });
}

int torchada_adapter_cuStreamGetCtx_v2(void* stream, void** context, void** green) {
  const int status =
      outcome({"cuStreamGetCtx_v2", "muStreamGetCtx"}, muStreamGetCtx(stream, context));
  if (status == 0 && green) *green = nullptr;
  return status;
}

int torchada_adapter_cuLaunchHostFunc_v2(void* stream, void* host_function, void* data,
                                         unsigned mode) {
  if (mode != cuda::CU_HOST_TASK_BLOCKING && mode != cuda::CU_HOST_TASK_SPINWAIT) {
    return fail(torchada::kInvalid);
  }
  return outcome({"cuLaunchHostFunc_v2", "muLaunchHostFunc"},
                 muLaunchHostFunc(stream, host_function, data));
}

}  // extern "C"
