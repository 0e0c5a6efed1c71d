// The sizes of work areas: every function gives the size that the plan then has.
#include <vector>

#include "tests/host/mufft/with_plan.h"

namespace mufft_tests {
namespace {

// What mufftGetSize says of the plan that `make` makes.
template <typename Make>
std::size_t size_of_plan(Make make) {
  const OwnedPlan plan(make);
  std::size_t bytes = 0;
  EXPECT_EQ(mufftGetSize(plan.get(), &bytes), MUFFT_SUCCESS);
  EXPECT_GT(bytes, 0U);
  return bytes;
}

std::size_t size_1d() {
  return size_of_plan([](mufftHandle* plan) { return mufftPlan1d(plan, 30, MUFFT_R2C, 2); });
}
std::size_t size_2d() {
  return size_of_plan([](mufftHandle* plan) { return mufftPlan2d(plan, 30, 8, MUFFT_C2R); });
}
std::size_t size_3d() {
  return size_of_plan([](mufftHandle* plan) { return mufftPlan3d(plan, 30, 8, 3, MUFFT_Z2Z); });
}

TEST(MufftSizes, mufftEstimate1d_is_the_size_of_the_plan) {
  std::size_t bytes = 0;
  EXPECT_EQ(mufftEstimate1d(30, MUFFT_R2C, 2, &bytes), MUFFT_SUCCESS);
  EXPECT_EQ(bytes, size_1d());
  EXPECT_EQ(mufftEstimate1d(0, MUFFT_R2C, 2, &bytes), MUFFT_INVALID_SIZE);
}

TEST(MufftSizes, mufftEstimate2d_is_the_size_of_the_plan) {
  std::size_t bytes = 0;
  EXPECT_EQ(mufftEstimate2d(30, 8, MUFFT_C2R, &bytes), MUFFT_SUCCESS);
  EXPECT_EQ(bytes, size_2d());
  EXPECT_EQ(mufftEstimate2d(30, 0, MUFFT_C2R, &bytes), MUFFT_INVALID_SIZE);
}

TEST(MufftSizes, mufftEstimate3d_is_the_size_of_the_plan) {
  std::size_t bytes = 0;
  EXPECT_EQ(mufftEstimate3d(30, 8, 3, MUFFT_Z2Z, &bytes), MUFFT_SUCCESS);
  EXPECT_EQ(bytes, size_3d());
  EXPECT_EQ(mufftEstimate3d(30, 8, -3, MUFFT_Z2Z, &bytes), MUFFT_INVALID_SIZE);
}

TEST(MufftSizes, mufftEstimateMany_is_the_size_of_the_plan) {
  std::size_t bytes = 0;
  int n[] = {30, 8, 3};
  EXPECT_EQ(mufftEstimateMany(3, n, nullptr, 1, 1, nullptr, 1, 1, MUFFT_Z2Z, 1, &bytes),
            MUFFT_SUCCESS);
  EXPECT_EQ(bytes, size_3d());
  EXPECT_EQ(mufftEstimateMany(4, n, nullptr, 1, 1, nullptr, 1, 1, MUFFT_Z2Z, 1, &bytes),
            MUFFT_INVALID_VALUE);
}

TEST(MufftSizes, mufftGetSize1d_is_the_size_of_the_plan) {
  const BareHandle handle;
  std::size_t bytes = 0;
  EXPECT_EQ(mufftGetSize1d(handle.get(), 30, MUFFT_R2C, 2, &bytes), MUFFT_SUCCESS);
  EXPECT_EQ(bytes, size_1d());
}

TEST(MufftSizes, mufftGetSize2d_is_the_size_of_the_plan) {
  const BareHandle handle;
  std::size_t bytes = 0;
  EXPECT_EQ(mufftGetSize2d(handle.get(), 30, 8, MUFFT_C2R, &bytes), MUFFT_SUCCESS);
  EXPECT_EQ(bytes, size_2d());
}

TEST(MufftSizes, mufftGetSize3d_is_the_size_of_the_plan) {
  const BareHandle handle;
  std::size_t bytes = 0;
  EXPECT_EQ(mufftGetSize3d(handle.get(), 30, 8, 3, MUFFT_Z2Z, &bytes), MUFFT_SUCCESS);
  EXPECT_EQ(bytes, size_3d());
}

TEST(MufftSizes, mufftGetSizeMany_is_the_size_of_the_plan) {
  const BareHandle handle;
  std::size_t bytes = 0;
  int n[] = {30, 8};
  EXPECT_EQ(
      mufftGetSizeMany(handle.get(), 2, n, nullptr, 1, 1, nullptr, 1, 1, MUFFT_C2R, 1, &bytes),
      MUFFT_SUCCESS);
  EXPECT_EQ(bytes, size_2d());
}

TEST(MufftSizes, mufftGetSize_needs_a_plan) {
  const BareHandle handle;
  std::size_t bytes = 0;
  EXPECT_EQ(mufftGetSize(handle.get(), &bytes), MUFFT_INVALID_PLAN);
  std::size_t made = 0;
  ASSERT_EQ(mufftMakePlan1d(handle.get(), 30, MUFFT_R2C, 2, &made), MUFFT_SUCCESS);
  EXPECT_EQ(mufftGetSize(handle.get(), nullptr), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftGetSize(handle.get(), &bytes), MUFFT_SUCCESS);
  EXPECT_EQ(bytes, made);
  EXPECT_EQ(bytes, size_1d());
}

}  // namespace
}  // namespace mufft_tests
