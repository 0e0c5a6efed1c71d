#pragma once

#include <cstdint>

namespace host_murand {

// Where the lanes of a generator start.
struct Origin {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

}  // namespace host_murand
