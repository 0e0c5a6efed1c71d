// The results of cuRAND's host generators, for machines without a CUDA toolkit.
//
// Recorded with curandCreateGeneratorHost of CUDA 13.0's libcurand.so.10: 20000 numbers with seed
// 0x8123456789abcdef from offset 2^33 + 4093. Integers and uniform numbers are exact, so a hash is
// sufficient. Normal numbers use the mathematical library: they have the same bits with the glibc
// of the recording (2.36), and differ by a few last places elsewhere.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/host/murand/any_distribution.h"

namespace {

using host_tests::OwnedGenerator;

constexpr auto kXorwow = MURAND_RNG_PSEUDO_XORWOW;
constexpr auto kMrg = MURAND_RNG_PSEUDO_MRG32K3A;
constexpr auto kPhilox = MURAND_RNG_PSEUDO_PHILOX4_32_10;
constexpr std::size_t kCount = 20000;

std::vector<double> recorded_setup(murandRngType_t type, const std::string& function,
                                   std::uint64_t* hash) {
  const OwnedGenerator generator(type);
  generator.seed(0x8123456789abcdef);
  generator.offset((1ULL << 33) + 4093);
  return host_tests::draw(generator, function, kCount, 1.5, 2, hash);
}

struct Hash {
  murandRngType_t type;
  const char* function;
  std::uint64_t hash;
};

constexpr Hash kHashes[] = {
    {kXorwow, "murandGenerate", 0x5013d5509e18aa55},
    {kXorwow, "murandGenerateUniform", 0x946292c0aa5197db},
    {kXorwow, "murandGenerateUniformDouble", 0x97a005f1dbe012f9},
    {kMrg, "murandGenerate", 0xf34aedc272d9e859},
    {kMrg, "murandGenerateUniform", 0xdcdbaec1d66c304c},
    {kMrg, "murandGenerateUniformDouble", 0x8c30571ad1d7c2a7},
    {kPhilox, "murandGenerate", 0x5e74b235a4ac11f9},
    {kPhilox, "murandGenerateUniform", 0x16df3ece760d4ac6},
    {kPhilox, "murandGenerateUniformDouble", 0x8bb61f844876d9a5},
};

struct Values {
  murandRngType_t type;
  const char* function;
  double values[4];  // at 0, 1, 8191 and 19999
};

constexpr Values kValues[] = {
    {kXorwow,
     "murandGenerateNormal",
     {0.6203069090843201, 1.0153230428695679, 5.4399943351745605, 1.5616817474365234}},
    {kXorwow,
     "murandGenerateNormalDouble",
     {-0.2674482024509077, 1.7858495465016329, 6.609434863337675, 0.6607131111168649}},
    {kMrg,
     "murandGenerateNormal",
     {1.8752995729446411, 0.03487551212310791, 2.7851197719573975, -0.7590367794036865}},
    {kMrg,
     "murandGenerateNormalDouble",
     {1.8752994921458521, 0.034875441290056264, 2.78511957198811, -0.7590379012400743}},
    {kPhilox,
     "murandGenerateNormal",
     {-1.6576929092407227, 1.2006369829177856, 2.6837010383605957, 3.035080909729004}},
    {kPhilox,
     "murandGenerateNormalDouble",
     {0.3960001709887335, 0.5575600123507669, -0.4394490980579955, -2.2204730391921252}},
};

template <typename Record>
std::string name_of(const testing::TestParamInfo<Record>& record) {
  return record.param.function + std::string("_") + std::to_string(record.param.type);
}

class MurandRecordedExactly : public testing::TestWithParam<Hash> {};

TEST_P(MurandRecordedExactly, Matches) {
  std::uint64_t hash = 0;
  recorded_setup(GetParam().type, GetParam().function, &hash);
  EXPECT_EQ(hash, GetParam().hash);
}

INSTANTIATE_TEST_SUITE_P(Functions, MurandRecordedExactly, testing::ValuesIn(kHashes),
                         name_of<Hash>);

class MurandRecordedNormal : public testing::TestWithParam<Values> {};

TEST_P(MurandRecordedNormal, Matches) {
  const auto& [type, function, expected] = GetParam();
  const std::vector<double> values = recorded_setup(type, function, nullptr);
  const bool wide = std::string(function).find("Double") != std::string::npos;
  const double tolerance = wide ? 1e-14 : 2e-6;
  const std::size_t places[] = {0, 1, 8191, kCount - 1};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(values[places[i]], expected[i], tolerance * (1 + std::fabs(expected[i]))) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, MurandRecordedNormal, testing::ValuesIn(kValues),
                         name_of<Values>);

}  // namespace
