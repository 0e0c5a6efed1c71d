#include "src/host/mtml/call.h"

namespace mtml {
namespace {

// In percent, rounded down.
std::optional<std::uint64_t> share_in_use(int index) {
  const auto used = memory_in_use(index);
  const std::uint64_t total = properties(index).totalGlobalMem;
  if (!used || total == 0) return std::nullopt;
  return *used * 100 / total;
}

}  // namespace
}  // namespace mtml

using mtml::give;
using mtml::give_if_known;
using mtml::not_supported;

MtmlReturn mtmlMemoryGetTotal(const MtmlMemory* memory, unsigned long long* total) {
  return give(memory, total, [](int index) { return mtml::properties(index).totalGlobalMem; });
}

MtmlReturn mtmlMemoryGetUsed(const MtmlMemory* memory, unsigned long long* used) {
  return give_if_known(memory, used, mtml::memory_in_use);
}

// Page-locked memory is the CPU's: no device counts it.
MtmlReturn mtmlMemoryGetUsedSystem(const MtmlMemory* memory, unsigned long long* used) {
  return give(memory, used, [](int) { return 0; });
}

MtmlReturn mtmlMemoryGetUtilization(const MtmlMemory* memory, unsigned int* utilization) {
  return give_if_known(memory, utilization, mtml::share_in_use);
}

MtmlReturn mtmlMemoryGetClock(const MtmlMemory* memory, unsigned int* megahertz) {
  return not_supported(memory, megahertz);
}

MtmlReturn mtmlMemoryGetMaxClock(const MtmlMemory* memory, unsigned int* megahertz) {
  return not_supported(memory, megahertz);
}

MtmlReturn mtmlMemoryGetBusWidth(const MtmlMemory* memory, unsigned int* bits) {
  return not_supported(memory, bits);
}

MtmlReturn mtmlMemoryGetBandwidth(const MtmlMemory* memory, unsigned int* bandwidth) {
  return not_supported(memory, bandwidth);
}

MtmlReturn mtmlMemoryGetSpeed(const MtmlMemory* memory, unsigned int* speed) {
  return not_supported(memory, speed);
}

MtmlReturn mtmlMemoryGetVendor(const MtmlMemory* memory, unsigned int /*size*/, char* vendor) {
  return not_supported(memory, vendor);
}

MtmlReturn mtmlMemoryGetType(const MtmlMemory* memory, MtmlMemoryType* type) {
  return not_supported(memory, type);
}

MtmlReturn mtmlMemorySetEccMode(const MtmlMemory* memory, MtmlEccMode /*mode*/) {
  return not_supported(memory);
}

MtmlReturn mtmlMemoryGetEccMode(const MtmlMemory* memory, MtmlEccMode* current,
                                MtmlEccMode* pending) {
  return not_supported(memory, current, pending);
}

MtmlReturn mtmlMemoryGetEccErrorCounter(const MtmlMemory* memory, MtmlMemoryErrorType /*error*/,
                                        MtmlEccCounterType /*counter*/,
                                        MtmlMemoryLocation /*location*/,
                                        unsigned long long* count) {
  return not_supported(memory, count);
}

MtmlReturn mtmlMemoryClearEccErrorCounts(const MtmlMemory* memory, MtmlEccCounterType /*counter*/) {
  return not_supported(memory);
}

MtmlReturn mtmlMemoryGetRetiredPagesCount(const MtmlMemory* memory,
                                          MtmlPageRetirementCount* count) {
  return not_supported(memory, count);
}

MtmlReturn mtmlMemoryGetRetiredPages(const MtmlMemory* memory, MtmlPageRetirementCause /*cause*/,
                                     unsigned int /*count*/, MtmlPageRetirement* pages) {
  return not_supported(memory, pages);
}

MtmlReturn mtmlMemoryGetRetiredPagesPendingStatus(const MtmlMemory* memory,
                                                  MtmlRetiredPagesPendingState* state) {
  return not_supported(memory, state);
}
