// Pages for the simulated devices.
#pragma once

#include <cstddef>
#include <memory>

#include "src/host/musa/runtime.h"

namespace musa {

// Pages at addresses that are free, in `file` unless that is null. Base 0 if there are none.
Mapping map_anywhere(std::size_t size, const std::shared_ptr<SharedFile>& file);
// Frees pages as soon as no copy uses them. Does not wait for active host functions, which may take
// any time: the pages outlive them. The table must no longer contain them.
void retire_pages(Runtime& runtime, const Mapping& mapping);
// The same, for pages that were counted against the device.
void unmap_pages(Runtime& runtime, Device& device, const Mapping& mapping);

}  // namespace musa
