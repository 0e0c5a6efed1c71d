// Pages of the process that serve as memory of a device.
#ifndef TORCHADA_HOST_MUSART_MAPPING_H_
#define TORCHADA_HOST_MUSART_MAPPING_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "src/host/musart/shared_file.h"

namespace musart {

struct Mapping {
  std::uintptr_t base = 0;
  std::size_t size = 0;  // whole pages
  // The position in the file, if other processes may map the pages.
  std::shared_ptr<SharedFile> file;
  std::uint64_t offset = 0;
};

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_MAPPING_H_
