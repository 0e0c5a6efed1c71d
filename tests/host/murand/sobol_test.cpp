// Sobol's sequences: known points, the order of the numbers of a call, and refused calls.
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/host/murand/any_distribution.h"

namespace {

using host_tests::DeviceArray;
using host_tests::OwnedGenerator;
using Words = std::vector<unsigned>;
using LongWords = std::vector<unsigned long long>;

constexpr auto kSobol32 = MURAND_RNG_QUASI_SOBOL32;
constexpr auto kSobol64 = MURAND_RNG_QUASI_SOBOL64;

// The well-known beginning of the sequence (halves, quarters, eighths).
TEST(MurandSobol, BeginsAsKnown) {
  const OwnedGenerator generator(kSobol32);
  generator.dimensions(3);
  std::vector<double> eighths;
  for (const unsigned word : generator.words(15)) eighths.push_back(word * 0x1p-29);
  EXPECT_EQ(eighths, (std::vector<double>{0, 4, 6, 2, 3, 0, 4, 2, 6, 3, 0, 4, 2, 6, 5}));
}

// Of any 2^k consecutive points that start at a multiple of 2^k, each interval of length 2^-k
// contains one, in every dimension.
TEST(MurandSobol, EveryDimensionIsEvenlySpread) {
  const OwnedGenerator generator(kSobol32);
  generator.dimensions(20000);
  generator.offset(64);
  const Words words = generator.words(std::size_t{20000} * 32);
  for (std::size_t dimension = 0; dimension < 20000; ++dimension) {
    std::uint32_t seen = 0;
    for (std::size_t i = 0; i < 32; ++i) seen |= 1U << (words[dimension * 32 + i] >> 27);
    ASSERT_EQ(seen, 0xffffffffU) << dimension;
  }
}

TEST(MurandSobol, WideWordsBeginWithTheNarrowOnes) {
  const OwnedGenerator narrow(kSobol32);
  const OwnedGenerator wide(kSobol64);
  narrow.dimensions(50);
  wide.dimensions(50);
  narrow.offset(123456789);
  wide.offset(123456789);
  Words high;
  for (const unsigned long long word : wide.long_words(500)) high.push_back(unsigned(word >> 32));
  EXPECT_EQ(high, narrow.words(500));
}

TEST(MurandSobol, DefaultIsSobol32) {
  EXPECT_EQ(OwnedGenerator(MURAND_RNG_QUASI_DEFAULT).words(9), OwnedGenerator(kSobol32).words(9));
}

TEST(MurandSobol, CallsContinueInEveryDimension) {
  const OwnedGenerator generator(kSobol32);
  generator.dimensions(2);
  const Words whole = generator.words(20);
  generator.offset(0);
  const Words first = generator.words(8);
  const Words second = generator.words(12);
  Words joined;
  for (std::size_t dimension = 0; dimension < 2; ++dimension) {
    for (std::size_t i = 0; i < 4; ++i) joined.push_back(first[dimension * 4 + i]);
    for (std::size_t i = 0; i < 6; ++i) joined.push_back(second[dimension * 6 + i]);
  }
  EXPECT_EQ(joined, whole);
}

TEST(MurandSobol, BeginsAnewAfterAllPoints) {
  const OwnedGenerator generator(kSobol32);
  generator.dimensions(7);
  const Words start = generator.words(7);
  generator.offset(0xffffffff);
  const Words around = generator.words(14);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(around[2 * i + 1], start[i]);
}

TEST(MurandSobol, NormalIsTheInverseOfTheDistribution) {
  for (const auto type : {kSobol32, kSobol64}) {
    const OwnedGenerator generator(type);
    constexpr std::size_t kCount = 4097;
    const auto places = generator.uniform_double(kCount);
    generator.offset(0);
    const auto wide = generator.normal_double(kCount, 1, 2);
    generator.offset(0);
    const auto narrow = generator.normal(kCount, 1, 2);
    generator.offset(0);
    const auto log = generator.log_normal_double(kCount, 1, 2);
    for (std::size_t i = 1; i < kCount; ++i) {
      EXPECT_NEAR(std::erfc((1 - wide[i]) / 2 / std::sqrt(2)) / 2, places[i], 2e-10);
      EXPECT_NEAR(narrow[i], wide[i], 1e-5);
      EXPECT_NEAR(std::log(log[i]), wide[i], 1e-13);
    }
  }
}

TEST(MurandSobol, murandSetQuasiRandomGeneratorDimensions_divides_the_call) {
  const OwnedGenerator generator(kSobol32);
  EXPECT_EQ(murandSetQuasiRandomGeneratorDimensions(generator.get(), 2), MURAND_STATUS_SUCCESS);
  const Words words = generator.words(4);
  EXPECT_EQ(words, (Words{0, 0x80000000, 0, 0x80000000}));
  const DeviceArray<unsigned> out({7, 7, 7});
  EXPECT_EQ(murandGenerate(generator.get(), out.data(), 3), MURAND_STATUS_LENGTH_NOT_MULTIPLE);
  for (const unsigned count : {0U, 20001U, 0xffffffffU}) {
    EXPECT_EQ(murandSetQuasiRandomGeneratorDimensions(generator.get(), count),
              MURAND_STATUS_OUT_OF_RANGE);
  }
  const OwnedGenerator pseudo(MURAND_RNG_PSEUDO_XORWOW);
  EXPECT_EQ(murandSetQuasiRandomGeneratorDimensions(pseudo.get(), 2), MURAND_STATUS_TYPE_ERROR);
}

TEST(MurandSobol, murandGenerateLongLong_gives_points_of_64_bits) {
  const OwnedGenerator generator(kSobol64);
  EXPECT_EQ(generator.long_words(3), (LongWords{0, 1ULL << 63, 3ULL << 62}));
  generator.offset(1ULL << 62);
  EXPECT_EQ(generator.long_words(1), (LongWords{6}));
}

TEST(MurandSobol, SeedsAndPseudoRandomOrderingsAreErrors) {
  const OwnedGenerator generator(kSobol32);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(generator.get(), 1), MURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(murandSetGeneratorOrdering(generator.get(), MURAND_ORDERING_QUASI_DEFAULT),
            MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandSetGeneratorOrdering(generator.get(), MURAND_ORDERING_PSEUDO_DEFAULT),
            MURAND_STATUS_OUT_OF_RANGE);
}

TEST(MurandSobol, IntegersOfTheOtherWidthAreErrors) {
  const DeviceArray<unsigned> narrow({7});
  const DeviceArray<unsigned long long> wide({7});
  EXPECT_EQ(murandGenerateLongLong(OwnedGenerator(kSobol32).get(), wide.data(), 1),
            MURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(murandGenerate(OwnedGenerator(kSobol64).get(), narrow.data(), 1),
            MURAND_STATUS_TYPE_ERROR);
}

TEST(MurandSobol, RefusedCallsTakeNothing) {
  const OwnedGenerator generator(kSobol32);
  generator.dimensions(3);
  EXPECT_EQ(murandGenerate(generator.get(), nullptr, 3), MURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(murandGenerate(generator.get(), nullptr, 0), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(generator.words(3), (Words{0, 0, 0}));
}

// Recorded with cuRAND (CUDA 13.0): 17 points of all dimensions from 0xfffffff1 on.
TEST(MurandSobol, GivesTheRecordedPoints) {
  const OwnedGenerator narrow(kSobol32);
  narrow.dimensions(20000);
  narrow.offset(0xfffffff1);
  EXPECT_EQ(host_tests::hash_of(narrow.words(std::size_t{20000} * 17)), 0xd3e27cd6885817e9);
  const OwnedGenerator wide(kSobol64);
  wide.dimensions(20000);
  wide.offset(0xfffffff1);
  EXPECT_EQ(host_tests::hash_of(wide.long_words(std::size_t{20000} * 17)), 0x98095bb23ab492e9);
}

}  // namespace
