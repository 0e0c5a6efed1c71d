// A plan in a stream, and one name for the functions that execute plans of each type.
#pragma once

#include <gtest/gtest.h>
#include <mufft.h>

#include <complex>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "tests/host/shared/device.h"

namespace mufft_tests {

using host_tests::DeviceArray;
using host_tests::Stream;

inline mufftResult execute(mufftHandle plan, std::complex<float>* in, std::complex<float>* out,
                           int direction) {
  return mufftExecC2C(plan, reinterpret_cast<mufftComplex*>(in),
                      reinterpret_cast<mufftComplex*>(out), direction);
}
inline mufftResult execute(mufftHandle plan, std::complex<double>* in, std::complex<double>* out,
                           int direction) {
  return mufftExecZ2Z(plan, reinterpret_cast<mufftDoubleComplex*>(in),
                      reinterpret_cast<mufftDoubleComplex*>(out), direction);
}
inline mufftResult execute(mufftHandle plan, float* in, std::complex<float>* out, int) {
  return mufftExecR2C(plan, in, reinterpret_cast<mufftComplex*>(out));
}
inline mufftResult execute(mufftHandle plan, double* in, std::complex<double>* out, int) {
  return mufftExecD2Z(plan, in, reinterpret_cast<mufftDoubleComplex*>(out));
}
inline mufftResult execute(mufftHandle plan, std::complex<float>* in, float* out, int) {
  return mufftExecC2R(plan, reinterpret_cast<mufftComplex*>(in), out);
}
inline mufftResult execute(mufftHandle plan, std::complex<double>* in, double* out, int) {
  return mufftExecZ2D(plan, reinterpret_cast<mufftDoubleComplex*>(in), out);
}

template <typename Real>
constexpr bool kDouble = std::is_same_v<Real, double>;
template <typename Real>
constexpr mufftType kComplexToComplex = kDouble<Real> ? MUFFT_Z2Z : MUFFT_C2C;
template <typename Real>
constexpr mufftType kRealToComplex = kDouble<Real> ? MUFFT_D2Z : MUFFT_R2C;
template <typename Real>
constexpr mufftType kComplexToReal = kDouble<Real> ? MUFFT_Z2D : MUFFT_C2R;

// Owns a plan that `make(&handle)` made, and its stream.
class OwnedPlan {
 public:
  template <typename Make>
  explicit OwnedPlan(Make make) {
    EXPECT_EQ(make(&handle_), MUFFT_SUCCESS);
    EXPECT_EQ(mufftSetStream(handle_, stream_.get()), MUFFT_SUCCESS);
  }
  ~OwnedPlan() { EXPECT_EQ(mufftDestroy(handle_), MUFFT_SUCCESS); }
  OwnedPlan(const OwnedPlan&) = delete;
  OwnedPlan& operator=(const OwnedPlan&) = delete;

  mufftHandle get() const { return handle_; }
  const Stream& stream() const { return stream_; }

  // Executes the plan with input and output apart, and gives the output. The output is zero before.
  template <typename Out, typename In>
  std::vector<Out> run(const std::vector<In>& in, std::size_t out_size,
                       int direction = MUFFT_FORWARD) const {
    const DeviceArray<In> input(in);
    const DeviceArray<Out> output{std::vector<Out>(out_size)};
    EXPECT_EQ(execute(handle_, input.data(), output.data(), direction), MUFFT_SUCCESS);
    stream_.wait();
    EXPECT_EQ(input.values(), in) << "the input changed";
    return output.values();
  }

 private:
  Stream stream_;
  mufftHandle handle_ = nullptr;
};

inline OwnedPlan plan_1d(int n, mufftType type, int batch = 1) {
  return OwnedPlan([=](mufftHandle* plan) { return mufftPlan1d(plan, n, type, batch); });
}

// A handle without a plan.
class BareHandle {
 public:
  BareHandle() { EXPECT_EQ(mufftCreate(&handle_), MUFFT_SUCCESS); }
  ~BareHandle() { EXPECT_EQ(mufftDestroy(handle_), MUFFT_SUCCESS); }
  BareHandle(const BareHandle&) = delete;
  BareHandle& operator=(const BareHandle&) = delete;

  mufftHandle get() const { return handle_; }

 private:
  mufftHandle handle_ = nullptr;
};

}  // namespace mufft_tests
