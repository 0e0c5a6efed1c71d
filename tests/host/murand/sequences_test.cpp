// The words of the generators: as defined, and independent of how a program requests them.
#include <cstdint>
#include <vector>

#include "tests/host/murand/with_generator.h"

namespace {

using Words = std::vector<unsigned>;
using host_tests::OwnedGenerator;

// Random123's published answers (kat_vectors) for counter 0 and key 0, and the words that follow by
// definition.
TEST(MurandPhilox, GivesThePublishedAnswers) {
  const OwnedGenerator generator(MURAND_RNG_PSEUDO_PHILOX4_32_10);
  EXPECT_EQ(generator.words(4), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

// Philox4x32-10 written out from the paper (Salmon et al., 2011).
std::vector<unsigned> philox_block(std::uint64_t seed, std::uint64_t row, std::uint32_t lane) {
  std::uint32_t word[4] = {std::uint32_t(row), std::uint32_t(row >> 32), lane, 0};
  std::uint32_t key[2] = {std::uint32_t(seed), std::uint32_t(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * word[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * word[2];
    const std::uint32_t next[4] = {
        std::uint32_t(second >> 32) ^ word[1] ^ key[0], std::uint32_t(second),
        std::uint32_t(first >> 32) ^ word[3] ^ key[1], std::uint32_t(first)};
    std::copy(next, next + 4, word);
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return {word, word + 4};
}

TEST(MurandPhilox, UsesAllOfSeedAndOffset) {
  const OwnedGenerator generator(MURAND_RNG_PSEUDO_PHILOX4_32_10);
  for (const std::uint64_t seed : {1ULL, 0x123456789abcdefULL}) {
    for (const std::uint64_t block : {0ULL, 5ULL, 65536ULL * 3 + 9, 0x7edcba9876543210ULL / 4}) {
      generator.seed(seed);
      generator.offset(block * 4);
      EXPECT_EQ(generator.words(4), philox_block(seed, block / 65536, block % 65536));
    }
  }
}

// The first lane: Marsaglia's recurrence from the state that cuRAND derives from a seed.
TEST(MurandXorwow, FirstLaneFollowsThePaper) {
  const std::uint64_t seed = 0x123456789abcdef;
  const std::uint32_t low = 1099087573U * (std::uint32_t(seed) ^ 0xaad26b49U);
  const std::uint32_t high = 2591861531U * (std::uint32_t(seed >> 32) ^ 0xf7dcefddU);
  std::uint32_t x = 123456789 + low, y = 362436069 ^ low, z = 521288629 + high, w = 88675123 ^ high,
                v = 5783321 + low, d = 6615241 + low + high;
  const OwnedGenerator generator(MURAND_RNG_PSEUDO_XORWOW);
  generator.seed(seed);
  const Words words = generator.words(4096 * 50);
  for (std::size_t i = 0; i < words.size(); i += 4096) {
    const std::uint32_t t = x ^ (x >> 2);
    x = y, y = z, z = w, w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    d += 362437;
    ASSERT_EQ(words[i], d + v) << i;
  }
}

// The first lane, compared with the paper's recurrence in integer form.
TEST(MurandMrg32k3a, FirstLaneFollowsThePaper) {
  std::int64_t a[] = {12345, 12345, 12345}, b[] = {12345, 12345, 12345};
  const std::int64_t m1 = 4294967087, m2 = 4294944443;
  const OwnedGenerator generator(MURAND_RNG_PSEUDO_MRG32K3A);
  const auto values = generator.uniform_double(81920 * 50);
  for (std::size_t i = 0; i < values.size(); i += 81920) {
    const std::int64_t p = ((1403580 * a[1] - 810728 * a[0]) % m1 + m1) % m1;
    const std::int64_t q = ((527612 * b[2] - 1370589 * b[0]) % m2 + m2) % m2;
    a[0] = a[1], a[1] = a[2], a[2] = p;
    b[0] = b[1], b[1] = b[2], b[2] = q;
    const std::int64_t z = p > q ? p - q : p - q + m1;
    ASSERT_DOUBLE_EQ(values[i], double(z) / double(m1)) << i;
  }
}

TEST(MurandDefault, IsXorwow) {
  const OwnedGenerator defaults(MURAND_RNG_PSEUDO_DEFAULT);
  const OwnedGenerator xorwow(MURAND_RNG_PSEUDO_XORWOW);
  EXPECT_EQ(defaults.words(16), xorwow.words(16));
}

class MurandSequence : public testing::TestWithParam<murandRngType_t> {
 protected:
  const OwnedGenerator generator_{GetParam()};
};

TEST_P(MurandSequence, DoesNotDependOnHowItIsCut) {
  generator_.seed(77);
  const auto check = [&](auto draw) {
    generator_.offset(0);
    const auto whole = draw(60);
    generator_.offset(0);
    auto pieces = draw(0);
    for (const std::size_t size : {2, 4, 6, 48}) {
      for (const auto value : draw(size)) pieces.push_back(value);
    }
    EXPECT_EQ(pieces, whole);
  };
  check([&](std::size_t n) { return generator_.uniform(n); });
  check([&](std::size_t n) { return generator_.uniform_double(n); });
  check([&](std::size_t n) { return generator_.normal(n, 1, 2); });
  check([&](std::size_t n) { return generator_.normal_double(n, 1, 2); });

  generator_.offset(0);
  const Words whole = generator_.words(101);
  generator_.offset(0);
  Words pieces;
  for (const std::size_t size : {1, 2, 3, 5, 7, 11, 13, 17, 19, 23}) {
    for (const unsigned word : generator_.words(size)) pieces.push_back(word);
  }
  EXPECT_EQ(pieces, whole);
}

TEST_P(MurandSequence, OffsetSkipsThatManyWords) {
  generator_.seed(5);
  const Words whole = generator_.words(1030);
  for (const std::size_t offset : {0, 1, 4, 5, 1023}) {
    generator_.offset(offset);
    EXPECT_EQ(generator_.words(7), Words(whole.begin() + offset, whole.begin() + offset + 7));
  }
}

TEST_P(MurandSequence, ReachesFarPlacesAtOnce) {
  generator_.seed(5);
  generator_.offset((1ULL << 60) + 3);
  const Words far = generator_.words(10);
  generator_.offset((1ULL << 60) + 8);
  EXPECT_EQ(generator_.words(5), Words(far.begin() + 5, far.end()));
}

// As in cuRAND: to repeat a sequence, set the offset too.
TEST_P(MurandSequence, SeedKeepsThePlace) {
  generator_.seed(9);
  const Words whole = generator_.words(10);
  generator_.seed(4);
  generator_.offset(0);
  generator_.words(5);
  generator_.seed(9);
  EXPECT_EQ(generator_.words(5), Words(whole.begin() + 5, whole.end()));
}

TEST_P(MurandSequence, SeedsDiffer) {
  generator_.seed(1);
  const Words one = generator_.words(8);
  generator_.offset(0);
  generator_.seed(2);
  const Words two = generator_.words(8);
  generator_.offset(0);
  generator_.seed(1ULL << 32);
  const Words high = generator_.words(8);
  EXPECT_NE(one, two);
  EXPECT_NE(one, high);
}

TEST_P(MurandSequence, TwoGeneratorsDoNotShare) {
  const OwnedGenerator other(GetParam());
  const Words mine = generator_.words(8);
  EXPECT_EQ(other.words(8), mine);
}

TEST_P(MurandSequence, IsTakenInCallOrderAndRunsInTheStream) {
  generator_.seed(3);
  const Words expected = generator_.words(4);
  generator_.offset(0);
  const host_tests::DeviceArray<unsigned> out({0, 0, 0, 0});
  host_tests::Roadblock block(generator_.stream());
  EXPECT_EQ(murandGenerate(generator_.get(), out.data(), 4), MURAND_STATUS_SUCCESS);
  generator_.seed(1000);
  EXPECT_EQ(out.data()[0], 0U);
  block.release();
  EXPECT_EQ(out.values(), expected);
}

INSTANTIATE_TEST_SUITE_P(Types, MurandSequence,
                         testing::Values(MURAND_RNG_PSEUDO_XORWOW, MURAND_RNG_PSEUDO_MRG32K3A,
                                         MURAND_RNG_PSEUDO_PHILOX4_32_10));

}  // namespace
