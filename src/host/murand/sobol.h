#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "src/host/murand/origin.h"

namespace host_murand {

inline constexpr unsigned kMaxDimensions = 20000;

// Sobol's sequence in Gray code order (Antonov and Saleev) with Joe and Kuo's direction numbers.
template <typename Word>
class Sobol {
 public:
  static constexpr int kBits = std::numeric_limits<Word>::digits;

  // Prepares the dimensions of the origin. Points are then computed from their index.
  void start(const Origin& origin);

  // Calls take(word) for consecutive points. The first has the number `index`.
  template <typename Take>
  void points(std::size_t dimension, std::uint64_t index, std::size_t count, Take take) const {
    const Directions& directions = directions_[dimension];
    auto number = static_cast<Word>(index);  // wraps around after all points
    const Word gray = number ^ (number >> 1);
    Word word = 0;
    for (int bit = 0; bit < kBits; ++bit) {
      if (gray >> bit & 1U) word ^= directions[bit];
    }
    for (std::size_t i = 0; i < count; ++i) {
      take(word);
      int bit = 0;  // the bit that differs in the Gray code of the next number
      while (bit < kBits - 1 && (number >> bit & 1U)) ++bit;
      word ^= directions[bit];
      ++number;
    }
  }

 private:
  using Directions = std::array<Word, kBits>;
  std::vector<Directions> directions_;
};

}  // namespace host_murand
