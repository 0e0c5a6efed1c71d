// Pages of the process that serve as memory of a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "src/host/musa/shared_file.h"

namespace musa {

struct Mapping {
  std::uintptr_t base = 0;
  std::size_t size = 0;  // whole pages
  // The position in the file, if other processes may map the pages.
  std::shared_ptr<SharedFile> file;
  std::uint64_t offset = 0;
  bool exported = false;  // another process may have mapped them
};

// 0 if that exceeds the address space.
std::size_t round_to_pages(std::size_t size);

}  // namespace musa
