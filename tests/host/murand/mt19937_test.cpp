// MT19937, compared with the standard library and with recorded numbers; and refused calls.
#include <cstdint>
#include <random>
#include <vector>

#include "tests/host/murand/any_distribution.h"

namespace {

using host_tests::DeviceArray;
using host_tests::OwnedGenerator;
using Words = std::vector<unsigned>;

constexpr auto kType = MURAND_RNG_PSEUDO_MT19937;
constexpr std::size_t kColumns = 65536;

// The first engine has the given seed and serves the first eight columns.
TEST(MurandMt19937, FirstEngineIsTheOneEveryoneKnows) {
  const OwnedGenerator generator(kType);
  generator.seed(1234);
  std::mt19937 known(1234);  // NOLINT(bugprone-random-generator-seed,cert-msc51-cpp)
  Words block;
  for (int i = 0; i < 624; ++i) block.push_back(static_cast<unsigned>(known()));
  const std::size_t first_row[] = {0, 113, 170, 283, 340, 397, 510, 567};
  const Words words = generator.words(kColumns + 8);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(words[i], block[first_row[i]]) << i;
    EXPECT_EQ(words[kColumns + i], block[1 + 7 * i]) << i;
  }
}

// Recorded with cuRAND's host generator (CUDA 13.0): a little more than 79 rows with seed
// 0x8123456789abcdef.
TEST(MurandMt19937, GivesTheRecordedWords) {
  const OwnedGenerator generator(kType);
  generator.seed(0x8123456789abcdef);
  EXPECT_EQ(host_tests::hash_of(generator.words(kColumns * 79 + 13)), 0xe94e9f80fc01c408);
}

TEST(MurandMt19937, DoesNotDependOnHowItIsCut) {
  const OwnedGenerator whole(kType);
  const OwnedGenerator pieces(kType);
  Words joined;
  for (const std::size_t size : {1, 7, 8, 9, 100, 3, 372}) {
    for (const unsigned word : pieces.words(size)) joined.push_back(word);
  }
  EXPECT_EQ(joined, whole.words(500));
}

TEST(MurandMt19937, EveryNumberTakesOneWord) {
  const OwnedGenerator generator(kType);
  const Words words = generator.words(20);
  EXPECT_EQ(murandGenerateSeeds(generator.get()), MURAND_STATUS_SUCCESS);
  EXPECT_FLOAT_EQ(generator.uniform(3)[2], static_cast<float>(words[2] * 0x1p-32));
  EXPECT_EQ(generator.uniform_double(3)[2], words[5] * 0x1p-32 + 0x1p-33);
  generator.normal(3, 0, 1);
  generator.normal_double(3, 0, 1);
  generator.log_normal(1, 0, 1);
  EXPECT_EQ(generator.words(1)[0], words[13]);
}

TEST(MurandMt19937, SeedsAndSettingsBeginAgain) {
  const OwnedGenerator generator(kType);
  generator.seed(5);
  const Words words = generator.words(10);
  generator.seed(5);
  EXPECT_NE(generator.words(10), words) << "nothing new: goes on";
  generator.seed(6);
  EXPECT_NE(generator.words(10), words);
  generator.seed(5);
  EXPECT_EQ(generator.words(10), words);
  EXPECT_EQ(murandSetGeneratorOrdering(generator.get(), MURAND_ORDERING_PSEUDO_LEGACY),
            MURAND_STATUS_SUCCESS);
  EXPECT_EQ(generator.words(10), words);
}

TEST(MurandMt19937, murandGenerateSeeds_begins_again) {
  const OwnedGenerator generator(kType);
  const Words words = generator.words(10);
  EXPECT_EQ(murandGenerateSeeds(generator.get()), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(generator.words(10), words);
}

TEST(MurandMt19937, HasNoOffsetAndFewOrderings) {
  const OwnedGenerator generator(kType);
  EXPECT_EQ(murandSetGeneratorOffset(generator.get(), 5), MURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(murandSetQuasiRandomGeneratorDimensions(generator.get(), 5), MURAND_STATUS_TYPE_ERROR);
  const DeviceArray<unsigned long long> out({0});
  EXPECT_EQ(murandGenerateLongLong(generator.get(), out.data(), 1), MURAND_STATUS_TYPE_ERROR);
  for (const int order : {100, 102, 104, 201}) {
    EXPECT_EQ(murandSetGeneratorOrdering(generator.get(), static_cast<murandOrdering_t>(order)),
              MURAND_STATUS_OUT_OF_RANGE);
  }
}

}  // namespace
