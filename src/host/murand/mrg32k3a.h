#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/host/murand/origin.h"

namespace host_murand {

// L'Ecuyer's MRG32k3a ("Good parameters and implementations for combined multiple recursive random
// number generators", 1999) in parallel lanes. Lane i starts 2^76 steps after lane i - 1.
class Mrg32k3a {
 public:
  static constexpr std::size_t kLanes = 81920;
  static constexpr std::uint64_t kModulus = 4294967087;
  using Vector = std::array<std::uint64_t, 3>;

  void start(const Origin& origin);

  // The next numbers, 1 to kModulus, of the lanes first to first + count - 1. Number i of each lane
  // goes to out[i * stride] and following.
  template <int kWords>
  void next(std::size_t first, std::size_t count, std::uint32_t* out, std::size_t stride);

 private:
  struct Lane {
    std::uint32_t first[3];
    std::uint32_t second[3];
  };
  std::vector<Lane> lanes_ = std::vector<Lane>(kLanes);
};

}  // namespace host_murand
