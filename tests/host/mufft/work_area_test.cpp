// Work areas of the caller.
#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

#include "tests/host/mufft/reference.h"
#include "tests/host/mufft/with_plan.h"

namespace mufft_tests {
namespace {

using Complex = std::complex<double>;

constexpr int kElements = 12;

class PlanWithoutArea {
 public:
  PlanWithoutArea() {
    EXPECT_EQ(mufftSetAutoAllocation(handle_.get(), 0), MUFFT_SUCCESS);
    EXPECT_EQ(mufftMakePlan1d(handle_.get(), kElements, MUFFT_Z2Z, 1, &bytes_), MUFFT_SUCCESS);
  }

  mufftHandle get() const { return handle_.get(); }
  std::size_t bytes() const { return bytes_; }
  mufftResult run() const {
    const mufftResult status = execute(get(), in_.data(), out_.data(), MUFFT_FORWARD);
    EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
    return status;
  }
  double error() const {
    return relative_error(out_.values(),
                          reference(widened(in_.values()), {kElements}, MUFFT_FORWARD));
  }

 private:
  BareHandle handle_;
  std::size_t bytes_ = 0;
  DeviceArray<Complex> in_{random_complex<double>(kElements, 1)};
  DeviceArray<Complex> out_{std::vector<Complex>(kElements)};
};

TEST(MufftWorkArea, mufftSetAutoAllocation_leaves_the_area_to_the_caller) {
  const PlanWithoutArea plan;
  EXPECT_EQ(plan.run(), MUFFT_NO_WORKSPACE);
}

TEST(MufftWorkArea, mufftSetAutoAllocation_allocates_again) {
  const BareHandle handle;
  std::size_t bytes = 0;
  EXPECT_EQ(mufftSetAutoAllocation(handle.get(), 0), MUFFT_SUCCESS);
  EXPECT_EQ(mufftSetAutoAllocation(handle.get(), 1), MUFFT_SUCCESS);
  EXPECT_EQ(mufftMakePlan1d(handle.get(), kElements, MUFFT_Z2Z, 1, &bytes), MUFFT_SUCCESS);
  const DeviceArray<Complex> data{std::vector<Complex>(kElements)};
  EXPECT_EQ(execute(handle.get(), data.data(), data.data(), MUFFT_FORWARD), MUFFT_SUCCESS);
  EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
}

// The plan works in the memory it was given, and not beyond its size.
TEST(MufftWorkArea, mufftSetWorkArea_gives_the_plan_its_memory) {
  const PlanWithoutArea plan;
  constexpr unsigned char kUntouched = 0xA5;
  const std::vector<unsigned char> before(plan.bytes() + 64, kUntouched);
  const DeviceArray<unsigned char> area(before);
  EXPECT_EQ(mufftSetWorkArea(plan.get(), area.data()), MUFFT_SUCCESS);
  EXPECT_EQ(plan.run(), MUFFT_SUCCESS);
  EXPECT_LE(plan.error(), error_bound<double>(kElements));
  const auto after = area.values();
  EXPECT_NE(after, before);
  EXPECT_TRUE(std::equal(after.end() - 64, after.end(), before.end() - 64));
}

TEST(MufftWorkArea, mufftSetWorkArea_replaces_the_area_of_the_plan) {
  const OwnedPlan plan = plan_1d(kElements, MUFFT_Z2Z);
  std::size_t bytes = 0;
  ASSERT_EQ(mufftGetSize(plan.get(), &bytes), MUFFT_SUCCESS);
  const std::vector<unsigned char> before(bytes, 0xA5);
  const DeviceArray<unsigned char> area(before);
  EXPECT_EQ(mufftSetWorkArea(plan.get(), area.data()), MUFFT_SUCCESS);
  plan.run<Complex>(random_complex<double>(kElements, 2), kElements);
  EXPECT_NE(area.values(), before);
  // No area at all is no area.
  EXPECT_EQ(mufftSetWorkArea(plan.get(), nullptr), MUFFT_SUCCESS);
  const DeviceArray<Complex> data{std::vector<Complex>(kElements)};
  EXPECT_EQ(execute(plan.get(), data.data(), data.data(), MUFFT_FORWARD), MUFFT_NO_WORKSPACE);
  EXPECT_EQ(mufftSetWorkArea(plan.get(), area.data() + 1), MUFFT_INVALID_VALUE);
}

}  // namespace
}  // namespace mufft_tests
