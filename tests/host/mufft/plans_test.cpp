// Handles and plans: what each planning function makes, and what the settings do.
#include <complex>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "tests/host/mufft/reference.h"
#include "tests/host/mufft/with_plan.h"

namespace mufft_tests {
namespace {

using Complex = std::complex<double>;

// The runtime reads this at its first call, which follows.
[[maybe_unused]] const int kTwoDevices = setenv("TORCHADA_HOST_DEVICES", "2", 1);

// Executes a plan of 24 complex numbers that was made in `handle`.
std::vector<Complex> run_24(mufftHandle handle) {
  const DeviceArray<Complex> in(random_complex<double>(24, 1));
  const DeviceArray<Complex> out{std::vector<Complex>(24)};
  EXPECT_EQ(execute(handle, in.data(), out.data(), MUFFT_FORWARD), MUFFT_SUCCESS);
  EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
  return out.values();
}

// How far the result is from transforms with these lengths, one after the other.
double error_of_24(mufftHandle handle, const Lengths& lengths) {
  const auto in = widened(random_complex<double>(24, 1));
  const int size = std::accumulate(lengths.begin(), lengths.end(), 1, std::multiplies<>());
  std::vector<Wide> expected;
  for (auto start = in.begin(); start != in.end(); start += size) {
    const auto one = reference({start, start + size}, lengths, MUFFT_FORWARD);
    expected.insert(expected.end(), one.begin(), one.end());
  }
  return relative_error(run_24(handle), expected);
}

TEST(MufftPlans, mufftCreate_makes_handles_that_differ) {
  const BareHandle one;
  const BareHandle two;
  EXPECT_NE(one.get(), nullptr);
  EXPECT_NE(one.get(), two.get());
  EXPECT_EQ(mufftCreate(nullptr), MUFFT_INVALID_VALUE);
}

TEST(MufftPlans, mufftDestroy_refuses_a_second_time) {
  mufftHandle handle = nullptr;
  ASSERT_EQ(mufftCreate(&handle), MUFFT_SUCCESS);
  EXPECT_EQ(mufftDestroy(handle), MUFFT_SUCCESS);
  EXPECT_EQ(mufftDestroy(handle), MUFFT_INVALID_PLAN);
}

TEST(MufftPlans, mufftMakePlan1d_plans) {
  const BareHandle handle;
  std::size_t bytes = 0;
  EXPECT_EQ(mufftMakePlan1d(handle.get(), 8, MUFFT_Z2Z, 3, &bytes), MUFFT_SUCCESS);
  EXPECT_GT(bytes, 0U);
  EXPECT_LE(error_of_24(handle.get(), {8}), 1e-14);
}

TEST(MufftPlans, mufftMakePlan2d_plans) {
  const BareHandle handle;
  std::size_t bytes = 0;
  EXPECT_EQ(mufftMakePlan2d(handle.get(), 4, 6, MUFFT_Z2Z, &bytes), MUFFT_SUCCESS);
  EXPECT_GT(bytes, 0U);
  EXPECT_LE(error_of_24(handle.get(), {4, 6}), 1e-14);
}

TEST(MufftPlans, mufftMakePlan3d_plans) {
  const BareHandle handle;
  std::size_t bytes = 0;
  EXPECT_EQ(mufftMakePlan3d(handle.get(), 4, 2, 3, MUFFT_Z2Z, &bytes), MUFFT_SUCCESS);
  EXPECT_GT(bytes, 0U);
  EXPECT_LE(error_of_24(handle.get(), {4, 2, 3}), 1e-14);
}

TEST(MufftPlans, mufftMakePlanMany_plans) {
  const BareHandle handle;
  std::size_t bytes = 0;
  int n[] = {12};
  EXPECT_EQ(
      mufftMakePlanMany(handle.get(), 1, n, nullptr, 1, 0, nullptr, 1, 0, MUFFT_Z2Z, 2, &bytes),
      MUFFT_SUCCESS);
  EXPECT_GT(bytes, 0U);
  EXPECT_LE(error_of_24(handle.get(), {12}), 1e-14);
}

TEST(MufftPlans, OneHandlePlansOnce) {
  const BareHandle handle;
  std::size_t bytes = 0;
  // A plan that could not be made leaves the handle as it was.
  EXPECT_EQ(mufftMakePlan1d(handle.get(), -1, MUFFT_Z2Z, 1, &bytes), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftMakePlan1d(handle.get(), 24, MUFFT_Z2Z, 1, &bytes), MUFFT_SUCCESS);
  EXPECT_EQ(mufftMakePlan1d(handle.get(), 24, MUFFT_Z2Z, 1, &bytes), MUFFT_INVALID_PLAN);
  EXPECT_LE(error_of_24(handle.get(), {24}), 1e-14);
}

TEST(MufftPlans, APlanThatCannotBeMadeLeavesTheHandleAlone) {
  int not_a_plan = 0;
  const auto before = reinterpret_cast<mufftHandle>(&not_a_plan);
  mufftHandle handle = before;
  EXPECT_EQ(mufftPlan1d(&handle, 0, MUFFT_Z2Z, 1), MUFFT_INVALID_SIZE);
  EXPECT_EQ(handle, before);
}

TEST(MufftPlans, APlanServesTheDeviceItWasMadeOn) {
  int devices = 0;
  ASSERT_EQ(musaGetDeviceCount(&devices), musaSuccess);
  ASSERT_EQ(devices, 2);
  const OwnedPlan plan = plan_1d(24, MUFFT_Z2Z);
  ASSERT_EQ(musaSetDevice(1), musaSuccess);
  const DeviceArray<Complex> data{std::vector<Complex>(24)};
  EXPECT_EQ(execute(plan.get(), data.data(), data.data(), MUFFT_FORWARD), MUFFT_INVALID_DEVICE);
  EXPECT_EQ(musaSetDevice(0), musaSuccess);
  EXPECT_EQ(execute(plan.get(), data.data(), data.data(), MUFFT_FORWARD), MUFFT_SUCCESS);
  plan.stream().wait();
}

}  // namespace
}  // namespace mufft_tests
