// Functions that take a location (CUDA 12's _v2, CUDA 13's plain names) on SDKs whose functions
// take a device.
#include <stddef.h>

#include "stubs/cudart/answers.h"

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
int device_of(Location location, int* device) {
  switch (location.type) {
    case cuda::cudaMemLocationTypeDevice:
      *device = location.id;
      return 0;
    case cuda::cudaMemLocationTypeHost:
      *device = static_cast<int>(musa::musaCpuDeviceId);
      return 0;
    case cuda::cudaMemLocationTypeHostNuma:
    case cuda::cudaMemLocationTypeHostNumaCurrent:
      return fail(kNotSupported);
    default:
      return fail(kInvalidValue);
  }
}

int advise(const void* memory, size_t size, int advice, Location location) {
  int device = 0;
  switch (advice) {
    case cuda::cudaMemAdviseSetReadMostly:
    case cuda::cudaMemAdviseUnsetReadMostly:
    case cuda::cudaMemAdviseUnsetPreferredLocation:
      break;  // The location is ignored.
    default:
      if (const int status = device_of(location, &device)) return status;
  }
  return told(musaMemAdvise(memory, size, advice, device));
}

int prefetch(const void* memory, size_t size, Location location, unsigned flags, void* stream) {
  if (flags != 0) return fail(kInvalidValue);  // No flag is defined.
  int device = 0;
  if (const int status = device_of(location, &device)) return status;
  return told(musaMemPrefetchAsync(memory, size, device, stream));
}

}  // namespace

#if TORCHADA_ABI == 12
#define TORCHADA_ADVISE torchada_adapter_cudaMemAdvise_v2
#define TORCHADA_PREFETCH torchada_adapter_cudaMemPrefetchAsync_v2
#define TORCHADA_PREFETCH_PTSZ torchada_adapter_cudaMemPrefetchAsync_v2_ptsz
#else
#define TORCHADA_ADVISE torchada_adapter_cudaMemAdvise
#define TORCHADA_PREFETCH torchada_adapter_cudaMemPrefetchAsync
#define TORCHADA_PREFETCH_PTSZ torchada_adapter_cudaMemPrefetchAsync_ptsz
#endif

extern "C" int TORCHADA_ADVISE(const void* memory, size_t size, int advice, Location location) {
  return advise(memory, size, advice, location);
}

extern "C" int TORCHADA_PREFETCH(const void* memory, size_t size, Location location, unsigned flags,
                                 void* stream) {
  return prefetch(memory, size, location, flags, stream);
}

extern "C" int TORCHADA_PREFETCH_PTSZ(const void* memory, size_t size, Location location,
                                      unsigned flags, void* stream) {
  return prefetch(memory, size, location, flags, own_stream(stream));
}
#endif
