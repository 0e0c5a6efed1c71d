// cudaGetDeviceProperties: the struct has a different size in every CUDA major, and MUSA's is
// documented for some SDKs only. Every member that a device attribute gives is filled from that
// attribute. The name comes from the start of MUSA's struct, where all versions have it, and the
// uuid from MUSA's driver. The luid is where all versions have it, too.
#include <string.h>

#include "facts.h"
#include "stubs/adapting/on_device.h"
#include "stubs/cudart/answers.h"
#include "stubs/cudart/attempt.h"
#include "stubs/cudart/attributes.h"
#include "stubs/reporting/fallback.h"
#include "stubs/resolving/backend.h"
#include "stubs/system/mapped_memory.h"

namespace {

using torchada::fail;
using torchada::PropertySource;

constexpr int kMemoryAllocation = static_cast<int>(torchada::cuda::cudaErrorMemoryAllocation);
constexpr unsigned kNameBytes = 256;
// MUSA's struct has 728 bytes before SDK 4.3 and 1,032 from then on; a later one may be longer.
constexpr unsigned kBackendStructBytes = 8192;

// Where the struct has what tells devices apart. MUSA's struct begins with that of CUDA 11.
using torchada::kProperty_11_8_luid;
constexpr unsigned kLuidBytes = torchada::kProperty_11_8_totalGlobalMem - kProperty_11_8_luid;

void copy_name(char* to, const char* from) {
  const size_t length = strnlen(from, kNameBytes - 1);
  memcpy(to, from, length);
}

void store(char* to, const PropertySource& source, int value) {
  if (source.bytes == sizeof(size_t)) {
    const size_t wide = static_cast<size_t>(value);
    memcpy(to + source.offset, &wide, sizeof wide);
  } else {
    memcpy(to + source.offset, &value, sizeof value);
  }
}

// Total memory of `device`; 0 if MUSA does not tell.
size_t total_memory(int device) {
  const torchada::OnDevice on_device(device);
  size_t available = 0, total = 0;
  if (on_device.failed() || musaMemGetInfo(&available, &total) != 0) return 0;
  return total;
}

// Zero if MUSA does not tell.
void copy_identity(char* to, const char* from, int device) {
  int own = 0;
  if (muDeviceGet(&own, device) != 0 ||
      muDeviceGetUuid_v2(to + torchada::kProperty_11_8_uuid, own) != 0) {
    memset(to + torchada::kProperty_11_8_uuid, 0,
           kProperty_11_8_luid - torchada::kProperty_11_8_uuid);
  }
  memcpy(to + kProperty_11_8_luid, from + kProperty_11_8_luid, kLuidBytes);
}

template <size_t kCount>
int fill(const char* function, void* properties, int device,
         const PropertySource (&sources)[kCount], size_t size, unsigned total_offset) {
  const torchada::MappedMemory memory(kBackendStructBytes);
  char* const backend = memory.data();
  if (!backend) return fail(kMemoryAllocation);
  const int status = musaGetDeviceProperties_v2(backend, device);
  if (status != 0) return torchada::told_without_musa(function, status);
  // Checked after the driver, as in the real library.
  if (!properties) return fail(torchada::kInvalidValue);
  char* out = static_cast<char*>(properties);
  memset(out, 0, size);
  copy_name(out, backend);
  copy_identity(out, backend, device);
  const torchada::Attempt attempt;
  for (const PropertySource& source : sources) {
    int value = 0;
    // An attribute that this SDK does not know leaves the member zero.
    if (musaDeviceGetAttribute(&value, source.attribute, device) == 0) {
      store(out, source, torchada::attribute_to_tell(source.attribute, value));
    }
  }
  const size_t total = total_memory(device);
  memcpy(out + total_offset, &total, sizeof total);
  attempt.forget();
  return 0;
}

}  // namespace

#define TORCHADA_FILL(function, release)                              \
  fill(function, properties, device, torchada::kProperties_##release, \
       torchada::kPropertiesSize_##release, torchada::kProperty_##release##_totalGlobalMem)

extern "C" int torchada_adapter_cudaGetDeviceProperties(void* properties, int device) {
#if TORCHADA_ABI == 13
  return TORCHADA_FILL("cudaGetDeviceProperties", 13_0);
#else
  return TORCHADA_FILL("cudaGetDeviceProperties",
                       11_8);  // CUDA 12 keeps the old struct under the old name.
#endif
}

#if TORCHADA_ABI == 12
extern "C" int torchada_adapter_cudaGetDeviceProperties_v2(void* properties, int device) {
  return TORCHADA_FILL("cudaGetDeviceProperties_v2", 12_9);
}
#endif
