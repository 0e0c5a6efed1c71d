#pragma once

#include <array>
#include <cstdint>

namespace host_murand {

// Marsaglia's xorwow ("Xorshift RNGs", 2003): a xorshift of five words plus a Weyl sequence. Seed 0
// starts from the state printed in the paper.
class Xorwow {
 public:
  using Words = std::array<std::uint32_t, 5>;

  Xorwow(std::uint64_t seed, std::uint64_t position);

  std::uint32_t next();

 private:
  Words words_;
  std::uint32_t weyl_;
};

}  // namespace host_murand
