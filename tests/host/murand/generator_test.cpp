// Creating and destroying generators, and refused calls.
#include <cstdint>
#include <vector>

#include "tests/host/murand/with_generator.h"

namespace {

using host_tests::DeviceArray;
using host_tests::OwnedGenerator;

TEST(MurandGenerator, RefusesTypesItLacks) {
  for (const int type :
       {0, 100, 161, 399, int{MURAND_RNG_PSEUDO_MTGP32}, 405, 406, 408, 499, 502, 503, 505, 506}) {
    murandGenerator_t generator = nullptr;
    EXPECT_EQ(murandCreateGenerator(&generator, static_cast<murandRngType_t>(type)),
              MURAND_STATUS_TYPE_ERROR)
        << type;
    EXPECT_EQ(generator, nullptr);
  }
  EXPECT_EQ(murandCreateGenerator(nullptr, MURAND_RNG_PSEUDO_DEFAULT), MURAND_STATUS_OUT_OF_RANGE);
}

TEST(MurandGenerator, KnowsTheVersion) {
  int version = 0;
  EXPECT_EQ(murandGetVersion(&version), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(version, MURAND_VERSION);
  EXPECT_EQ(murandGetVersion(nullptr), MURAND_STATUS_OUT_OF_RANGE);
}

TEST(MurandGenerator, DeadAndForeignOnesAreErrors) {
  murandGenerator_t dead = nullptr;
  ASSERT_EQ(murandCreateGenerator(&dead, MURAND_RNG_PSEUDO_DEFAULT), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandDestroyGenerator(dead), MURAND_STATUS_SUCCESS);
  int not_a_generator = 0;
  const auto foreign = reinterpret_cast<murandGenerator_t>(&not_a_generator);
  for (const murandGenerator_t generator : {murandGenerator_t{nullptr}, dead, foreign}) {
    unsigned words[2];
    unsigned long long wide[2];
    float floats[2];
    double doubles[2];
    EXPECT_EQ(murandDestroyGenerator(generator), MURAND_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(murandSetStream(generator, nullptr), MURAND_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(generator, 1), MURAND_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(murandSetGeneratorOffset(generator, 1), MURAND_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(murandGenerate(generator, words, 2), MURAND_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(murandGenerateLongLong(generator, wide, 2), MURAND_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(murandGenerateUniform(generator, floats, 2), MURAND_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(murandGenerateUniformDouble(generator, doubles, 2), MURAND_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(murandGenerateNormal(generator, floats, 2, 0, 1), MURAND_STATUS_NOT_INITIALIZED);
    EXPECT_EQ(murandGenerateNormalDouble(generator, doubles, 2, 0, 1),
              MURAND_STATUS_NOT_INITIALIZED);
  }
}

TEST(MurandGenerator, NormalNeedsAnEvenLength) {
  const OwnedGenerator generator(MURAND_RNG_PSEUDO_PHILOX4_32_10);
  const DeviceArray<float> floats({7, 7, 7});
  const DeviceArray<double> doubles({7, 7, 7});
  EXPECT_EQ(murandGenerateNormal(generator.get(), floats.data(), 3, 0, 1),
            MURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT_EQ(murandGenerateNormalDouble(generator.get(), doubles.data(), 3, 0, 1),
            MURAND_STATUS_LENGTH_NOT_MULTIPLE);
  generator.stream().wait();
  EXPECT_EQ(floats.values(), (std::vector<float>{7, 7, 7}));
  EXPECT_EQ(doubles.values(), (std::vector<double>{7, 7, 7}));
}

TEST(MurandGenerator, LongLongIsATypeErrorAsOnTheDevice) {
  const DeviceArray<unsigned long long> out({0});
  for (const auto type :
       {MURAND_RNG_PSEUDO_PHILOX4_32_10, MURAND_RNG_PSEUDO_XORWOW, MURAND_RNG_PSEUDO_MRG32K3A}) {
    const OwnedGenerator generator(type);
    EXPECT_EQ(murandGenerateLongLong(generator.get(), out.data(), 1), MURAND_STATUS_TYPE_ERROR);
  }
}

TEST(MurandGenerator, RefusesNullAndImpossibleBuffers) {
  const OwnedGenerator generator(MURAND_RNG_PSEUDO_DEFAULT);
  const DeviceArray<float> out({0});
  EXPECT_EQ(murandGenerateUniform(generator.get(), nullptr, 4), MURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(murandGenerateUniform(generator.get(), out.data(), SIZE_MAX),
            MURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(murandGenerateUniform(generator.get(), nullptr, 0), MURAND_STATUS_SUCCESS);
}

TEST(MurandGenerator, OutlivesItsWork) {
  const host_tests::Stream stream;
  murandGenerator_t generator = nullptr;
  ASSERT_EQ(murandCreateGenerator(&generator, MURAND_RNG_PSEUDO_DEFAULT), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandSetStream(generator, stream.get()), MURAND_STATUS_SUCCESS);
  const DeviceArray<float> out({0, 0});
  host_tests::Roadblock block(stream);
  EXPECT_EQ(murandGenerateUniform(generator, out.data(), 2), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandDestroyGenerator(generator), MURAND_STATUS_SUCCESS);
  block.release();
  EXPECT_GT(out.values()[1], 0);
}

}  // namespace
