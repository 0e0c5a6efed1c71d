// Functions that take a location (CUDA 12's _v2, CUDA 13's plain names) on SDKs whose functions
// take a device.
#include <stddef.h>

#include "stubs/cudart/answers.h"
#include "stubs/reporting/refusal.h"

#if TORCHADA_ABI >= 12
using namespace torchada;

namespace {

struct Location {
  int type;
  int id;
};
static_assert(sizeof(Location) == cuda::sizeof_cudaMemLocation);
static_assert(offsetof(Location, type) == cuda::cudaMemLocation_type);
static_assert(offsetof(Location, id) == cuda::cudaMemLocation_id);

// 0, or the status to return.
int device_of(const char* function, Location location, int* device) {
  switch (location.type) {
    case cuda::cudaMemLocationTypeDevice:
      *device = location.id;
      return 0;
    case cuda::cudaMemLocationTypeHost:
      *device = static_cast<int>(musa::musaCpuDeviceId);
      return 0;
    case cuda::cudaMemLocationTypeHostNuma:
    case cuda::cudaMemLocationTypeHostNumaCurrent:
      return refuse_argument(function, "location.type",
                             location.type == cuda::cudaMemLocationTypeHostNuma
                                 ? "cudaMemLocationTypeHostNuma"
                                 : "cudaMemLocationTypeHostNumaCurrent",
                             "this SDK takes devices instead of locations", kNotSupported);
    default:
      return fail(kInvalidValue);
  }
}

int advise(const char* function, const void* memory, size_t size, int advice, Location location) {
  int device = 0;
  switch (advice) {
    case cuda::cudaMemAdviseSetReadMostly:
    case cuda::cudaMemAdviseUnsetReadMostly:
    case cuda::cudaMemAdviseUnsetPreferredLocation:
      break;  // The location is ignored.
    default:
      if (const int status = device_of(function, location, &device)) return status;
  }
  return told(musaMemAdvise(memory, size, advice, device));
}

int prefetch(const char* function, const void* memory, size_t size, Location location,
             unsigned flags, void* stream) {
  if (flags != 0) return fail(kInvalidValue);  // No flag is defined.
  int device = 0;
  if (const int status = device_of(function, location, &device)) return status;
  return told(musaMemPrefetchAsync(memory, size, device, stream));
}

}  // namespace

#if TORCHADA_ABI == 12
#define TORCHADA_ADAPTER(name) torchada_adapter_##name##_v2
#define TORCHADA_TEXT(name) #name "_v2"
#else
#define TORCHADA_ADAPTER(name) torchada_adapter_##name
#define TORCHADA_TEXT(name) #name
#endif

extern "C" int TORCHADA_ADAPTER(cudaMemAdvise)(const void* memory, size_t size, int advice,
                                               Location location) {
  return advise(TORCHADA_TEXT(cudaMemAdvise), memory, size, advice, location);
}

extern "C" int TORCHADA_ADAPTER(cudaMemPrefetchAsync)(const void* memory, size_t size,
                                                      Location location, unsigned flags,
                                                      void* stream) {
  return prefetch(TORCHADA_TEXT(cudaMemPrefetchAsync), memory, size, location, flags, stream);
}
#endif
