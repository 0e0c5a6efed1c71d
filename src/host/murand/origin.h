#pragma once

#include <murand.h>

#include <cstdint>

namespace host_murand {

// Where the lanes of a generator begin.
struct Origin {
  std::uint64_t seed = 0;
  murandOrdering_t ordering = MURAND_ORDERING_PSEUDO_DEFAULT;
  std::uint64_t offset = 0;
  unsigned dimensions = 1;  // of quasi-random generators
};

}  // namespace host_murand
