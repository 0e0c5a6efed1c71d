#include "src/host/musa/mapping.h"

#include <unistd.h>

namespace musa {

std::size_t round_to_pages(std::size_t size) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (size > SIZE_MAX - (page - 1)) return 0;
  return (size + page - 1) / page * page;
}

}  // namespace musa
