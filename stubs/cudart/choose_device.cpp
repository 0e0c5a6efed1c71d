// cudaChooseDevice: the device that best fits the requested properties. CUDA does not say how it
// weighs them. Here a requested member (not zero) counts if the device has at least as much of it,
// and counts twice if it has exactly that much. Among equals, the first device wins.
#include <stddef.h>
#include <string.h>

#include "stubs/cudart/answers.h"

using namespace torchada;

extern "C" int torchada_adapter_cudaGetDeviceProperties(void* properties, int device);
extern "C" int torchada_adapter_cudaGetDeviceProperties_v2(void* properties, int device);

namespace {

#if TORCHADA_ABI == 11
constexpr auto& kMembers = kProperties_11_8;
constexpr unsigned kSize = kPropertiesSize_11_8;
constexpr unsigned kTotalMemory = kProperty_11_8_totalGlobalMem;
constexpr auto kTell = torchada_adapter_cudaGetDeviceProperties;
#elif TORCHADA_ABI == 12
constexpr auto& kMembers = kProperties_12_9;
constexpr unsigned kSize = kPropertiesSize_12_9;
constexpr unsigned kTotalMemory = kProperty_12_9_totalGlobalMem;
constexpr auto kTell = torchada_adapter_cudaGetDeviceProperties_v2;
#else
constexpr auto& kMembers = kProperties_13_0;
constexpr unsigned kSize = kPropertiesSize_13_0;
constexpr unsigned kTotalMemory = kProperty_13_0_totalGlobalMem;
constexpr auto kTell = torchada_adapter_cudaGetDeviceProperties;
#endif

unsigned long long member(const char* properties, unsigned offset, unsigned bytes) {
  unsigned long long value = 0;
  memcpy(&value, properties + offset, bytes);
  return value;
}

int weigh(unsigned long long wanted, unsigned long long present) {
  if (wanted == 0 || present < wanted) return 0;
  return present == wanted ? 2 : 1;
}

int fit(const char* wanted, const char* present) {
  int sum = weigh(member(wanted, kTotalMemory, sizeof(size_t)),
                  member(present, kTotalMemory, sizeof(size_t)));
  for (const PropertySource& source : kMembers) {
    sum += weigh(member(wanted, source.offset, source.bytes),
                 member(present, source.offset, source.bytes));
  }
  return sum;
}

}  // namespace

extern "C" int torchada_adapter_cudaChooseDevice(int* device, const void* wanted) {
  int count = 0;
  if (const int status = told("cudaChooseDevice", musaGetDeviceCount(&count))) return status;
  if (!device || !wanted) return fail(kInvalidValue);
  int best = 0, best_fit = -1;
  for (int i = 0; i < count; ++i) {
    char present[kSize];
    if (const int status = kTell(present, i)) return status;
    const int found = fit(static_cast<const char*>(wanted), present);
    if (found <= best_fit) continue;
    best = i;
    best_fit = found;
  }
  *device = best;
  return 0;
}
