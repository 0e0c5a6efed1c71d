#include "src/host/musa/pages.h"

#include <sys/mman.h>

#include "src/host/musa/page_runs.h"

namespace musa {

Mapping map_anywhere(std::size_t size, const std::shared_ptr<SharedFile>& file) {
  Mapping mapping;
  if (size <= PageRuns::kLargest) mapping = page_runs().take(size, file);
  if (mapping.base != 0) return mapping;
  mapping = {0, size, file, 0};
  if (file != nullptr) {
    mapping.base = file->map_new(size, &mapping.offset);
    return mapping;
  }
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages != MAP_FAILED) mapping.base = reinterpret_cast<std::uintptr_t>(pages);
  return mapping;
}

void retire_pages(Runtime& runtime, const Mapping& mapping) {
  runtime.allocations.mark_freed(mapping.base, mapping.size);
  runtime.gate.retire([&runtime, mapping] {
    const bool emptied =
        mapping.file == nullptr || mapping.file->release(mapping.offset, mapping.size);
    runtime.allocations.quarantine(mapping.base, mapping.size, emptied && !mapping.exported);
  });
}

void unmap_pages(Runtime& runtime, Device& device, const Mapping& mapping) {
  retire_pages(runtime, mapping);
  device.release_memory(mapping.size);
}

}  // namespace musa
