// Errors of a device's memory.
#include "stubs/nvml/structs.h"
#include "stubs/nvml/via.h"
#include "stubs/reporting/refusal.h"
#include "stubs/system/mapped_memory.h"

namespace {

using torchada::fail;
using torchada::Function;
using torchada::outcome;
using torchada::nvml::get;
using torchada::nvml::in_part;
using torchada::nvml::kMemory;
using torchada::nvml::kSuccess;
using torchada::nvml::with_device;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

int enabled(bool yes) {
  return static_cast<int>(yes ? cuda::NVML_FEATURE_ENABLED : cuda::NVML_FEATURE_DISABLED);
}

bool counter_to_musa(int counter, int* own) {
  if (counter == cuda::NVML_VOLATILE_ECC) {
    *own = musa::MTML_VOLATILE_ECC;
  } else if (counter == cuda::NVML_AGGREGATE_ECC) {
    *own = musa::MTML_AGGREGATE_ECC;
  } else {
    return false;
  }
  return true;
}

bool error_to_musa(int error, int* own) {
  if (error == cuda::NVML_MEMORY_ERROR_TYPE_CORRECTED) {
    *own = musa::MTML_MEMORY_ERROR_TYPE_CORRECTED;
  } else if (error == cuda::NVML_MEMORY_ERROR_TYPE_UNCORRECTED) {
    *own = musa::MTML_MEMORY_ERROR_TYPE_UNCORRECTED;
  } else {
    return false;
  }
  return true;
}

// MTML's header has one location, the device's memory.
int count_errors(const Function& function, void* device, int error, int counter,
                 unsigned long long* count) {
  int own_error = 0, own_counter = 0;
  if (!count || !error_to_musa(error, &own_error) || !counter_to_musa(counter, &own_counter)) {
    return fail(torchada::kInvalid);
  }
  unsigned long long told = 0;
  const int status = in_part(device, kMemory, [&](void* memory) {
    return mtmlMemoryGetEccErrorCounter(memory, own_error, own_counter,
                                        musa::MTML_MEMORY_LOCATION_DRAM, &told);
  });
  if (status) return outcome(function, status);
  *count = told;
  return kSuccess;
}

bool cause_to_musa(int cause, int* own) {
  if (cause == cuda::NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS) {
    *own = musa::MTML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS;
  } else if (cause == cuda::NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR) {
    *own = musa::MTML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR;
  } else {
    return false;
  }
  return true;
}

// The pages that were retired for one cause, in `pages` of `room`; `count` gets their number.
int read_pages(void* memory, int cause, char* pages, unsigned room, unsigned* count) {
  char counts[musa::sizeof_MtmlPageRetirementCount] = {};
  if (const int status = mtmlMemoryGetRetiredPagesCount(memory, counts)) return status;
  const bool is_double = cause == musa::MTML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR;
  *count = get<unsigned>(counts, is_double ? musa::MtmlPageRetirementCount_dbeCount
                                           : musa::MtmlPageRetirementCount_sbeCount);
  if (*count == 0 || *count > room) return kSuccess;
  return mtmlMemoryGetRetiredPages(memory, cause, *count, pages);
}

}  // namespace

int torchada::via::pages(const Function& function, void* device, int cause, void* number,
                         void* first_address, void* first_time) {
  auto* const count = static_cast<unsigned*>(number);
  auto* const addresses = static_cast<unsigned long long*>(first_address);
  auto* const times = static_cast<unsigned long long*>(first_time);
  return with_device(device, [&](void* asked) {
    int own = 0;
    if (!count || !cause_to_musa(cause, &own)) return fail(torchada::kInvalid);
    const unsigned room = addresses ? *count : 0;
    const torchada::MappedMemory pages((size_t{room} + 1) * musa::sizeof_MtmlPageRetirement);
    if (!pages.data()) return torchada::nvml::fail_with(cuda::NVML_ERROR_MEMORY);
    unsigned found = 0;
    const int status = in_part(asked, kMemory, [&](void* memory) {
      return read_pages(memory, own, pages.data(), room, &found);
    });
    if (status) return outcome(function, status);
    *count = found;
    if (found > room) return torchada::nvml::fail_with(cuda::NVML_ERROR_INSUFFICIENT_SIZE);
    for (unsigned i = 0; i < found; ++i) {
      const char* const page = pages.data() + size_t{i} * musa::sizeof_MtmlPageRetirement;
      addresses[i] = get<unsigned long long>(page, musa::MtmlPageRetirement_address);
      if (times) times[i] = get<unsigned long long>(page, musa::MtmlPageRetirement_timestamps);
    }
    return kSuccess;
  });
}

extern "C" {

int torchada_adapter_nvmlDeviceGetEccMode(void* device, int* current, int* pending) {
  const auto function = TORCHADA_NVML(DeviceGetEccMode, MemoryGetEccMode);
  return with_device(device, [&](void* asked) {
    if (!current || !pending) return fail(torchada::kInvalid);
    int now = 0, later = 0;
    const int status = in_part(
        asked, kMemory, [&](void* memory) { return mtmlMemoryGetEccMode(memory, &now, &later); });
    if (status) return outcome(function, status);
    *current = enabled(now == musa::MTML_MEMORY_ECC_ENABLE);
    *pending = enabled(later == musa::MTML_MEMORY_ECC_ENABLE);
    return kSuccess;
  });
}

int torchada_adapter_nvmlDeviceSetEccMode(void* device, int mode) {
  const auto function = TORCHADA_NVML(DeviceSetEccMode, MemorySetEccMode);
  return with_device(device, [&](void* asked) {
    if (mode != cuda::NVML_FEATURE_ENABLED && mode != cuda::NVML_FEATURE_DISABLED) {
      return fail(torchada::kInvalid);
    }
    const int own = mode == cuda::NVML_FEATURE_ENABLED ? musa::MTML_MEMORY_ECC_ENABLE
                                                       : musa::MTML_MEMORY_ECC_DISABLE;
    return outcome(function, in_part(asked, kMemory, [&](void* memory) {
                     return mtmlMemorySetEccMode(memory, own);
                   }));
  });
}

int torchada_adapter_nvmlDeviceGetMemoryErrorCounter(void* device, int error, int counter,
                                                     int location, unsigned long long* count) {
  const auto function = TORCHADA_NVML(DeviceGetMemoryErrorCounter, MemoryGetEccErrorCounter);
  return with_device(device, [&](void* asked) {
    if (location == cuda::NVML_MEMORY_LOCATION_DEVICE_MEMORY) {
      return count_errors(function, asked, error, counter, count);
    }
    if (location < 0 || location >= cuda::NVML_MEMORY_LOCATION_COUNT) {
      return fail(torchada::kInvalid);
    }
    constexpr unsigned kLocation = 3;  // Parameter.
    return torchada::refuse_enumerator("nvmlDeviceGetMemoryErrorCounter", kLocation, location,
                                       "MTML counts errors of the device's memory alone",
                                       torchada::kUnsupported);
  });
}

int torchada_adapter_nvmlDeviceClearEccErrorCounts(void* device, int counter) {
  const auto function = TORCHADA_NVML(DeviceClearEccErrorCounts, MemoryClearEccErrorCounts);
  return with_device(device, [&](void* asked) {
    int own = 0;
    if (!counter_to_musa(counter, &own)) return fail(torchada::kInvalid);
    return outcome(function, in_part(asked, kMemory, [&](void* memory) {
                     return mtmlMemoryClearEccErrorCounts(memory, own);
                   }));
  });
}

int torchada_adapter_nvmlDeviceGetRetiredPagesPendingStatus(void* device, int* is_pending) {
  const auto function =
      TORCHADA_NVML(DeviceGetRetiredPagesPendingStatus, MemoryGetRetiredPagesPendingStatus);
  return torchada::nvml::tell_of(
      function, kMemory, device, is_pending, [](void* memory, int* answer) {
        int told = 0;
        const int status = mtmlMemoryGetRetiredPagesPendingStatus(memory, &told);
        *answer = enabled(told == musa::MTML_RETIRED_PAGES_PENDING_STATE_TRUE);
        return status;
      });
}

}  // extern "C"
