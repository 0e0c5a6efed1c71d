// Every function: what it does and what it refuses.
#include <cstdint>
#include <vector>

#include "tests/host/murand/with_generator.h"

namespace {

using host_tests::DeviceArray;
using host_tests::OwnedGenerator;
using Words = std::vector<unsigned>;

constexpr auto kGenerator = MURAND_RNG_PSEUDO_XORWOW;

TEST(MurandFunctions, murandCreateGenerator_makes_each_type) {
  for (const int type : {400, 401, 402, 404}) {
    murandGenerator_t generator = nullptr;
    EXPECT_EQ(murandCreateGenerator(&generator, static_cast<murandRngType_t>(type)),
              MURAND_STATUS_SUCCESS);
    EXPECT_NE(generator, nullptr) << type;
    EXPECT_EQ(murandDestroyGenerator(generator), MURAND_STATUS_SUCCESS);
  }
  murandGenerator_t generator = nullptr;
  EXPECT_EQ(murandCreateGenerator(&generator, MURAND_RNG_PSEUDO_MTGP32), MURAND_STATUS_TYPE_ERROR);
}

TEST(MurandFunctions, murandDestroyGenerator_refuses_a_second_time) {
  murandGenerator_t generator = nullptr;
  ASSERT_EQ(murandCreateGenerator(&generator, kGenerator), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandDestroyGenerator(generator), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandDestroyGenerator(generator), MURAND_STATUS_NOT_INITIALIZED);
}

TEST(MurandFunctions, murandGetVersion_fills_its_argument) {
  int version = 0;
  EXPECT_EQ(murandGetVersion(&version), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(version, MURAND_VERSION);
}

TEST(MurandFunctions, murandSetStream_decides_who_waits) {
  const OwnedGenerator generator(kGenerator);
  const host_tests::Stream other;
  EXPECT_EQ(murandSetStream(generator.get(), other.get()), MURAND_STATUS_SUCCESS);
  const DeviceArray<unsigned> out({0});
  host_tests::Roadblock block(other);
  EXPECT_EQ(murandGenerate(generator.get(), out.data(), 1), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(out.data()[0], 0U);
  block.release();
  EXPECT_NE(out.data()[0], 0U);
  EXPECT_EQ(murandSetStream(nullptr, nullptr), MURAND_STATUS_NOT_INITIALIZED);
}

TEST(MurandFunctions, murandSetPseudoRandomGeneratorSeed_changes_the_numbers) {
  const OwnedGenerator one(kGenerator);
  const OwnedGenerator two(kGenerator);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(two.get(), 5), MURAND_STATUS_SUCCESS);
  EXPECT_NE(one.words(8), two.words(8));
}

TEST(MurandFunctions, murandSetGeneratorOffset_skips_numbers) {
  const OwnedGenerator one(kGenerator);
  const OwnedGenerator two(kGenerator);
  EXPECT_EQ(murandSetGeneratorOffset(two.get(), 5), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(one.words(6)[5], two.words(1)[0]);
}

TEST(MurandFunctions, murandGenerateLongLong_is_a_type_error) {
  const OwnedGenerator generator(MURAND_RNG_PSEUDO_PHILOX4_32_10);
  const DeviceArray<unsigned long long> out({0});
  EXPECT_EQ(murandGenerateLongLong(generator.get(), out.data(), 1), MURAND_STATUS_TYPE_ERROR);
}

TEST(MurandFunctions, generators_that_no_program_reaches_are_refused) {
  murandGenerator_t generator = nullptr;
  for (const auto type :
       {MURAND_RNG_PSEUDO_MTGP32, MURAND_RNG_PSEUDO_MT19937, MURAND_RNG_QUASI_DEFAULT,
        MURAND_RNG_QUASI_SOBOL32, MURAND_RNG_QUASI_SOBOL64}) {
    EXPECT_EQ(murandCreateGenerator(&generator, type), MURAND_STATUS_TYPE_ERROR);
  }
}

// As after a kernel: the numbers are not made, and the device reports it.
TEST(MurandFunctions, murandGenerate_reports_memory_that_is_not_there) {
  murandGenerator_t generator = nullptr;
  unsigned* memory = nullptr;
  ASSERT_EQ(murandCreateGenerator(&generator, kGenerator), MURAND_STATUS_SUCCESS);
  for (const bool freed : {false, true}) {
    ASSERT_EQ(musaMalloc(reinterpret_cast<void**>(&memory), 400), musaSuccess);
    if (freed) {
      ASSERT_EQ(musaFree(memory), musaSuccess);
    }
    EXPECT_EQ(murandGenerate(generator, memory, freed ? 100 : 101), MURAND_STATUS_SUCCESS);
    EXPECT_EQ(musaDeviceSynchronize(), musaErrorIllegalAddress);
    EXPECT_EQ(musaDeviceReset(), musaSuccess);
  }
  EXPECT_EQ(murandDestroyGenerator(generator), MURAND_STATUS_SUCCESS);
}

}  // namespace
