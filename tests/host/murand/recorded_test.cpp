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
constexpr auto kDefault = MURAND_ORDERING_PSEUDO_DEFAULT;
constexpr auto kLegacy = MURAND_ORDERING_PSEUDO_LEGACY;
constexpr auto kSeeded = MURAND_ORDERING_PSEUDO_SEEDED;
constexpr std::size_t kCount = 20000;

std::vector<double> recorded_setup(murandRngType_t type, murandOrdering_t ordering,
                                   const std::string& function, std::uint64_t* hash) {
  const OwnedGenerator generator(type);
  EXPECT_EQ(murandSetGeneratorOrdering(generator.get(), ordering), MURAND_STATUS_SUCCESS);
  generator.seed(0x8123456789abcdef);
  generator.offset((1ULL << 33) + 4093);
  const bool log = function.find("Log") != std::string::npos;
  return host_tests::draw(generator, function, kCount, log ? 0.25 : 1.5, log ? 0.5 : 2, hash);
}

struct Hash {
  murandRngType_t type;
  murandOrdering_t ordering;
  const char* function;
  std::uint64_t hash;
};

constexpr Hash kHashes[] = {
    {kXorwow, kDefault, "murandGenerate", 0x5013d5509e18aa55},
    {kXorwow, kDefault, "murandGenerateUniform", 0x946292c0aa5197db},
    {kXorwow, kDefault, "murandGenerateUniformDouble", 0x97a005f1dbe012f9},
    {kXorwow, kLegacy, "murandGenerate", 0x5013d5509e18aa55},
    {kXorwow, kLegacy, "murandGenerateUniform", 0x946292c0aa5197db},
    {kXorwow, kLegacy, "murandGenerateUniformDouble", 0x97a005f1dbe012f9},
    {kXorwow, kSeeded, "murandGenerate", 0xdcb8db1577de2752},
    {kXorwow, kSeeded, "murandGenerateUniform", 0xa2d93849afe2580e},
    {kXorwow, kSeeded, "murandGenerateUniformDouble", 0xa590495eaca9c212},
    {kMrg, kDefault, "murandGenerate", 0xf34aedc272d9e859},
    {kMrg, kDefault, "murandGenerateUniform", 0xdcdbaec1d66c304c},
    {kMrg, kDefault, "murandGenerateUniformDouble", 0x8c30571ad1d7c2a7},
    {kMrg, kLegacy, "murandGenerate", 0xdce8712d6c9fe99b},
    {kMrg, kLegacy, "murandGenerateUniform", 0x9008f39d373bdaaa},
    {kMrg, kLegacy, "murandGenerateUniformDouble", 0x07f66519a7f6597e},
    {kPhilox, kDefault, "murandGenerate", 0x5e74b235a4ac11f9},
    {kPhilox, kDefault, "murandGenerateUniform", 0x16df3ece760d4ac6},
    {kPhilox, kDefault, "murandGenerateUniformDouble", 0x8bb61f844876d9a5},
};

struct Values {
  murandRngType_t type;
  murandOrdering_t ordering;
  const char* function;
  double values[4];  // at 0, 1, 8191 and 19999
};

constexpr Values kValues[] = {
    {kXorwow,
     kDefault,
     "murandGenerateNormal",
     {0.6203069090843201, 1.0153230428695679, 5.4399943351745605, 1.5616817474365234}},
    {kXorwow,
     kDefault,
     "murandGenerateNormalDouble",
     {-0.2674482024509077, 1.7858495465016329, 6.609434863337675, 0.6607131111168649}},
    {kXorwow,
     kDefault,
     "murandGenerateLogNormal",
     {1.0305335521697998, 1.1374975442886353, 3.438373565673828, 1.3039791584014893}},
    {kXorwow,
     kDefault,
     "murandGenerateLogNormalDouble",
     {0.8254207269216728, 1.3791431308233308, 4.605994999894587, 1.0409963441668055}},
    {kXorwow,
     kLegacy,
     "murandGenerateNormal",
     {0.6203069090843201, 1.0153230428695679, 5.4399943351745605, 1.5616817474365234}},
    {kXorwow,
     kLegacy,
     "murandGenerateNormalDouble",
     {-0.2674482024509077, 1.7858495465016329, 6.609434863337675, 0.6607131111168649}},
    {kXorwow,
     kLegacy,
     "murandGenerateLogNormal",
     {1.0305335521697998, 1.1374975442886353, 3.438373565673828, 1.3039791584014893}},
    {kXorwow,
     kLegacy,
     "murandGenerateLogNormalDouble",
     {0.8254207269216728, 1.3791431308233308, 4.605994999894587, 1.0409963441668055}},
    {kXorwow,
     kSeeded,
     "murandGenerateNormal",
     {-2.407419204711914, -0.8231215476989746, 1.1516112089157104, -0.4734525680541992}},
    {kXorwow,
     kSeeded,
     "murandGenerateNormalDouble",
     {3.096063838956564, 2.348987591608311, 1.4540620809043425, 3.7209862163182144}},
    {kXorwow,
     kSeeded,
     "murandGenerateLogNormal",
     {0.4834270775318146, 0.7183629274368286, 1.17692232131958, 0.7839867472648621}},
    {kXorwow,
     kSeeded,
     "murandGenerateLogNormalDouble",
     {1.9136567868555276, 1.5876372391431317, 1.2693634066905841, 2.2372480334552574}},
    {kMrg,
     kDefault,
     "murandGenerateNormal",
     {1.8752995729446411, 0.03487551212310791, 2.7851197719573975, -0.7590367794036865}},
    {kMrg,
     kDefault,
     "murandGenerateNormalDouble",
     {1.8752994921458521, 0.034875441290056264, 2.78511957198811, -0.7590379012400743}},
    {kMrg,
     kDefault,
     "murandGenerateLogNormal",
     {1.4103316068649292, 0.8902249336242676, 1.7705317735671997, 0.7299646139144897}},
    {kMrg,
     kDefault,
     "murandGenerateLogNormalDouble",
     {1.410331626783987, 0.8902249105684542, 1.7705316929900268, 0.729964427623404}},
    {kMrg,
     kLegacy,
     "murandGenerateNormal",
     {2.212618589401245, 2.404083251953125, 4.964723587036133, 3.4172441959381104}},
    {kMrg,
     kLegacy,
     "murandGenerateNormalDouble",
     {2.212618583873863, 2.404083247265521, 4.964723346904825, 3.4172444063975482}},
    {kMrg,
     kLegacy,
     "murandGenerateLogNormal",
     {1.5344233512878418, 1.609656572341919, 3.0531716346740723, 2.0736515522003174}},
    {kMrg,
     kLegacy,
     "murandGenerateLogNormalDouble",
     {1.5344233550061415, 1.6096565154856781, 3.0531713482462317, 2.0736515802462234}},
    {kPhilox,
     kDefault,
     "murandGenerateNormal",
     {-1.6576929092407227, 1.2006369829177856, 2.6837010383605957, 3.035080909729004}},
    {kPhilox,
     kDefault,
     "murandGenerateNormalDouble",
     {0.3960001709887335, 0.5575600123507669, -0.4394490980579955, -2.2204730391921252}},
    {kPhilox,
     kDefault,
     "murandGenerateLogNormal",
     {0.5830844640731812, 1.1914359331130981, 1.7262048721313477, 1.8847029209136963}},
    {kPhilox,
     kDefault,
     "murandGenerateLogNormalDouble",
     {0.974335131258831, 1.0144940376021379, 0.7906797388810641, 0.5065570834848692}},
};

template <typename Record>
std::string name_of(const testing::TestParamInfo<Record>& record) {
  return record.param.function + std::string("_") + std::to_string(record.param.type) + "_" +
         std::to_string(record.param.ordering);
}

class MurandRecordedExactly : public testing::TestWithParam<Hash> {};

TEST_P(MurandRecordedExactly, Matches) {
  std::uint64_t hash = 0;
  recorded_setup(GetParam().type, GetParam().ordering, GetParam().function, &hash);
  EXPECT_EQ(hash, GetParam().hash);
}

INSTANTIATE_TEST_SUITE_P(Functions, MurandRecordedExactly, testing::ValuesIn(kHashes),
                         name_of<Hash>);

class MurandRecordedNormal : public testing::TestWithParam<Values> {};

TEST_P(MurandRecordedNormal, Matches) {
  const auto& [type, ordering, function, expected] = GetParam();
  const std::vector<double> values = recorded_setup(type, ordering, function, nullptr);
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
