#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "src/host/murand/origin.h"

namespace host_murand {

// Marsaglia's xorwow ("Xorshift RNGs", 2003) in parallel lanes. Lane i starts 2^67 steps after lane
// i - 1.
class Xorwow {
 public:
  static constexpr std::size_t kLanes = 4096;
  using Words = std::array<std::uint32_t, 5>;

  Xorwow() : words_(std::tuple_size_v<Words> + 1) {}

  void start(const Origin& origin);

  // The next words of the lanes first to first + count - 1. Word i of each lane goes to
  // out[i * stride] and following.
  template <int kWords>
  void next(std::size_t first, std::size_t count, std::uint32_t* out, std::size_t stride);

 private:
  using Lanes = std::array<std::uint32_t, kLanes>;
  std::vector<Lanes> words_;  // the five words of all lanes and their Weyl sequences
};

}  // namespace host_murand
