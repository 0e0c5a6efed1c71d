// Calls that are refused, and with which error.
#include <climits>
#include <complex>
#include <cstddef>
#include <iterator>
#include <vector>

#include "tests/host/mufft/with_plan.h"

namespace mufft_tests {
namespace {

using Single = std::complex<float>;
using Double = std::complex<double>;

constexpr auto kNoType = static_cast<mufftType>(0x28);

TEST(MufftRefusals, mufftPlan1d_refuses_wrong_arguments) {
  mufftHandle plan = nullptr;
  EXPECT_EQ(mufftPlan1d(nullptr, 8, MUFFT_C2C, 1), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftPlan1d(&plan, 0, MUFFT_C2C, 1), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftPlan1d(&plan, -8, MUFFT_C2C, 1), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftPlan1d(&plan, 8, MUFFT_C2C, 0), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftPlan1d(&plan, 8, MUFFT_C2C, -1), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftPlan1d(&plan, 8, kNoType, 1), MUFFT_INVALID_TYPE);
  EXPECT_EQ(plan, nullptr);
}

TEST(MufftRefusals, mufftPlan2d_refuses_wrong_arguments) {
  mufftHandle plan = nullptr;
  EXPECT_EQ(mufftPlan2d(nullptr, 8, 8, MUFFT_C2C), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftPlan2d(&plan, 0, 8, MUFFT_C2C), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftPlan2d(&plan, 8, -1, MUFFT_C2C), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftPlan2d(&plan, 8, 8, kNoType), MUFFT_INVALID_TYPE);
}

TEST(MufftRefusals, mufftPlan3d_refuses_wrong_arguments) {
  mufftHandle plan = nullptr;
  EXPECT_EQ(mufftPlan3d(nullptr, 8, 8, 8, MUFFT_C2C), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftPlan3d(&plan, 8, 8, 0, MUFFT_C2C), MUFFT_INVALID_SIZE);
  EXPECT_EQ(mufftPlan3d(&plan, 8, 8, 8, kNoType), MUFFT_INVALID_TYPE);
}

TEST(MufftRefusals, mufftPlanMany_refuses_wrong_arguments) {
  mufftHandle plan = nullptr;
  int n[] = {4, 4, 4, 4};
  int embed[] = {4, 4, 4, 4};
  int empty[] = {4, 0, 4, 4};
  const auto many = [&](int rank, int* lengths, int* inembed, int istride, int idist, int* onembed,
                        int ostride, int odist, int batch) {
    return mufftPlanMany(&plan, rank, lengths, inembed, istride, idist, onembed, ostride, odist,
                         MUFFT_C2C, batch);
  };
  EXPECT_EQ(mufftPlanMany(nullptr, 1, n, nullptr, 1, 4, nullptr, 1, 4, MUFFT_C2C, 1),
            MUFFT_INVALID_VALUE);
  EXPECT_EQ(many(0, n, nullptr, 1, 4, nullptr, 1, 4, 1), MUFFT_INVALID_VALUE);
  EXPECT_EQ(many(4, n, nullptr, 1, 4, nullptr, 1, 4, 1), MUFFT_INVALID_VALUE);
  EXPECT_EQ(many(1, nullptr, nullptr, 1, 4, nullptr, 1, 4, 1), MUFFT_INVALID_VALUE);
  EXPECT_EQ(many(2, empty, nullptr, 1, 4, nullptr, 1, 4, 1), MUFFT_INVALID_SIZE);
  EXPECT_EQ(many(1, n, embed, 1, 4, embed, 1, 4, 0), MUFFT_INVALID_SIZE);
  EXPECT_EQ(many(1, n, embed, 0, 4, embed, 1, 4, 1), MUFFT_INVALID_VALUE);
  EXPECT_EQ(many(1, n, embed, 1, 4, embed, -1, 4, 1), MUFFT_INVALID_VALUE);
  EXPECT_EQ(many(1, n, embed, 1, 0, embed, 1, 4, 2), MUFFT_INVALID_VALUE);
  EXPECT_EQ(many(1, n, embed, 1, 4, embed, 1, -4, 2), MUFFT_INVALID_VALUE);
  EXPECT_EQ(many(2, n, embed, 1, 16, empty, 1, 16, 1), MUFFT_INVALID_SIZE);
  int huge[] = {INT_MAX, INT_MAX, INT_MAX};
  EXPECT_EQ(many(3, huge, nullptr, 1, 1, nullptr, 1, 1, INT_MAX), MUFFT_INVALID_SIZE);
  EXPECT_EQ(many(3, n, huge, INT_MAX, 1, huge, INT_MAX, 1, 1), MUFFT_INVALID_SIZE);
  EXPECT_EQ(plan, nullptr);
}

TEST(MufftRefusals, PlansLargerThanTheDeviceAreNotMade) {
  mufftHandle plan = nullptr;
  EXPECT_EQ(mufftPlan3d(&plan, 100000, 10000, 1000, MUFFT_Z2Z), MUFFT_ALLOC_FAILED);
  EXPECT_EQ(plan, nullptr);
}

TEST(MufftRefusals, PlanningNeedsAPlaceForTheSize) {
  const BareHandle handle;
  int n[] = {4};
  EXPECT_EQ(mufftMakePlan1d(handle.get(), 8, MUFFT_C2C, 1, nullptr), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftMakePlan2d(handle.get(), 8, 8, MUFFT_C2C, nullptr), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftMakePlan3d(handle.get(), 8, 8, 8, MUFFT_C2C, nullptr), MUFFT_INVALID_VALUE);
  EXPECT_EQ(
      mufftMakePlanMany(handle.get(), 1, n, nullptr, 1, 4, nullptr, 1, 4, MUFFT_C2C, 1, nullptr),
      MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftEstimate1d(8, MUFFT_C2C, 1, nullptr), MUFFT_INVALID_VALUE);
  EXPECT_EQ(mufftGetSize1d(handle.get(), 8, MUFFT_C2C, 1, nullptr), MUFFT_INVALID_VALUE);
}

// Executes with each of the six functions; all buffers are large enough.
class EachExecution {
 public:
  explicit EachExecution(mufftHandle plan) : plan_(plan) {}

  mufftResult c2c() { return execute(plan_, single_, single_, MUFFT_FORWARD); }
  mufftResult r2c() { return execute(plan_, real_, single_, MUFFT_FORWARD); }
  mufftResult c2r() { return execute(plan_, single_, real_, MUFFT_INVERSE); }
  mufftResult z2z() { return execute(plan_, double_, double_, MUFFT_FORWARD); }
  mufftResult d2z() { return execute(plan_, double_real_, double_, MUFFT_FORWARD); }
  mufftResult z2d() { return execute(plan_, double_, double_real_, MUFFT_INVERSE); }

  std::vector<mufftResult> all() { return {c2c(), r2c(), c2r(), z2z(), d2z(), z2d()}; }

 private:
  mufftHandle plan_;
  DeviceArray<Double> memory_{std::vector<Double>(64)};
  Double* double_ = memory_.data();
  double* double_real_ = reinterpret_cast<double*>(double_);
  Single* single_ = reinterpret_cast<Single*>(double_);
  float* real_ = reinterpret_cast<float*>(double_);
};

TEST(MufftRefusals, EachTypeOfPlanHasOneFunction) {
  const mufftType types[] = {MUFFT_C2C, MUFFT_R2C, MUFFT_C2R, MUFFT_Z2Z, MUFFT_D2Z, MUFFT_Z2D};
  for (std::size_t i = 0; i < std::size(types); ++i) {
    const OwnedPlan plan = plan_1d(8, types[i]);
    std::vector<mufftResult> expected(std::size(types), MUFFT_INVALID_TYPE);
    expected[i] = MUFFT_SUCCESS;
    EachExecution executions(plan.get());
    EXPECT_EQ(executions.all(), expected) << types[i];
    plan.stream().wait();
  }
}

TEST(MufftRefusals, DirectionsAndPointersAreChecked) {
  const OwnedPlan plan = plan_1d(4, MUFFT_C2C);
  const DeviceArray<Single> data{std::vector<Single>(4)};
  for (const int direction : {0, 2, -2}) {
    EXPECT_EQ(execute(plan.get(), data.data(), data.data(), direction), MUFFT_INVALID_VALUE);
  }
  Single* const none = nullptr;
  EXPECT_EQ(execute(plan.get(), none, data.data(), MUFFT_FORWARD), MUFFT_INVALID_VALUE);
  EXPECT_EQ(execute(plan.get(), data.data(), none, MUFFT_FORWARD), MUFFT_INVALID_VALUE);
}

TEST(MufftRefusals, AHandleWithoutAPlanExecutesNothing) {
  const BareHandle handle;
  EachExecution executions(handle.get());
  EXPECT_EQ(executions.all(), std::vector<mufftResult>(6, MUFFT_INVALID_PLAN));
}

TEST(MufftRefusals, DeadAndForeignHandlesAreErrors) {
  mufftHandle dead = nullptr;
  ASSERT_EQ(mufftCreate(&dead), MUFFT_SUCCESS);
  ASSERT_EQ(mufftDestroy(dead), MUFFT_SUCCESS);
  int not_a_plan = 0;
  const auto foreign = reinterpret_cast<mufftHandle>(&not_a_plan);
  for (const mufftHandle handle : {mufftHandle{nullptr}, dead, foreign}) {
    std::size_t bytes = 0;
    int n[] = {4};
    EachExecution executions(handle);
    EXPECT_EQ(executions.all(), std::vector<mufftResult>(6, MUFFT_INVALID_PLAN));
    EXPECT_EQ(mufftDestroy(handle), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftSetStream(handle, nullptr), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftSetWorkArea(handle, nullptr), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftSetAutoAllocation(handle, 1), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftMakePlan1d(handle, 4, MUFFT_C2C, 1, &bytes), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftMakePlan2d(handle, 4, 4, MUFFT_C2C, &bytes), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftMakePlan3d(handle, 4, 4, 4, MUFFT_C2C, &bytes), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftMakePlanMany(handle, 1, n, nullptr, 1, 4, nullptr, 1, 4, MUFFT_C2C, 1, &bytes),
              MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftGetSize(handle, &bytes), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftGetSize1d(handle, 4, MUFFT_C2C, 1, &bytes), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftGetSize2d(handle, 4, 4, MUFFT_C2C, &bytes), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftGetSize3d(handle, 4, 4, 4, MUFFT_C2C, &bytes), MUFFT_INVALID_PLAN);
    EXPECT_EQ(mufftGetSizeMany(handle, 1, n, nullptr, 1, 4, nullptr, 1, 4, MUFFT_C2C, 1, &bytes),
              MUFFT_INVALID_PLAN);
  }
}

}  // namespace
}  // namespace mufft_tests
