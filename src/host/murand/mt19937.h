#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/host/murand/mt19937_jump.h"
#include "src/host/murand/origin.h"

namespace host_murand {

// Matsumoto and Nishimura's MT19937 (1998) as 8192 engines, each 2^2048 steps after the one before
// it. The sequence runs across all columns and starts again at the first. An engine serves eight
// neighbouring columns: it gives them its words 624 at a time, in a special order.
class Mt19937 {
 public:
  Mt19937() { engines_.reserve(kEngines); }

  void start(const Origin& origin);

  // Calls take(word) for `count` words of the sequence. The position must not lie before those of
  // earlier calls.
  template <typename Take>
  void words(std::uint64_t position, std::size_t count, Take take) {
    while (count != 0) {
      const std::size_t column = position % kColumns;
      const std::uint64_t row = position / kColumns;
      const std::size_t some = std::min<std::size_t>(count, kShare - column % kShare);
      const MtState& words = block(column / kShare, row / kRows);
      for (std::size_t i = 0; i < some; ++i) {
        take(temper(words[index_of(row % kRows, column % kShare + i)]));
      }
      position += some;
      count -= some;
    }
  }

 private:
  static constexpr std::size_t kEngines = 8192;
  static constexpr std::size_t kShare = 8;
  static constexpr std::size_t kColumns = kEngines * kShare;
  static constexpr std::size_t kRows = kMtWords / kShare;

  struct Engine {
    MtState words;
    std::uint64_t next = 0;  // the block to make next
  };

  // The words of the engine in this block.
  const MtState& block(std::size_t engine, std::uint64_t number);

  // Which word of a block column `column` of an engine takes in row `row`. The words of the first
  // row come from all over the block. The other rows take the rest in order, seven consecutive
  // words for each column.
  static std::size_t index_of(std::size_t row, std::size_t column) {
    constexpr std::size_t kFirst[kShare] = {0, 113, 170, 283, 340, 397, 510, 567};
    if (row == 0) return kFirst[column];
    std::size_t index = (row - 1) / 7 * 56 + column * 7 + (row - 1) % 7;
    for (const std::size_t taken : kFirst) index += index >= taken ? 1 : 0;
    return index;
  }

  static std::uint32_t temper(std::uint32_t word) {
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680U;
    word ^= word << 15 & 0xefc60000U;
    return word ^ word >> 18;
  }

  std::vector<Engine> engines_;  // only those needed so far
  MtState last_start_{};         // where the last of them started
};

}  // namespace host_murand
