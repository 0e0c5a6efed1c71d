// Advice and prefetching of managed memory. CUDA 12 names places by CUmemLocation, MUSA by device.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/batch_records.h"
#include "stubs/cuda/runtime.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::BatchRecords;
using torchada::driver::for_each_member;
using torchada::driver::in_stream;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

// CUmemLocation, as it is passed by value.
struct Place {
  int type;
  int id;
};
static_assert(sizeof(Place) == cuda::sizeof_CUmemLocation);
static_assert(offsetof(Place, type) == cuda::CUmemLocation_type);
static_assert(offsetof(Place, id) == cuda::CUmemLocation_id);

// Sets `device` to MUSA's number of a place. 0, or the status to return.
int device_of(const char* function, Place place, int* device) {
  switch (place.type) {
    case cuda::CU_MEM_LOCATION_TYPE_DEVICE:
      *device = place.id;
      return 0;
    case cuda::CU_MEM_LOCATION_TYPE_HOST:
      *device = static_cast<int>(musa::musaCpuDeviceId);
      return 0;
    case cuda::CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case cuda::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
    case cuda::CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN:
      return torchada::refuse_argument(
          function, "location.type",
          torchada::enumerator_text("CUmemLocationType", place.type).c_str(),
          "MUSA takes devices instead of locations", torchada::kUnsupported);
    default:
      return fail(torchada::kInvalid);
  }
}

int prefetch(const char* function, unsigned long long memory, size_t size, int device,
             void* stream) {
  return in_stream({function, "musaMemPrefetchAsync"}, stream, [=] {
    return musaMemPrefetchAsync(reinterpret_cast<const void*>(memory), size, device, stream);
  });
}

struct Batch {
  const unsigned long long* memory;
  const size_t* sizes;
  size_t count;
  const Place* places;
  BatchRecords records;  // Of `places`.
};

bool is_valid(const Batch& batch) {
  if (!batch.memory || !batch.sizes || !batch.places) return false;
  return torchada::driver::is_valid(batch.records, batch.count);
}

// All places are checked before any memory moves.
int prefetch_batch(const char* function, const Batch& batch, unsigned long long flags,
                   void* stream) {
  if (flags != 0 || !is_valid(batch)) return fail(torchada::kInvalid);
  int device = 0;
  for (size_t i = 0; i < batch.records.count; ++i) {
    if (const int status = device_of(function, batch.places[i], &device)) return status;
  }
  return for_each_member(batch.records, batch.count, [&](size_t i, size_t place) {
    if (const int status = device_of(function, batch.places[place], &device)) return status;
    return prefetch(function, batch.memory[i], batch.sizes[i], device, stream);
  });
}

}  // namespace

extern "C" {

int torchada_adapter_cuMemAdvise_v2(unsigned long long memory, size_t size, int advice,
                                    Place place) {
  int device = 0;
  switch (advice) {
    case cuda::CU_MEM_ADVISE_SET_READ_MOSTLY:
    case cuda::CU_MEM_ADVISE_UNSET_READ_MOSTLY:
    case cuda::CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      break;  // The location is ignored.
    default:
      if (const int status = device_of("cuMemAdvise_v2", place, &device)) return status;
  }
  return outcome({"cuMemAdvise_v2", "muMemAdvise"}, muMemAdvise(memory, size, advice, device));
}

int torchada_adapter_cuMemPrefetchAsync_v2(unsigned long long memory, size_t size, Place place,
                                           unsigned flags, void* stream) {
  if (flags != 0) return fail(torchada::kInvalid);  // No flag is defined.
  int device = 0;
  if (const int status = device_of("cuMemPrefetchAsync_v2", place, &device)) return status;
  return prefetch("cuMemPrefetchAsync_v2", memory, size, device, stream);
}

int torchada_adapter_cuMemPrefetchBatchAsync(const unsigned long long* memory, const size_t* sizes,
                                             size_t count, const void* places, const size_t* first,
                                             size_t place_count, unsigned long long flags,
                                             void* stream) {
  return prefetch_batch(
      "cuMemPrefetchBatchAsync",
      {memory, sizes, count, static_cast<const Place*>(places), {first, place_count}}, flags,
      stream);
}

}  // extern "C"
