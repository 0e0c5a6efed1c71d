#include "src/host/musa/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "src/host/musa/array.h"
#include "src/host/musa/device_properties.h"
#include "src/host/musa/event.h"
#include "src/host/musa/functions.h"
#include "src/host/musa/graph/capture.h"
#include "src/host/musa/memory.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/pci_bus_id.h"
#include "src/host/musa/pool.h"
#include "src/host/musa/stream_handles.h"

namespace musa {
namespace {

constexpr unsigned int kInitFlagsAreValid = 0x01;

// A program can ask for at most one way of waiting. All of them work the same here.
bool are_device_flags(unsigned int flags) {
  constexpr unsigned int kKnown =
      musaDeviceScheduleMask | musaDeviceMapHost | musaDeviceLmemResizeToMax;
  const unsigned int schedule = flags & musaDeviceScheduleMask;
  return (flags & ~kKnown) == 0 && (schedule & (schedule - 1)) == 0;
}

std::size_t* limit_of(Limits& limits, musaLimit limit) {
  switch (limit) {
    case musaLimitStackSize:
      return &limits.stack_size;
    case musaLimitPrintfFifoSize:
      return &limits.printf_fifo_size;
    case musaLimitMallocHeapSize:
      return &limits.malloc_heap_size;
    case musaLimitDevRuntimeSyncDepth:
      return &limits.sync_depth;
    case musaLimitDevRuntimePendingLaunchCount:
      return &limits.pending_launches;
    case musaLimitMaxL2FetchGranularity:
      return &limits.l2_fetch_granularity;
    case musaLimitPersistingL2CacheSize:
      return &limits.persisting_l2_size;
  }
  return nullptr;
}

// What CUDA documents for its limits: musaErrorInvalidValue beyond the largest value that there is,
// musaErrorMemoryAllocation if the device has no memory for what would be reserved.
musaError_t check_limit(const Device& device, musaLimit limit, std::size_t value) {
  constexpr std::size_t kMostStack = 512U << 10;  // The local memory of a thread.
  constexpr std::size_t kMostLevels = 24;
  constexpr std::size_t kMostFetched = 128;
  const bool fits = value <= device.properties.totalGlobalMem;
  switch (limit) {
    case musaLimitStackSize:
      return value <= kMostStack ? musaSuccess : musaErrorInvalidValue;
    case musaLimitDevRuntimeSyncDepth:
      return value <= kMostLevels ? musaSuccess : musaErrorInvalidValue;
    case musaLimitMaxL2FetchGranularity:
      return value <= kMostFetched ? musaSuccess : musaErrorInvalidValue;
    case musaLimitPrintfFifoSize:
    case musaLimitMallocHeapSize:
    case musaLimitDevRuntimePendingLaunchCount:  // At least a byte for each.
      return fits ? musaSuccess : musaErrorMemoryAllocation;
    case musaLimitPersistingL2CacheSize:
      return musaSuccess;  // Only a hint.
  }
  return musaErrorUnsupportedLimit;
}

}  // namespace

musaError_t synchronize(Device& device) {
  MUSA_RETURN_IF_ERROR(refuse_if_device_captures(device));
  const musaError_t status = wait_all(device, device.pending_everywhere());
  release_excess(device.ordinal);
  return status;
}

musaError_t reset(Runtime& runtime, Device& device) {
  if (on_stream_thread()) return musaErrorNotPermitted;
  MUSA_RETURN_IF_ERROR(refuse_if_device_captures(device));
  wait_all(device, device.pending_everywhere());
  const auto is_here = [&](const auto& object) { return object.device() == device.ordinal; };
  for (const auto& stream : stream_handles().take(is_here)) device.remove_stream(stream);
  event_handles().take(is_here);
  forget_modules(primary_context(device.ordinal).get());
  // Mapped virtual memory belongs to no context.
  const auto bases = runtime.allocations.list([&](const Allocation& allocation) {
    return allocation.device == device.ordinal && allocation.kind != MemoryKind::kVirtual;
  });
  forget_textures(device.ordinal);
  forget_surfaces(device.ordinal);
  forget_arrays(device.ordinal);
  for (void* base : bases) {
    const auto taken = runtime.allocations.take(base, [](const Allocation&) { return true; });
    if (taken) discard(runtime, *taken);
  }
  reset_pools(runtime, device);
  const std::lock_guard lock(device.settings_mutex);
  device.limits = Limits{};
  device.cache_config = musaFuncCachePreferNone;
  device.flags = musaDeviceScheduleAuto;
  device.peers.clear();
  device.current_pool = device.default_pool;
  device.fault.store(musaSuccess);
  end_primary(device.ordinal);
  return musaSuccess;
}

namespace {

template <typename Use>
musaError_t with_settings_of(Device& device, Use&& use) {
  const std::lock_guard lock(device.settings_mutex);
  return use(device);
}

template <typename Use>
musaError_t with_settings(Use&& use) {
  return api([&](Runtime& runtime) { return with_settings_of(runtime.chosen(), use); });
}

// The same for what belongs to the context.
template <typename Use>
musaError_t with_settings_of_context(Use&& use) {
  return api([&](Runtime& runtime) { return with_settings_of(runtime.current(), use); });
}

// [domain:]bus:device[.function], in hexadecimal.

}  // namespace

musaError_t get_device_count(int* count) {
  return api_call([&] {
    if (count == nullptr) return musaErrorInvalidValue;
    *count = Runtime::get().device_count();
    return *count > 0 ? musaSuccess : musaErrorNoDevice;
  });
}

musaError_t get_device(int* device) {
  return api([&](Runtime& runtime) {
    if (device == nullptr) return musaErrorInvalidValue;
    *device = runtime.current_ordinal();
    return musaSuccess;
  });
}

musaError_t set_device(int device) {
  // Not api(): a thread whose context was destroyed gets another one in this way.
  return api_call([&]() -> musaError_t {
    Runtime& runtime = Runtime::get();
    if (runtime.device(device) == nullptr) {
      return runtime.devices.empty() ? musaErrorNoDevice : musaErrorInvalidDevice;
    }
    choose_device(device);
    return musaSuccess;
  });
}

musaError_t init_device(int device, unsigned int deviceFlags, unsigned int flags) {
  return api([&](Runtime& runtime) {
    Device* found = runtime.device(device);
    if (found == nullptr) return musaErrorInvalidDevice;
    if ((flags & ~kInitFlagsAreValid) != 0) return musaErrorInvalidValue;
    if (flags != 0) {
      if (!are_device_flags(deviceFlags)) return musaErrorInvalidValue;
      const std::lock_guard lock(found->settings_mutex);
      found->flags = deviceFlags;
    }
    begin_primary(device);
    return musaSuccess;
  });
}

musaError_t device_get_attribute(int* value, enum musaDeviceAttr attr, int device) {
  return api([&](Runtime& runtime) {
    if (value == nullptr) return musaErrorInvalidValue;
    const Device* found = runtime.device(device);
    if (found == nullptr) return musaErrorInvalidDevice;
    return read_attribute(found->properties, attr, value);
  });
}

musaError_t get_device_properties(struct musaDeviceProp* prop, int device) {
  return api([&](Runtime& runtime) {
    if (prop == nullptr) return musaErrorInvalidValue;
    const Device* found = runtime.device(device);
    if (found == nullptr) return musaErrorInvalidDevice;
    *prop = with_processors(found->properties);
    return musaSuccess;
  });
}

musaError_t set_valid_devices(int* devices, int len) {
  return api([&](Runtime& runtime) {
    if (len < 0 || (devices == nullptr && len != 0)) return musaErrorInvalidValue;
    std::vector<int> ordinals(devices, devices + len);
    for (const int ordinal : ordinals) {
      if (runtime.device(ordinal) == nullptr) return musaErrorInvalidDevice;
    }
    runtime.set_valid_devices(std::move(ordinals));
    return musaSuccess;
  });
}

musaError_t device_synchronize() {
  return api([](Runtime& runtime) { return synchronize(runtime.current()); });
}

musaError_t device_reset() {
  return api([](Runtime& runtime) { return reset(runtime, runtime.chosen()); });
}

musaError_t device_get_limit(size_t* value, enum musaLimit limit) {
  return with_settings_of_context([&](Device& device) {
    if (value == nullptr) return musaErrorInvalidValue;
    const size_t* found = limit_of(device.limits, limit);
    if (found == nullptr) return musaErrorUnsupportedLimit;
    *value = *found;
    return musaSuccess;
  });
}

musaError_t device_set_limit(enum musaLimit limit, size_t value) {
  return with_settings_of_context([&](Device& device) {
    size_t* found = limit_of(device.limits, limit);
    if (found == nullptr) return musaErrorUnsupportedLimit;
    MUSA_RETURN_IF_ERROR(check_unsafe_call());
    MUSA_RETURN_IF_ERROR(check_limit(device, limit, value));
    *found = value;
    // A request for more than the device has is met as far as it goes.
    if (limit == musaLimitPersistingL2CacheSize) {
      *found = std::min(value, static_cast<size_t>(device.properties.persistingL2CacheMaxSize));
    }
    return musaSuccess;
  });
}

musaError_t device_get_cache_config(enum musaFuncCache* cacheConfig) {
  return with_settings_of_context([&](Device& device) {
    if (cacheConfig == nullptr) return musaErrorInvalidValue;
    *cacheConfig = device.cache_config;
    return musaSuccess;
  });
}

musaError_t device_set_cache_config(enum musaFuncCache cacheConfig) {
  return with_settings_of_context([&](Device& device) {
    if (cacheConfig < musaFuncCachePreferNone || cacheConfig > musaFuncCachePreferEqual) {
      return musaErrorInvalidValue;
    }
    device.cache_config = cacheConfig;
    return musaSuccess;
  });
}

// The size of the banks is fixed, so setting it does nothing.
musaError_t device_get_shared_mem_config(enum musaSharedMemConfig* config) {
  return api([&](Runtime& runtime) {
    runtime.current();
    if (config == nullptr) return musaErrorInvalidValue;
    *config = musaSharedMemBankSizeFourByte;
    return musaSuccess;
  });
}

musaError_t device_set_shared_mem_config(enum musaSharedMemConfig config) {
  return api([&](Runtime& runtime) {
    runtime.current();
    const bool known =
        config >= musaSharedMemBankSizeDefault && config <= musaSharedMemBankSizeEightByte;
    return known ? musaSuccess : musaErrorInvalidValue;
  });
}

musaError_t get_device_flags(unsigned int* flags) {
  return with_settings([&](Device& device) {
    if (flags == nullptr) return musaErrorInvalidValue;
    const Context* const context = current_context();
    // Of a context that the driver made its own; the runtime's can always map host memory.
    *flags =
        context != nullptr && !context->primary ? context->flags : device.flags | musaDeviceMapHost;
    return musaSuccess;
  });
}

musaError_t set_device_flags(unsigned int flags) {
  return with_settings([&](Device& device) {
    if (!are_device_flags(flags)) return musaErrorInvalidValue;
    device.flags = flags;
    return musaSuccess;
  });
}

musaError_t device_get_pci_bus_id(char* pciBusId, int len, int device) {
  return api([&](Runtime& runtime) {
    if (pciBusId == nullptr || len <= 0) return musaErrorInvalidValue;
    const Device* found = runtime.device(device);
    if (found == nullptr) return musaErrorInvalidDevice;
    const PciAddress at = pci_address(found->properties);
    char text[16];
    const int written = std::snprintf(text, sizeof(text), "%04x:%02x:%02x.0", at.domain & 0xffff,
                                      at.bus & 0xff, at.slot & 0xff);
    if (written >= len) return musaErrorInvalidValue;
    std::memcpy(pciBusId, text, static_cast<size_t>(written) + 1);
    return musaSuccess;
  });
}

musaError_t device_get_by_pci_bus_id(int* device, const char* pciBusId) {
  return api([&](Runtime& runtime) {
    if (device == nullptr || pciBusId == nullptr) return musaErrorInvalidValue;
    PciAddress wanted;
    if (!parse_pci_bus_id(pciBusId, &wanted)) return musaErrorInvalidValue;
    for (const auto& candidate : runtime.devices) {
      if (pci_address(candidate->properties) == wanted) {
        *device = candidate->ordinal;
        return musaSuccess;
      }
    }
    return musaErrorInvalidDevice;
  });
}

}  // namespace musa
