// Transforms run in the plan's stream.
#include <complex>
#include <vector>

#include "tests/host/mufft/reference.h"
#include "tests/host/mufft/with_plan.h"

namespace mufft_tests {
namespace {

using Complex = std::complex<double>;

constexpr int kPoints = 4;
const std::vector<Complex> kImpulse = {1, 0, 0, 0};
const std::vector<Complex> kOnes = {1, 1, 1, 1};

TEST(MufftStreams, mufftSetStream_decides_who_waits) {
  const OwnedPlan plan = plan_1d(kPoints, MUFFT_Z2Z);
  const Stream other;
  EXPECT_EQ(mufftSetStream(plan.get(), other.get()), MUFFT_SUCCESS);
  const DeviceArray<Complex> data(kImpulse);
  host_tests::Roadblock block(other);
  EXPECT_EQ(execute(plan.get(), data.data(), data.data(), MUFFT_FORWARD), MUFFT_SUCCESS);
  EXPECT_EQ(data.data()[1], Complex(0));
  block.release();
  EXPECT_EQ(data.values(), kOnes);
}

// So muFFT is reported to do; cuFFT accepts the stream.
TEST(MufftStreams, mufftSetStream_needs_a_plan) {
  const BareHandle handle;
  const Stream stream;
  EXPECT_EQ(mufftSetStream(handle.get(), stream.get()), MUFFT_INVALID_PLAN);
  std::size_t bytes = 0;
  ASSERT_EQ(mufftMakePlan1d(handle.get(), kPoints, MUFFT_Z2Z, 1, &bytes), MUFFT_SUCCESS);
  EXPECT_EQ(mufftSetStream(handle.get(), stream.get()), MUFFT_SUCCESS);
}

TEST(MufftStreams, ADestroyedPlanFinishesItsWork) {
  const Stream stream;
  mufftHandle plan = nullptr;
  ASSERT_EQ(mufftPlan1d(&plan, kPoints, MUFFT_Z2Z, 1), MUFFT_SUCCESS);
  EXPECT_EQ(mufftSetStream(plan, stream.get()), MUFFT_SUCCESS);
  const DeviceArray<Complex> data(kImpulse);
  host_tests::Roadblock block(stream);
  EXPECT_EQ(execute(plan, data.data(), data.data(), MUFFT_FORWARD), MUFFT_SUCCESS);
  EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
  block.release();
  EXPECT_EQ(data.values(), kOnes);
}

TEST(MufftStreams, ACapturedTransformRunsAtEachLaunch) {
  const OwnedPlan plan = plan_1d(kPoints, MUFFT_Z2Z);
  const DeviceArray<Complex> data(kImpulse);
  ASSERT_EQ(musaStreamBeginCapture(plan.stream().get(), musaStreamCaptureModeRelaxed), musaSuccess);
  EXPECT_EQ(execute(plan.get(), data.data(), data.data(), MUFFT_FORWARD), MUFFT_SUCCESS);
  musaGraph_t graph = nullptr;
  ASSERT_EQ(musaStreamEndCapture(plan.stream().get(), &graph), musaSuccess);
  musaGraphExec_t launchable = nullptr;
  ASSERT_EQ(musaGraphInstantiateWithFlags(&launchable, graph, 0), musaSuccess);
  EXPECT_EQ(data.values(), kImpulse);
  EXPECT_EQ(musaGraphLaunch(launchable, plan.stream().get()), musaSuccess);
  plan.stream().wait();
  EXPECT_EQ(data.values(), kOnes);
  EXPECT_EQ(musaGraphLaunch(launchable, plan.stream().get()), musaSuccess);
  plan.stream().wait();
  EXPECT_EQ(data.values(), (std::vector<Complex>{4, 0, 0, 0}));
  EXPECT_EQ(musaGraphExecDestroy(launchable), musaSuccess);
  EXPECT_EQ(musaGraphDestroy(graph), musaSuccess);
}

// Work of one plan in two streams takes turns.
TEST(MufftStreams, OnePlanServesTwoStreams) {
  constexpr int kLength = 59 * 16;
  constexpr int kTimes = 50;
  const OwnedPlan plan = plan_1d(kLength, MUFFT_Z2Z);
  const auto in = random_complex<double>(kLength, 1);
  const auto expected = plan.run<Complex>(in, kLength);
  const Stream streams[2];
  const DeviceArray<Complex> input(in);
  const DeviceArray<Complex> outputs[2] = {DeviceArray<Complex>(in), DeviceArray<Complex>(in)};
  for (int i = 0; i < kTimes; ++i) {
    for (int s = 0; s < 2; ++s) {
      EXPECT_EQ(mufftSetStream(plan.get(), streams[s].get()), MUFFT_SUCCESS);
      EXPECT_EQ(execute(plan.get(), input.data(), outputs[s].data(), MUFFT_FORWARD), MUFFT_SUCCESS);
    }
  }
  for (int s = 0; s < 2; ++s) {
    streams[s].wait();
    EXPECT_EQ(outputs[s].values(), expected);
  }
}

}  // namespace
}  // namespace mufft_tests
