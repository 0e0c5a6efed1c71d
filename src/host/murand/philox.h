#pragma once

#include <cstddef>
#include <cstdint>

namespace host_murand {

// Philox4x32-10 as one endless sequence of 32 bit words: word i is lane i % 4 of counter i / 4.
class Philox {
 public:
  Philox(std::uint64_t seed, std::uint64_t position) : seed_(seed), position_(position) {}

  std::uint32_t next();

 private:
  std::uint64_t seed_;
  std::uint64_t position_;
  std::uint32_t block_[4] = {};
  bool block_is_current_ = false;
};

}  // namespace host_murand
