// mufftXt.h: plans with element types of the runtime, and what the stand-in refuses.
#include <mufftXt.h>

#include <complex>
#include <vector>

#include "tests/host/mufft/reference.h"
#include "tests/host/mufft/with_plan.h"

namespace mufft_tests {
namespace {

using Complex = std::complex<double>;

constexpr int kNine = 9;

mufftResult make(mufftHandle plan, musaDataType in, musaDataType out, musaDataType execution,
                 long long batch = 1) {
  long long n[] = {kNine};
  std::size_t bytes = 0;
  return mufftXtMakePlanMany(plan, 1, n, nullptr, 1, 1, in, nullptr, 1, 1, out, batch, &bytes,
                             execution);
}

// Runs a plan of these types through mufftXtExec, and compares it with `expected`.
template <typename In, typename Out>
void expect_output(musaDataType in_type, musaDataType out_type, musaDataType execution,
                   const std::vector<In>& in, const std::vector<Out>& expected, int direction) {
  const BareHandle plan;
  ASSERT_EQ(make(plan.get(), in_type, out_type, execution), MUFFT_SUCCESS);
  const DeviceArray<In> input(in);
  const DeviceArray<Out> output{std::vector<Out>(expected.size())};
  EXPECT_EQ(mufftXtExec(plan.get(), input.data(), output.data(), direction), MUFFT_SUCCESS);
  EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
  EXPECT_EQ(output.values(), expected);
}

template <typename Real>
void every_kind(musaDataType real, musaDataType complex) {
  using Value = std::complex<Real>;
  const auto numbers = random_complex<Real>(kNine, 1);
  const OwnedPlan plan = plan_1d(kNine, kComplexToComplex<Real>);
  for (const int direction : {MUFFT_FORWARD, MUFFT_INVERSE}) {
    expect_output(complex, complex, complex, numbers, plan.run<Value>(numbers, kNine, direction),
                  direction);
  }
  const auto reals = random_reals<Real>(kNine, 2);
  const OwnedPlan there = plan_1d(kNine, kRealToComplex<Real>);
  const auto spectrum = there.run<Value>(reals, kNine / 2 + 1);
  const OwnedPlan back = plan_1d(kNine, kComplexToReal<Real>);
  const auto returned = back.run<Real>(spectrum, kNine);
  // A direction has no meaning here.
  for (const int direction : {MUFFT_FORWARD, MUFFT_INVERSE, 0}) {
    expect_output(real, complex, complex, reals, spectrum, direction);
    expect_output(complex, real, complex, spectrum, returned, direction);
  }
}

TEST(MufftXt, mufftXtExec_runs_every_kind_of_plan_in_single) {
  every_kind<float>(MUSA_R_32F, MUSA_C_32F);
}
TEST(MufftXt, mufftXtExec_runs_every_kind_of_plan_in_double) {
  every_kind<double>(MUSA_R_64F, MUSA_C_64F);
}

TEST(MufftXt, mufftXtExec_checks_its_arguments) {
  const OwnedPlan plan = plan_1d(kNine, MUFFT_Z2Z);
  const DeviceArray<Complex> data{std::vector<Complex>(kNine)};
  EXPECT_EQ(mufftXtExec(plan.get(), data.data(), data.data(), 0), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftXtExec(plan.get(), nullptr, data.data(), MUFFT_FORWARD), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftXtExec(nullptr, data.data(), data.data(), MUFFT_FORWARD), MUFFT_INVALID_PLAN);
}

TEST(MufftXt, mufftXtMakePlanMany_places_elements_as_mufftPlanMany) {
  int n[] = {3, 5};
  int inembed[] = {3, 6};
  int onembed[] = {3, 7};
  long long wide_n[] = {3, 5};
  long long wide_inembed[] = {3, 6};
  long long wide_onembed[] = {3, 7};
  const OwnedPlan plain([&](mufftHandle* plan) {
    return mufftPlanMany(plan, 2, n, inembed, 2, 50, onembed, 1, 30, MUFFT_Z2Z, 2);
  });
  std::size_t bytes = 0;
  const OwnedPlan xt([&](mufftHandle* plan) {
    EXPECT_EQ(mufftCreate(plan), MUFFT_SUCCESS);
    return mufftXtMakePlanMany(*plan, 2, wide_n, wide_inembed, 2, 50, MUSA_C_64F, wide_onembed, 1,
                               30, MUSA_C_64F, 2, &bytes, MUSA_C_64F);
  });
  const auto in = random_complex<double>(100, 3);
  EXPECT_EQ(xt.run<Complex>(in, 60), plain.run<Complex>(in, 60));
  std::size_t plain_bytes = 0;
  EXPECT_EQ(mufftGetSize(plain.get(), &plain_bytes), MUFFT_SUCCESS);
  EXPECT_EQ(bytes, plain_bytes);
}

TEST(MufftXt, mufftXtMakePlanMany_refuses_types_and_sizes) {
  const BareHandle plan;
  EXPECT_EQ(make(plan.get(), MUSA_C_16F, MUSA_C_16F, MUSA_C_16F), MUFFT_NOT_SUPPORTED);
  EXPECT_EQ(make(plan.get(), MUSA_R_16BF, MUSA_C_16BF, MUSA_C_16BF), MUFFT_NOT_SUPPORTED);
  EXPECT_EQ(make(plan.get(), MUSA_R_32F, MUSA_R_32F, MUSA_C_32F), MUFFT_INVALID_TYPE);
  EXPECT_EQ(make(plan.get(), MUSA_C_32F, MUSA_C_64F, MUSA_C_64F), MUFFT_INVALID_TYPE);
  EXPECT_EQ(make(plan.get(), MUSA_R_64F, MUSA_C_32F, MUSA_C_32F), MUFFT_INVALID_TYPE);
  EXPECT_EQ(make(plan.get(), MUSA_C_32F, MUSA_R_64F, MUSA_C_32F), MUFFT_INVALID_TYPE);
  EXPECT_EQ(make(plan.get(), MUSA_C_32F, MUSA_C_32F, MUSA_R_32F), MUFFT_INVALID_TYPE);
  EXPECT_EQ(make(plan.get(), MUSA_C_8I, MUSA_C_8I, MUSA_C_8I), MUFFT_INVALID_TYPE);
  EXPECT_EQ(make(plan.get(), MUSA_C_32F, MUSA_C_32F, MUSA_C_32F, 0), MUFFT_INVALID_SIZE);
  EXPECT_EQ(make(plan.get(), MUSA_C_32F, MUSA_C_32F, MUSA_C_32F, 1LL << 62), MUFFT_INVALID_SIZE);
  EXPECT_EQ(make(nullptr, MUSA_C_32F, MUSA_C_32F, MUSA_C_32F), MUFFT_INVALID_PLAN);
}

TEST(MufftXt, mufftXtGetSizeMany_is_the_size_of_the_plan) {
  const BareHandle handle;
  long long n[] = {30, 8};
  std::size_t bytes = 0;
  EXPECT_EQ(mufftXtGetSizeMany(handle.get(), 2, n, nullptr, 1, 1, MUSA_C_32F, nullptr, 1, 1,
                               MUSA_R_32F, 1, &bytes, MUSA_C_32F),
            MUFFT_SUCCESS);
  std::size_t expected = 0;
  EXPECT_EQ(mufftEstimate2d(30, 8, MUFFT_C2R, &expected), MUFFT_SUCCESS);
  EXPECT_EQ(bytes, expected);
  EXPECT_EQ(mufftXtGetSizeMany(nullptr, 2, n, nullptr, 1, 1, MUSA_C_32F, nullptr, 1, 1, MUSA_R_32F,
                               1, &bytes, MUSA_C_32F),
            MUFFT_INVALID_PLAN);
}

}  // namespace
}  // namespace mufft_tests
