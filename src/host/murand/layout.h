// How the numbers of a call lie in a generator.
//
// A generator is many lanes. Its numbers run across them, one unit (what a distribution makes of
// the next words of one lane) per lane, and begin again at the first lane. A lane goes on where it
// was left, so what it gives depends on what was asked of it before. cuRAND's host generators work
// this way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "philox.h"

namespace host_murand {

// convert(words, out) makes kNumbers numbers of kWords words; n is a multiple of kNumbers.
template <int kWords, int kNumbers, typename Lanes, typename Number, typename Convert>
void fill_from_lanes(Lanes& lanes, std::size_t lane_count, std::uint64_t position, Number* out,
                     std::size_t n, Convert convert) {
  constexpr std::size_t kBatch = 512;
  for (std::size_t units = n / kNumbers; units != 0;) {
    const std::size_t lane = position % lane_count;
    const std::size_t count = std::min({kBatch, lane_count - lane, units});
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

// A lane of Philox makes four numbers of one or two blocks before it is the turn of the next, and
// moves on when the fourth has been made.
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
