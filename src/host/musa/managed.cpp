// Managed memory. The CPU always reaches all of it, so moving it and giving advice change nothing.
// The calls check their arguments as a device does, and keep the advice to be read back.
#include <algorithm>
#include <cstring>
#include <optional>

#include "src/host/musa/graph/capture.h"
#include "src/host/musa/memory.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/page_advice.h"
#include "src/host/musa/stream_handles.h"

namespace musa {
namespace {

// A device of the runtime, or the CPU (-1).
bool is_location(Runtime& runtime, int device) {
  return device == musaCpuDeviceId || runtime.device(device) != nullptr;
}

// Managed memory, or memory of the program: the device reaches all of it
// (musaDevAttrPageableMemoryAccess).
musaError_t check_range(Runtime& runtime, const void* pointer, std::size_t size, bool* managed) {
  const auto found = runtime.allocations.find(pointer);
  *managed = found && found->kind == MemoryKind::kManaged;
  if (size == 0) return musaErrorInvalidValue;
  if (*managed) {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(pointer) - found->base;
    return size <= found->size - offset ? musaSuccess : musaErrorInvalidValue;
  }
  const bool usable = runtime.allocations.examine(pointer, size, runtime.current_ordinal()) ==
                          AllocationTable::Range::kUnknown &&
                      is_mapped(pointer, size);
  return usable ? musaSuccess : musaErrorInvalidValue;
}

// Calls `use` for the advice and the pages of a range in managed memory. A page of which a part is
// named counts as a whole.
template <typename Use>
void with_pages(Runtime& runtime, const void* pointer, std::size_t size, Use&& use) {
  runtime.allocations.with(pointer, [&](Allocation& allocation) {
    if (allocation.advice == nullptr) allocation.advice = std::make_shared<PageAdvice>();
    const std::size_t page = round_to_pages(1);
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(pointer) - allocation.base;
    use(*allocation.advice, offset / page, (offset + size + page - 1) / page);
  });
}

musaError_t read_devices(const std::set<int>& devices, void* data, std::size_t data_size) {
  if (data_size == 0 || data_size % sizeof(int) != 0) return musaErrorInvalidValue;
  std::vector<int> listed(data_size / sizeof(int), musaInvalidDeviceId);
  std::copy_n(devices.begin(), std::min(devices.size(), listed.size()), listed.begin());
  std::memcpy(data, listed.data(), data_size);
  return musaSuccess;
}

// The device of a location; false if the location names none. All parts of the host count as the
// same.
bool device_of(const musaMemLocation& location, int* device) {
  switch (location.type) {
    case musaMemLocationTypeDevice:
      *device = location.id;
      return location.id >= 0;
    case musaMemLocationTypeHost:
    case musaMemLocationTypeHostNuma:
    case musaMemLocationTypeHostNumaCurrent:
      *device = musaCpuDeviceId;
      return true;
    default:
      return false;
  }
}

musaMemLocationType type_of(int device) {
  if (device == musaInvalidDeviceId) return musaMemLocationTypeInvalid;
  return device == musaCpuDeviceId ? musaMemLocationTypeHost : musaMemLocationTypeDevice;
}

bool give(Advice* pages, musaMemoryAdvise advice, int device) {
  switch (advice) {
    case musaMemAdviseSetReadMostly:
    case musaMemAdviseUnsetReadMostly:
      pages->read_mostly = advice == musaMemAdviseSetReadMostly;
      return true;
    case musaMemAdviseSetPreferredLocation:
      pages->preferred_location = device;
      return true;
    case musaMemAdviseUnsetPreferredLocation:
      pages->preferred_location = musaInvalidDeviceId;
      return true;
    case musaMemAdviseSetAccessedBy:
      pages->accessed_by.insert(device);
      return true;
    case musaMemAdviseUnsetAccessedBy:
      pages->accessed_by.erase(device);
      return true;
    default:
      return false;
  }
}

}  // namespace

musaError_t malloc_managed(void** devPtr, size_t size, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (devPtr == nullptr || (flags != musaMemAttachGlobal && flags != musaMemAttachHost)) {
      return musaErrorInvalidValue;
    }
    return allocate(runtime, MemoryKind::kManaged, size, flags, devPtr);
  });
}

musaError_t mem_prefetch_async(const void* devPtr, size_t count, int dstDevice,
                               musaStream_t stream) {
  return in_stream(stream, [&](Runtime& runtime, const auto& found) {
    MUSA_RETURN_IF_ERROR(refuse_if_capturing(*found));
    bool managed = false;
    MUSA_RETURN_IF_ERROR(check_range(runtime, devPtr, count, &managed));
    if (!is_location(runtime, dstDevice)) return musaErrorInvalidDevice;
    if (managed) {
      with_pages(
          runtime, devPtr, count, [&](PageAdvice& advice, std::size_t first, std::size_t end) {
            advice.change(first, end, [&](Advice& pages) { pages.last_prefetch = dstDevice; });
          });
    }
    return musaSuccess;
  });
}

musaError_t mem_advise(const void* devPtr, size_t count, enum musaMemoryAdvise advice, int device) {
  return api([&](Runtime& runtime) {
    bool managed = false;
    MUSA_RETURN_IF_ERROR(check_range(runtime, devPtr, count, &managed));
    const bool names_device =
        advice >= musaMemAdviseSetPreferredLocation && advice <= musaMemAdviseUnsetAccessedBy;
    if (names_device && advice != musaMemAdviseUnsetPreferredLocation &&
        !is_location(runtime, device)) {
      return musaErrorInvalidDevice;
    }
    Advice trial;
    if (!give(&trial, advice, device)) return musaErrorInvalidValue;
    if (managed) {
      with_pages(runtime, devPtr, count,
                 [&](PageAdvice& pages, std::size_t first, std::size_t end) {
                   pages.change(first, end, [&](Advice& each) { give(&each, advice, device); });
                 });
    }
    return musaSuccess;
  });
}

musaError_t mem_range_get_attribute(void* data, size_t dataSize,
                                    enum musaMemRangeAttribute attribute, const void* devPtr,
                                    size_t count) {
  return api([&](Runtime& runtime) {
    if (data == nullptr) return musaErrorInvalidValue;
    bool managed = false;
    MUSA_RETURN_IF_ERROR(check_range(runtime, devPtr, count, &managed));
    if (!managed) return musaErrorInvalidValue;
    Advice range;
    with_pages(runtime, devPtr, count, [&](PageAdvice& pages, std::size_t first, std::size_t end) {
      range = pages.common(first, end);
    });
    int value = 0;
    switch (attribute) {
      case musaMemRangeAttributeReadMostly:
        value = range.read_mostly ? 1 : 0;
        break;
      case musaMemRangeAttributePreferredLocationType:
        value = type_of(range.preferred_location);
        break;
      case musaMemRangeAttributePreferredLocation:
      case musaMemRangeAttributePreferredLocationId:
        value = range.preferred_location;
        break;
      case musaMemRangeAttributeLastPrefetchLocationType:
        value = type_of(range.last_prefetch);
        break;
      case musaMemRangeAttributeLastPrefetchLocation:
      case musaMemRangeAttributeLastPrefetchLocationId:
        value = range.last_prefetch;
        break;
      case musaMemRangeAttributeAccessedBy:
        return read_devices(range.accessed_by, data, dataSize);
      default:
        return musaErrorInvalidValue;
    }
    if (dataSize != sizeof(value)) return musaErrorInvalidValue;
    std::memcpy(data, &value, sizeof(value));
    return musaSuccess;
  });
}

musaError_t stream_attach_mem_async(musaStream_t stream, void* devPtr, size_t length,
                                    unsigned int flags) {
  return in_stream(stream, [&](Runtime& runtime, const auto& attached) {
    MUSA_RETURN_IF_ERROR(refuse_if_capturing(*attached));
    if (flags != musaMemAttachGlobal && flags != musaMemAttachHost &&
        flags != musaMemAttachSingle) {
      return musaErrorInvalidValue;
    }
    // Memory cannot be attached to a default stream, which everybody uses.
    if (flags == musaMemAttachSingle && (stream == nullptr || stream == musaStreamLegacy)) {
      return musaErrorInvalidValue;
    }
    bool managed = false;
    const musaError_t status = check_range(runtime, devPtr, length, &managed);
    if (!managed) return status;
    const auto found = runtime.allocations.find(devPtr);
    const bool whole = found && found->base == reinterpret_cast<std::uintptr_t>(devPtr) &&
                       (length == 0 || length == found->size);
    return whole ? musaSuccess : musaErrorInvalidValue;
  });
}

musaError_t mem_range_get_attributes(void** data, size_t* dataSizes,
                                     enum musaMemRangeAttribute* attributes, size_t numAttributes,
                                     const void* devPtr, size_t count) {
  if (data == nullptr || dataSizes == nullptr || attributes == nullptr || numAttributes == 0) {
    return musaErrorInvalidValue;
  }
  for (size_t i = 0; i < numAttributes; ++i) {
    MUSA_RETURN_IF_ERROR(
        mem_range_get_attribute(data[i], dataSizes[i], attributes[i], devPtr, count));
  }
  return musaSuccess;
}

musaError_t mem_prefetch_async_v2(const void* devPtr, size_t count, struct musaMemLocation location,
                                  unsigned int flags, musaStream_t stream) {
  int device = musaInvalidDeviceId;
  if (flags != 0 || !device_of(location, &device)) {
    return musaErrorInvalidValue;
  }
  return mem_prefetch_async(devPtr, count, device, stream);
}

musaError_t mem_advise_v2(const void* devPtr, size_t count, enum musaMemoryAdvise advice,
                          struct musaMemLocation location) {
  // Other advice ignores the location.
  const bool names_place = advice == musaMemAdviseSetPreferredLocation ||
                           advice == musaMemAdviseSetAccessedBy ||
                           advice == musaMemAdviseUnsetAccessedBy;
  int device = musaCpuDeviceId;
  if (names_place && !device_of(location, &device)) {
    return musaErrorInvalidValue;
  }
  return mem_advise(devPtr, count, advice, device);
}

}  // namespace musa
