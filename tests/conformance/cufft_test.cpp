// cuFFT's plans: numbers, streams, work areas, transforms and errors.
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "tests/conformance/support.h"

namespace {

constexpr int kForward = -1, kInverse = 1;
constexpr int kNoPlan = 12345;

// A wave with one period in `count` points, so that only element 1 of the transform is not zero.
std::vector<cufftComplex> wave(int count) {
  std::vector<cufftComplex> out(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    out[static_cast<size_t>(i)] = {static_cast<float>(std::cos(angle)),
                                   static_cast<float>(std::sin(angle))};
  }
  return out;
}

class Plan1d {
 public:
  Plan1d(int count, cufftType type, int batch = 1) {
    EXPECT_EQ(CUFFT_SUCCESS, cufftPlan1d(&plan_, count, type, batch));
  }
  Plan1d(const Plan1d&) = delete;
  Plan1d& operator=(const Plan1d&) = delete;
  ~Plan1d() { EXPECT_EQ(CUFFT_SUCCESS, cufftDestroy(plan_)); }
  operator cufftHandle() const { return plan_; }

 private:
  cufftHandle plan_ = -7;
};

class Spectrum {
 public:
  explicit Spectrum(int count)
      : count_(static_cast<size_t>(count)), buffer_(count_ * sizeof(cufftComplex)) {
    const std::vector<cufftComplex> values = wave(count);
    EXPECT_EQ(cudaSuccess,
              cudaMemcpy(data(), values.data(), count_ * sizeof(cufftComplex), cudaMemcpyDefault));
  }
  cufftComplex* data() { return static_cast<cufftComplex*>(static_cast<void*>(buffer_)); }

  // Expects `size` at element 1 and zero elsewhere.
  void expect_one_line(float size) {
    std::vector<cufftComplex> got(count_);
    EXPECT_EQ(cudaSuccess,
              cudaMemcpy(got.data(), data(), count_ * sizeof(cufftComplex), cudaMemcpyDefault));
    for (size_t i = 0; i < count_; ++i) {
      EXPECT_NEAR(i == 1 ? size : 0.F, got[i].x, 1e-4F * size) << i;
      EXPECT_NEAR(0.F, got[i].y, 1e-4F * size) << i;
    }
  }

 private:
  size_t count_;
  Buffer buffer_;
};

TEST(Cufft, cufftPlan1d_gives_small_numbers_that_differ) {
  std::set<int> seen;
  std::vector<cufftHandle> plans(100);
  for (cufftHandle& plan : plans) {
    ASSERT_EQ(CUFFT_SUCCESS, cufftPlan1d(&plan, 8, CUFFT_C2C, 1));
    EXPECT_GT(plan, 0);
    EXPECT_LT(plan, 100000);
    EXPECT_TRUE(seen.insert(plan).second) << plan;
  }
  for (const cufftHandle plan : plans) EXPECT_EQ(CUFFT_SUCCESS, cufftDestroy(plan));
}

TEST(Cufft, cufftExecC2C_transforms_forward_and_back) {
  for (const int count : {8, 15, 97}) {
    const Plan1d plan(count, CUFFT_C2C);
    Spectrum spectrum(count);
    ASSERT_EQ(CUFFT_SUCCESS, cufftExecC2C(plan, spectrum.data(), spectrum.data(), kForward));
    ASSERT_OK(cudaDeviceSynchronize());
    spectrum.expect_one_line(static_cast<float>(count));
    ASSERT_EQ(CUFFT_SUCCESS, cufftExecC2C(plan, spectrum.data(), spectrum.data(), kInverse));
    ASSERT_EQ(CUFFT_SUCCESS, cufftExecC2C(plan, spectrum.data(), spectrum.data(), kForward));
    ASSERT_OK(cudaDeviceSynchronize());
    spectrum.expect_one_line(static_cast<float>(count) * static_cast<float>(count));
  }
}

TEST(Cufft, cufftSetStream_is_accepted_before_the_plan_is_made) {
  cudaStream_t stream = nullptr;
  ASSERT_OK(cudaStreamCreate(&stream));
  cufftHandle plan = 0;
  ASSERT_EQ(CUFFT_SUCCESS, cufftCreate(&plan));
  EXPECT_EQ(CUFFT_SUCCESS, cufftSetStream(plan, stream));
  size_t bytes = 1;
  ASSERT_EQ(CUFFT_SUCCESS, cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &bytes));
  Spectrum spectrum(16);
  ASSERT_EQ(CUFFT_SUCCESS, cufftExecC2C(plan, spectrum.data(), spectrum.data(), kForward));
  ASSERT_OK(cudaStreamSynchronize(stream));
  spectrum.expect_one_line(16);
  EXPECT_EQ(CUFFT_SUCCESS, cufftDestroy(plan));
  EXPECT_OK(cudaStreamDestroy(stream));
}

TEST(Cufft, cufftXtMakePlanMany_takes_kinds_of_numbers) {
  cufftHandle plan = 0;
  ASSERT_EQ(CUFFT_SUCCESS, cufftCreate(&plan));
  long long count = 24;
  size_t bytes = 1;
  ASSERT_EQ(CUFFT_SUCCESS, cufftXtMakePlanMany(plan, 1, &count, nullptr, 1, 1, CUDA_C_32F, nullptr,
                                               1, 1, CUDA_C_32F, 1, &bytes, CUDA_C_32F));
  Spectrum spectrum(24);
  ASSERT_EQ(CUFFT_SUCCESS, cufftXtExec(plan, spectrum.data(), spectrum.data(), kForward));
  ASSERT_OK(cudaDeviceSynchronize());
  spectrum.expect_one_line(24);
  EXPECT_EQ(CUFFT_SUCCESS, cufftDestroy(plan));
}

TEST(Cufft, cufftMakePlanMany64_takes_wide_sizes) {
  cufftHandle plan = 0;
  ASSERT_EQ(CUFFT_SUCCESS, cufftCreate(&plan));
  long long count = 12;
  size_t bytes = 1;
  ASSERT_EQ(CUFFT_SUCCESS, cufftMakePlanMany64(plan, 1, &count, nullptr, 1, 1, nullptr, 1, 1,
                                               CUFFT_C2C, 1, &bytes));
  Spectrum spectrum(12);
  ASSERT_EQ(CUFFT_SUCCESS, cufftExecC2C(plan, spectrum.data(), spectrum.data(), kForward));
  ASSERT_OK(cudaDeviceSynchronize());
  spectrum.expect_one_line(12);
  EXPECT_EQ(CUFFT_SUCCESS, cufftDestroy(plan));
}

TEST(Cufft, cufftExecR2C_gives_half_a_spectrum) {
  constexpr int kCount = 10;
  std::vector<float> values(kCount, 1.F);
  const Buffer input(kCount * sizeof(float)), output((kCount / 2 + 1) * sizeof(cufftComplex));
  ASSERT_OK(cudaMemcpy(input, values.data(), kCount * sizeof(float), cudaMemcpyDefault));
  const Plan1d plan(kCount, CUFFT_R2C);
  auto* const real = static_cast<cufftReal*>(static_cast<void*>(input));
  auto* const complex = static_cast<cufftComplex*>(static_cast<void*>(output));
  ASSERT_EQ(CUFFT_SUCCESS, cufftExecR2C(plan, real, complex));
  ASSERT_OK(cudaDeviceSynchronize());
  std::vector<cufftComplex> got(kCount / 2 + 1);
  ASSERT_OK(cudaMemcpy(got.data(), output, got.size() * sizeof(cufftComplex), cudaMemcpyDefault));
  EXPECT_NEAR(10.F, got[0].x, 1e-4F);
  for (size_t i = 1; i < got.size(); ++i) EXPECT_NEAR(0.F, got[i].x, 1e-4F);
}

TEST(Cufft, cufftDestroy_refuses_the_number_of_no_plan) {
  cufftHandle plan = 0;
  ASSERT_EQ(CUFFT_SUCCESS, cufftCreate(&plan));
  EXPECT_EQ(CUFFT_SUCCESS, cufftDestroy(plan));
  for (const cufftHandle none : {plan, 0, kNoPlan, -5}) {
    EXPECT_EQ(CUFFT_INVALID_PLAN, cufftDestroy(none)) << none;
    EXPECT_EQ(CUFFT_INVALID_PLAN, cufftSetStream(none, nullptr)) << none;
    EXPECT_EQ(CUFFT_INVALID_PLAN, cufftExecC2C(none, nullptr, nullptr, kForward)) << none;
  }
  EXPECT_EQ(CUDA_MAJOR >= 13 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, cufftDestroy(-1));
}

TEST(Cufft, cufftMakePlan1d_refuses_what_is_no_transform) {
  cufftHandle plan = 0;
  size_t bytes = 1;
  ASSERT_EQ(CUFFT_SUCCESS, cufftCreate(&plan));
  EXPECT_EQ(CUFFT_INVALID_TYPE, cufftMakePlan1d(plan, 8, static_cast<cufftType>(1), 1, &bytes));
  EXPECT_EQ(CUFFT_INVALID_VALUE, cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr));
  EXPECT_EQ(CUFFT_INVALID_PLAN, cufftMakePlan1d(kNoPlan, 8, CUFFT_C2C, 1, &bytes));
  EXPECT_EQ(CUFFT_INVALID_VALUE, cufftPlan1d(nullptr, 8, CUFFT_C2C, 1));
  EXPECT_EQ(CUFFT_SUCCESS, cufftDestroy(plan));
}

TEST(Cufft, cufftGetVersion_gives_cudas_number) {
  int version = 0, major = 0;
  EXPECT_EQ(CUFFT_SUCCESS, cufftGetVersion(&version));
  EXPECT_EQ(CUFFT_SUCCESS, cufftGetProperty(MAJOR_VERSION, &major));
  EXPECT_EQ(CUDA_MAJOR - 1, version / 1000);
  EXPECT_EQ(CUDA_MAJOR - 1, major);
}

}  // namespace
