// Every value of the 8 and 16 bit formats, compared with the definition.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "src/host/shared/narrow/narrow_types.h"

namespace {

using namespace host_narrow;

struct Layout {
  int exponent_bits, mantissa_bits;
  bool infinity, saturates;
};

template <typename T>
Layout layout();
template <>
Layout layout<Float16>() {
  return {5, 10, true, false};
}
template <>
Layout layout<Bfloat16>() {
  return {8, 7, true, false};
}
template <>
Layout layout<Float8E4M3>() {
  return {4, 3, false, true};
}
template <>
Layout layout<Float8E5M2>() {
  return {5, 2, true, true};
}

int magnitudes(const Layout& l) { return 1 << (l.exponent_bits + l.mantissa_bits); }

// The value by the format's definition, including NaN and infinity if the format has them.
double defined_value(const Layout& l, int magnitude) {
  const int all_ones = (1 << l.exponent_bits) - 1;
  const int exponent = magnitude >> l.mantissa_bits;
  const int mantissa = magnitude & ((1 << l.mantissa_bits) - 1);
  const int bias = (1 << (l.exponent_bits - 1)) - 1;
  if (exponent == all_ones && l.infinity) {
    return mantissa == 0 ? std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  if (magnitude == magnitudes(l) - 1 && !l.infinity)
    return std::numeric_limits<double>::quiet_NaN();
  const double fraction = std::ldexp(mantissa, -l.mantissa_bits);
  return exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
}

template <typename T>
auto bits_of(float value) {
  return T::from_float(value).bits();
}

template <typename T>
T make(int bits) {
  return T::from_bits(static_cast<decltype(T().bits())>(bits));
}

template <typename T>
class NarrowNumbers : public testing::Test {};
using Formats = testing::Types<Float16, Bfloat16, Float8E4M3, Float8E5M2>;
TYPED_TEST_SUITE(NarrowNumbers, Formats);

TYPED_TEST(NarrowNumbers, AllHaveTheirValueAndComeBack) {
  const Layout l = layout<TypeParam>();
  const int sign = magnitudes(l);
  for (int magnitude = 0; magnitude < sign; ++magnitude) {
    const double value = defined_value(l, magnitude);
    const auto positive = static_cast<float>(make<TypeParam>(magnitude));
    const auto negative = static_cast<float>(make<TypeParam>(magnitude | sign));
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(positive) && std::isnan(negative)) << magnitude;
      ASSERT_TRUE(std::isnan(static_cast<float>(TypeParam::from_float(positive)))) << magnitude;
      ASSERT_TRUE(std::signbit(static_cast<float>(TypeParam::from_float(negative)))) << magnitude;
      continue;
    }
    ASSERT_EQ(positive, value) << magnitude;
    ASSERT_EQ(negative, -value) << magnitude;
    ASSERT_EQ(std::signbit(positive), false) << magnitude;
    ASSERT_EQ(std::signbit(negative), true) << magnitude;
    if (std::isinf(value) && l.saturates) continue;
    ASSERT_EQ(bits_of<TypeParam>(positive), magnitude);
    ASSERT_EQ(bits_of<TypeParam>(negative), magnitude | sign);
  }
}

TYPED_TEST(NarrowNumbers, WhatIsBetweenTwoGoesToTheNearerOrTheEvenOne) {
  const Layout l = layout<TypeParam>();
  for (int lower = 0; lower + 1 < magnitudes(l); ++lower) {
    const double next = defined_value(l, lower + 1);
    if (!std::isfinite(next)) break;
    const auto middle = static_cast<float>((defined_value(l, lower) + next) / 2);
    const float infinity = std::numeric_limits<float>::infinity();
    ASSERT_EQ(bits_of<TypeParam>(middle), lower % 2 == 0 ? lower : lower + 1) << lower;
    ASSERT_EQ(bits_of<TypeParam>(std::nextafter(middle, 0.0F)), lower) << lower;
    ASSERT_EQ(bits_of<TypeParam>(std::nextafter(middle, infinity)), lower + 1) << lower;
    ASSERT_EQ(bits_of<TypeParam>(-middle), (lower % 2 == 0 ? lower : lower + 1) | magnitudes(l))
        << lower;
  }
}

TEST(NarrowOverflow, IsInfinityFor16BitsAndTheLargestFor8) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(bits_of<Float16>(65519.0F), 0x7BFF);
  EXPECT_EQ(bits_of<Float16>(65520.0F), 0x7C00);
  EXPECT_EQ(bits_of<Bfloat16>(std::numeric_limits<float>::max()), 0x7F80);
  EXPECT_EQ(bits_of<Float8E4M3>(1e9F), 0x7E);
  EXPECT_EQ(bits_of<Float8E4M3>(-infinity), 0xFE);
  EXPECT_EQ(bits_of<Float8E5M2>(1e9F), 0x7B);
  EXPECT_EQ(bits_of<Float8E5M2>(infinity), 0x7B);
}

}  // namespace
