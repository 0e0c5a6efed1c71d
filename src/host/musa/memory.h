// Gets pages for the simulated devices and frees them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/host/musa/runtime.h"

namespace musa {

// Whether every page of the range is mapped in this process. `bytes` is not 0.
bool is_mapped(const void* start, std::size_t bytes);

// Waits for the work of all devices that can reach the allocation.
musaError_t wait_for_users(Runtime& runtime, const Allocation& allocation);

// Allocates for musaMalloc and its relatives, and for page-locked host memory.
musaError_t allocate(Runtime& runtime, MemoryKind kind, std::size_t size, unsigned int host_flags,
                     void** pointer);
// Destroys one allocation of any kind. The device's work must be done.
void discard(Runtime& runtime, const Allocation& allocation);
// Frees the allocation at `pointer` if `accept` allows its kind. Waits for the device's work first.
musaError_t free_allocation(Runtime& runtime, void* pointer, bool (*accept)(MemoryKind));

// Fills `height` rows of `width` elements of 1, 2 or 4 bytes. The pitch is in bytes.
musaError_t memset_elements(void* pointer, std::size_t pitch, unsigned int value,
                            unsigned int element, std::size_t width, std::size_t height);
musaError_t memset_elements_async(void* pointer, std::size_t pitch, unsigned int value,
                                  unsigned int element, std::size_t width, std::size_t height,
                                  musaStream_t stream);

}  // namespace musa
