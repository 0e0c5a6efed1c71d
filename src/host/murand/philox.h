#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/host/murand/origin.h"

namespace host_murand {

// Philox4x32-10 as 65536 lanes of four words: row r of lane l is the block of counter (r, l).
class Philox {
 public:
  static constexpr std::size_t kLanes = 65536;

  void start(const Origin& origin);

  // Copies the next kRows blocks of four words of the lanes first to first + count - 1. Block i of
  // each lane goes to out[i * stride] and following. Only pass() moves the lanes on.
  template <int kRows>
  void peek(std::size_t first, std::size_t count, std::uint32_t* out, std::size_t stride) const;
  void pass(std::size_t first, std::size_t count, std::uint64_t rows);

 private:
  std::uint64_t seed_ = 0;
  std::vector<std::uint64_t> row_ = std::vector<std::uint64_t>(kLanes);
};

}  // namespace host_murand
