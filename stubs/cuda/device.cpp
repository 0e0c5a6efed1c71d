// Attributes of devices: MUSA's answers, unless they would mislead; see device_claims.h.
#include "facts.h"
#include "stubs/adapting/device_claims.h"
#include "stubs/adapting/outcome.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
namespace cuda = torchada::cuda;

constexpr int kSuccess = 0;

int attribute_to_tell(int attribute, int value) {
  switch (attribute) {
    case cuda::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return torchada::major_to_tell(value);
    case cuda::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return torchada::minor_to_tell(value);
    case cuda::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
    case cuda::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES:
      return value != 0 && torchada::has_memory_pools() ? value : 0;
    default:
      return value;
  }
}

}  // namespace

extern "C" {

// MUSA has the attributes up to 124, under CUDA's numbers, and 128, which asks for memory handles
// that other hosts can open: CUDA programs cannot take them, because MUSA's are longer. The others
// that came later ask for features that MUSA's driver is not known to have. So a device has none of
// them.
int torchada_adapter_cuDeviceGetAttribute(int* value, int attribute, int device) {
  int told = 0;
  const bool is_newer = attribute > torchada::musa::MU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED &&
                        attribute < cuda::CU_DEVICE_ATTRIBUTE_MAX;
  // Any attribute that MUSA knows: it says whether the device exists.
  const int asked = is_newer ? torchada::musa::MU_DEVICE_ATTRIBUTE_WARP_SIZE : attribute;
  const int status = torchada::outcome({"cuDeviceGetAttribute", "muDeviceGetAttribute"},
                                       muDeviceGetAttribute(&told, asked, device));
  if (status != kSuccess) return status;
  if (!value) return fail(torchada::kInvalid);
  *value = is_newer ? 0 : attribute_to_tell(attribute, told);
  return kSuccess;
}

int torchada_adapter_cuDeviceComputeCapability(int* major, int* minor, int device) {
  if (!major || !minor) return fail(torchada::kInvalid);
  const int status = torchada::outcome({"cuDeviceComputeCapability", "muDeviceComputeCapability"},
                                       muDeviceComputeCapability(major, minor, device));
  if (status != kSuccess) return status;
  *major = torchada::major_to_tell(*major);
  *minor = torchada::minor_to_tell(*minor);
  return kSuccess;
}

// No device of MUSA's is known to run a context on part of its processors.
int torchada_adapter_cuDeviceGetExecAffinitySupport(int* supported, int type, int device) {
  int ignored = 0;
  if (const int status = torchada_adapter_cuDeviceGetAttribute(
          &ignored, cuda::CU_DEVICE_ATTRIBUTE_WARP_SIZE, device)) {
    return status;
  }
  if (!supported || type != cuda::CU_EXEC_AFFINITY_TYPE_SM_COUNT) return fail(torchada::kInvalid);
  *supported = 0;
  return kSuccess;
}

}  // extern "C"
