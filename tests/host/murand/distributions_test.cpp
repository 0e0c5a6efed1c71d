#include <cmath>
#include <vector>

#include "tests/host/murand/with_generator.h"

namespace {

using host_tests::OwnedGenerator;

constexpr std::size_t kSamples = 100000;

class MurandDistribution : public testing::TestWithParam<murandRngType_t> {
 protected:
  void SetUp() override { generator_.seed(20240607); }

  template <typename T>
  static void expect_moments(const std::vector<T>& values, double mean, double deviation) {
    double sum = 0;
    double squares = 0;
    for (const double value : values) {
      sum += value;
      squares += (value - mean) * (value - mean);
    }
    EXPECT_NEAR(sum / kSamples, mean, deviation * 0.015);
    EXPECT_NEAR(std::sqrt(squares / kSamples), deviation, deviation * 0.015);
  }

  // Each twentieth of (0, 1] must get its share.
  template <typename T>
  static void expect_even(const std::vector<T>& values) {
    std::vector<int> share(20);
    for (const T value : values) {
      ASSERT_GT(value, T{0});
      ASSERT_LE(value, T{1});
      ++share[static_cast<std::size_t>(std::ceil(value * 20)) - 1];
    }
    for (const int count : share) EXPECT_NEAR(count, kSamples / 20.0, 350);
  }

  const OwnedGenerator generator_{GetParam()};
};

TEST_P(MurandDistribution, UniformIsEven) {
  const auto values = generator_.uniform(kSamples);
  expect_even(values);
  expect_moments(values, 0.5, std::sqrt(1 / 12.0));
}

TEST_P(MurandDistribution, UniformDoubleIsEven) {
  const auto values = generator_.uniform_double(kSamples);
  expect_even(values);
  expect_moments(values, 0.5, std::sqrt(1 / 12.0));
}

TEST_P(MurandDistribution, NormalHasItsMeanAndDeviation) {
  expect_moments(generator_.normal(kSamples, 3, 0.5F), 3, 0.5);
  expect_moments(generator_.normal_double(kSamples, -1, 2), -1, 2);
}

TEST_P(MurandDistribution, NormalHasItsTails) {
  int beyond_two = 0;
  for (const float value : generator_.normal(kSamples, 0, 1)) beyond_two += std::fabs(value) > 2;
  EXPECT_NEAR(beyond_two, kSamples * 0.0455, 300);
}

TEST_P(MurandDistribution, UniformFollowsTheWords) {
  const auto words = generator_.words(64);
  generator_.offset(0);
  const auto values = generator_.uniform(64);
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_FLOAT_EQ(values[i], static_cast<float>((words[i] + 0.5) / 4294967296.0));
  }
}

INSTANTIATE_TEST_SUITE_P(Types, MurandDistribution,
                         testing::Values(MURAND_RNG_PSEUDO_XORWOW, MURAND_RNG_PSEUDO_MRG32K3A,
                                         MURAND_RNG_PSEUDO_PHILOX4_32_10));

}  // namespace
