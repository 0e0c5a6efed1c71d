// Transforms computed straight from their definition, in long double, and how far a result may be
// from them.
#pragma once

#include <gtest/gtest.h>
#include <mufft.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace mufft_tests {

using Wide = std::complex<long double>;
using Lengths = std::vector<int>;

// Some elements of a transform in one dimension. direction is MUFFT_FORWARD or MUFFT_INVERSE.
std::vector<Wide> reference_at(const std::vector<Wide>& in, const std::vector<int>& elements,
                               int direction);

// All elements of a transform with these lengths, the last axis first in memory.
std::vector<Wide> reference(std::vector<Wide> in, const Lengths& lengths, int direction);

// The first n / 2 + 1 elements of each row of n.
std::vector<Wide> half_rows(const std::vector<Wide>& in, int row);
// The row of n of which the first n / 2 + 1 elements are given: the others are their conjugates.
std::vector<Wide> whole_row(const std::vector<Wide>& half, int row);

// Numbers between -1 and 1 that are exact in float. The same for the same seed.
std::vector<float> random_numbers(std::size_t count, unsigned seed);

template <typename Real>
std::vector<Real> random_reals(std::size_t count, unsigned seed) {
  const std::vector<float> numbers = random_numbers(count, seed);
  return {numbers.begin(), numbers.end()};
}

template <typename Real>
std::vector<std::complex<Real>> random_complex(std::size_t count, unsigned seed) {
  const std::vector<float> numbers = random_numbers(2 * count, seed);
  std::vector<std::complex<Real>> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = {numbers[2 * i], numbers[2 * i + 1]};
  return result;
}

template <typename Real>
std::vector<Wide> widened(const std::vector<std::complex<Real>>& values) {
  return {values.begin(), values.end()};
}

template <typename Real>
std::vector<Wide> widened(const std::vector<Real>& values) {
  return {values.begin(), values.end()};
}

template <typename To, typename From>
std::vector<To> narrowed(const std::vector<From>& values) {
  std::vector<To> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if constexpr (std::is_floating_point_v<To>) {
      result[i] = static_cast<To>(values[i].real());
    } else {
      result[i] = To(values[i]);
    }
  }
  return result;
}

// The bound of the relative error in the Euclidean norm: results in single precision are rounded
// once; double precision loses a little in each of log2(n) steps.
template <typename Real>
double error_bound(std::size_t n) {
  if (std::is_same_v<Real, float>) return 1e-7;
  return 1e-15 * (1 + std::log2(static_cast<double>(n)));
}

// |got - expected| / |expected|
template <typename Value>
double relative_error(const std::vector<Value>& got, const std::vector<Wide>& expected) {
  EXPECT_EQ(got.size(), expected.size());
  long double difference = 0;
  long double size = 0;
  for (std::size_t i = 0; i < expected.size() && i < got.size(); ++i) {
    difference += std::norm(Wide(got[i]) - expected[i]);
    size += std::norm(expected[i]);
  }
  return static_cast<double>(std::sqrt(difference / size));
}

}  // namespace mufft_tests
