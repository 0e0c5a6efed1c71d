// The blocks of Philox, compared with Random123, its inventors' library.
#include <cstdint>
#include <vector>

#ifdef HAVE_RANDOM123
#include <Random123/philox.h>
#endif

#include "tests/host/murand/with_generator.h"

namespace {

TEST(MurandPhilox, GivesTheBlocksOfRandom123) {
#ifdef HAVE_RANDOM123
  constexpr unsigned long long kLanes = 65536;
  const host_tests::OwnedGenerator generator(MURAND_RNG_PSEUDO_PHILOX4_32_10);
  for (const std::uint64_t seed : {0ULL, 1ULL, 0x8123456789abcdefULL, ~0ULL}) {
    generator.seed(seed);
    for (const std::uint64_t first :
         {0ULL, 17 * kLanes - 300, (1ULL << 48) - 5, (1ULL << 61) + 9}) {
      generator.offset(first * 4);
      constexpr std::uint64_t kBlocks = 1000;
      const std::vector<unsigned> words = generator.words(kBlocks * 4);
      for (std::uint64_t i = 0; i < kBlocks; ++i) {
        const std::uint64_t row = (first + i) / kLanes;
        const auto lane = static_cast<std::uint32_t>((first + i) % kLanes);
        const philox4x32_ctr_t counter = {
            {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32), lane, 0}};
        const philox4x32_key_t key = {
            {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
        const philox4x32_ctr_t block = philox4x32_R(10, counter, key);
        for (std::size_t k = 0; k < 4; ++k) ASSERT_EQ(words[i * 4 + k], block.v[k]) << first + i;
      }
    }
  }
#else
  GTEST_SKIP() << "NOT COMPARED WITH Random123: its headers are not installed";
#endif
}

}  // namespace
