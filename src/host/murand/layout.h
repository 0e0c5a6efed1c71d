// How the numbers of a call are distributed over a generator.
//
// A generator has many lanes. Its sequence takes one unit (what a distribution makes from the next
// words of one lane) from each lane in turn and then starts again at the first lane. A lane
// continues where it stopped, so its numbers depend on the earlier calls. cuRAND's host generators
// work the same way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "src/host/murand/philox.h"

namespace host_murand {

// convert(words, out) makes kNumbers numbers from kWords words. n is a multiple of kNumbers.
template <int kWords, int kNumbers, typename Lanes, typename Number, typename Convert>
void fill_from_lanes(Lanes& lanes, std::uint64_t position, Number* out, std::size_t n,
                     Convert convert) {
  constexpr std::size_t kBatch = 512;
  for (std::size_t units = n / kNumbers; units != 0;) {
    const std::size_t lane = position % Lanes::kLanes;
    const std::size_t count = std::min({kBatch, Lanes::kLanes - lane, units});
    std::uint32_t words[kWords][kBatch];
    lanes.template next<kWords>(lane, count, words[0], kBatch);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t unit[kWords];
      for (int k = 0; k < kWords; ++k) unit[k] = words[k][i];
      convert(unit, out + i * kNumbers);
    }
    out += count * kNumbers;
    position += count;
    units -= count;
  }
}

// A lane of Philox makes four numbers from one or two blocks before the next lane has its turn. It
// moves on after the fourth number.
template <int kWords, int kNumbers, typename Number, typename Convert>
void fill_from_philox(Philox& philox, std::uint64_t position, Number* out, std::size_t n,
                      Convert convert) {
  constexpr std::size_t kRows = kWords / kNumbers;
  constexpr std::size_t kBatch = 128;
  while (n != 0) {
    const std::size_t lane = position / 4 % Philox::kLanes;
    const std::size_t skip = position % 4;
    const std::size_t lanes = std::min({kBatch, Philox::kLanes - lane, (n + skip + 3) / 4});
    const std::size_t count = std::min(n, lanes * 4 - skip);

    std::uint32_t words[kRows][kBatch * 4];
    philox.peek<kRows>(lane, lanes, words[0], kBatch * 4);
    philox.pass(lane, (skip + count) / 4, kRows);
    Number spare[kBatch * 4];
    Number* const to = count == lanes * 4 ? out : spare;
    for (std::size_t i = 0; i < lanes; ++i) {
      std::uint32_t blocks[kRows * 4];
      for (std::size_t k = 0; k < kRows; ++k) std::copy_n(&words[k][i * 4], 4, &blocks[k * 4]);
      for (int k = 0; k < 4 / kNumbers; ++k) {
        convert(blocks + k * kWords, to + i * 4 + k * kNumbers);
      }
    }
    if (to == spare) std::copy_n(spare + skip, count, out);
    out += count;
    position += count;
    n -= count;
  }
}

}  // namespace host_murand
