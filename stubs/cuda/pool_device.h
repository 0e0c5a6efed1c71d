// Pools of a location, which CUDA's newer functions take instead of a device.
#pragma once

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace torchada::driver {

// CUmemLocation.
struct PoolPlace {
  int type;
  int id;
};
static_assert(sizeof(PoolPlace) == cuda::sizeof_CUmemLocation);

// Sets `device` to that of a location whose pool has memory of `type`. 0, or the status to return.
// `number`: of the parameter `type`, from 0.
inline int device_of_pool(const char* function, const void* place, int type, unsigned number,
                          int* device) {
  const auto* const location = static_cast<const PoolPlace*>(place);
  if (!location) return fail(kInvalid);
  if (type != cuda::CU_MEM_ALLOCATION_TYPE_PINNED) {
    return refuse_enumerator(function, number, type, "MUSA's pools have pinned memory only",
                             kUnsupported);
  }
  if (location->type != cuda::CU_MEM_LOCATION_TYPE_DEVICE) {
    return refuse_argument(function, "location->type",
                           enumerator_text("CUmemLocationType", location->type).c_str(),
                           "only devices have pools in MUSA", kUnsupported);
  }
  *device = location->id;
  return 0;
}

}  // namespace torchada::driver
