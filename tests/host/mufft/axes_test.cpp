// Transforms in two and three dimensions against the definition.
#include <complex>
#include <functional>
#include <numeric>
#include <vector>

#include "tests/host/mufft/reference.h"
#include "tests/host/mufft/with_plan.h"

namespace mufft_tests {
namespace {

OwnedPlan plan_of(const Lengths& n, mufftType type) {
  return OwnedPlan([&](mufftHandle* plan) {
    return n.size() == 2 ? mufftPlan2d(plan, n[0], n[1], type)
                         : mufftPlan3d(plan, n[0], n[1], n[2], type);
  });
}

std::size_t product(const Lengths& n) {
  return std::accumulate(n.begin(), n.end(), std::size_t{1}, std::multiplies<>());
}

template <typename Real>
void all_kinds(const std::vector<Lengths>& shapes) {
  for (const Lengths& n : shapes) {
    SCOPED_TRACE(testing::PrintToString(n));
    const std::size_t size = product(n);
    const int row = n.back();
    const std::size_t half_size = size / row * (row / 2 + 1);

    const auto in = random_complex<Real>(size, 7);
    const OwnedPlan plan = plan_of(n, kComplexToComplex<Real>);
    for (const int direction : {MUFFT_FORWARD, MUFFT_INVERSE}) {
      EXPECT_LE(relative_error(plan.run<std::complex<Real>>(in, size, direction),
                               reference(widened(in), n, direction)),
                error_bound<Real>(size));
    }

    const auto real = random_reals<Real>(size, 8);
    const auto half = half_rows(reference(widened(real), n, MUFFT_FORWARD), row);
    const OwnedPlan to_complex = plan_of(n, kRealToComplex<Real>);
    EXPECT_LE(relative_error(to_complex.run<std::complex<Real>>(real, half_size), half),
              error_bound<Real>(size));

    const OwnedPlan to_real = plan_of(n, kComplexToReal<Real>);
    auto back = to_real.run<Real>(narrowed<std::complex<Real>>(half), size);
    for (Real& value : back) value /= static_cast<Real>(size);
    EXPECT_LE(relative_error(back, widened(real)), 2 * error_bound<Real>(size));
  }
}

const std::vector<Lengths> kPlanes = {{1, 1}, {1, 6}, {6, 1},   {4, 8},  {8, 4}, {3, 5},
                                      {5, 3}, {7, 9}, {16, 15}, {59, 4}, {4, 61}};
const std::vector<Lengths> kCuboids = {{1, 1, 1}, {1, 1, 5}, {5, 1, 1}, {1, 5, 1}, {2, 3, 4},
                                       {4, 3, 2}, {3, 5, 7}, {7, 5, 3}, {8, 8, 8}, {5, 59, 2}};

TEST(MufftAxes, mufftPlan2d_matches_the_definition_in_single) { all_kinds<float>(kPlanes); }
TEST(MufftAxes, mufftPlan2d_matches_the_definition_in_double) { all_kinds<double>(kPlanes); }
TEST(MufftAxes, mufftPlan3d_matches_the_definition_in_single) { all_kinds<float>(kCuboids); }
TEST(MufftAxes, mufftPlan3d_matches_the_definition_in_double) { all_kinds<double>(kCuboids); }

}  // namespace
}  // namespace mufft_tests
