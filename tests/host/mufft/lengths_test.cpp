// Transforms in one dimension of every kind of length, against the definition.
#include <complex>
#include <vector>

#include "tests/host/mufft/reference.h"
#include "tests/host/mufft/with_plan.h"

namespace mufft_tests {
namespace {

std::vector<int> lengths_to_test() {
  std::vector<int> lengths;
  for (int n = 1; n <= 64; ++n) lengths.push_back(n);
  // Powers of 2, 3, 5, 7; primes; products of a prime that is large and small factors.
  for (const int n : {128,     256,    1024, 81,  243, 729, 125, 625, 49,   343,
                      67,      127,    131,  257, 521, 134, 402, 106, 1060, 2 * 3 * 5 * 7 * 3,
                      47 * 47, 53 * 53}) {
    lengths.push_back(n);
  }
  return lengths;
}

template <typename Real>
void complex_to_complex() {
  for (const int n : lengths_to_test()) {
    const OwnedPlan plan = plan_1d(n, kComplexToComplex<Real>);
    const auto in = random_complex<Real>(n, n);
    for (const int direction : {MUFFT_FORWARD, MUFFT_INVERSE}) {
      const auto out = plan.run<std::complex<Real>>(in, n, direction);
      EXPECT_LE(relative_error(out, reference(widened(in), {n}, direction)), error_bound<Real>(n))
          << n << " " << direction;
    }
  }
}

template <typename Real>
void real_to_complex() {
  for (const int n : lengths_to_test()) {
    const OwnedPlan plan = plan_1d(n, kRealToComplex<Real>);
    const auto in = random_reals<Real>(n, n);
    const auto out = plan.run<std::complex<Real>>(in, n / 2 + 1);
    const auto expected = half_rows(reference(widened(in), {n}, MUFFT_FORWARD), n);
    EXPECT_LE(relative_error(out, expected), error_bound<Real>(n)) << n;
  }
}

template <typename Real>
void complex_to_real() {
  for (const int n : lengths_to_test()) {
    const OwnedPlan plan = plan_1d(n, kComplexToReal<Real>);
    auto in = random_complex<Real>(n / 2 + 1, n);
    in[0] = in[0].real();
    if (n % 2 == 0) in[n / 2] = in[n / 2].real();
    const auto out = plan.run<Real>(in, n);
    const auto expected = reference(whole_row(widened(in), n), {n}, MUFFT_INVERSE);
    EXPECT_LE(relative_error(out, expected), error_bound<Real>(n)) << n;
  }
}

// Every element is wrong if the angles are, so a sample is enough.
template <typename Real>
void large_prime(int n) {
  const OwnedPlan plan = plan_1d(n, kComplexToComplex<Real>);
  const auto in = random_complex<Real>(n, 1);
  const auto wide = widened(in);
  const auto out = plan.run<std::complex<Real>>(in, n);
  const std::vector<int> elements = {0, 1, 2, n / 3, n / 2, n / 2 + 1, n - 2, n - 1};
  std::vector<std::complex<Real>> sample;
  for (const int k : elements) sample.push_back(out[k]);
  const auto expected = reference_at(wide, elements, MUFFT_FORWARD);
  EXPECT_LE(relative_error(sample, expected), error_bound<Real>(n)) << n;

  auto back = plan.run<std::complex<Real>>(out, n, MUFFT_INVERSE);
  for (auto& value : back) value /= static_cast<Real>(n);
  EXPECT_LE(relative_error(back, wide), 2 * error_bound<Real>(n)) << n;
}

TEST(MufftLengths, mufftExecC2C_matches_the_definition) { complex_to_complex<float>(); }
TEST(MufftLengths, mufftExecZ2Z_matches_the_definition) { complex_to_complex<double>(); }
TEST(MufftLengths, mufftExecR2C_matches_the_definition) { real_to_complex<float>(); }
TEST(MufftLengths, mufftExecD2Z_matches_the_definition) { real_to_complex<double>(); }
TEST(MufftLengths, mufftExecC2R_matches_the_definition) { complex_to_real<float>(); }
TEST(MufftLengths, mufftExecZ2D_matches_the_definition) { complex_to_real<double>(); }

TEST(MufftLengths, PrimesAreExact) {
  for (const int n : {997, 10007, 65537}) {
    large_prime<float>(n);
    large_prime<double>(n);
  }
}

// In quadratic time, this would take hours.
TEST(MufftLengths, APrimeAboveAMillionIsExactAndNotQuadratic) {
  large_prime<double>(1000003);
  large_prime<float>(1000003);
}

TEST(MufftLengths, ALargePowerOfTwoIsExact) { large_prime<double>(1 << 20); }

TEST(MufftLengths, ALongRealRowOfOddLengthComesBack) {
  constexpr int kN = 500009;  // prime
  const OwnedPlan there = plan_1d(kN, MUFFT_D2Z);
  const OwnedPlan back = plan_1d(kN, MUFFT_Z2D);
  const auto in = random_reals<double>(kN, 3);
  const auto spectrum = there.run<std::complex<double>>(in, kN / 2 + 1);
  auto out = back.run<double>(spectrum, kN);
  for (double& value : out) value /= kN;
  EXPECT_LE(relative_error(out, widened(in)), 2 * error_bound<double>(kN));
  const std::vector<std::complex<double>> sample{spectrum[kN / 2]};
  EXPECT_LE(relative_error(sample, reference_at(widened(in), {kN / 2}, MUFFT_FORWARD)),
            error_bound<double>(kN));
}

// What would be the imaginary part of a real number does not count.
TEST(MufftLengths, mufftExecZ2D_ignores_imaginary_parts_of_the_mean_and_the_middle) {
  for (const int n : {8, 9}) {
    const OwnedPlan plan = plan_1d(n, MUFFT_Z2D);
    auto in = random_complex<double>(n / 2 + 1, 5);
    auto plain = in;
    plain[0] = plain[0].real();
    if (n % 2 == 0) plain[n / 2] = plain[n / 2].real();
    EXPECT_EQ(plan.run<double>(in, n), plan.run<double>(plain, n));
  }
}

}  // namespace
}  // namespace mufft_tests
