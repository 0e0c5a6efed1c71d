// The driver's contexts and launches, and what every function says before cuInit.
#include "tests/conformance/cuda_driver.h"

namespace {

class DriverContexts : public Driver {};

TEST_F(DriverContexts, cuCtxSetFlags_sets_those_of_the_primary_context) {
  unsigned flags = 99;
  EXPECT_CU(cuCtxSetFlags(CU_CTX_SCHED_YIELD));
  EXPECT_CU(cuCtxGetFlags(&flags));
  EXPECT_EQ(CU_CTX_SCHED_YIELD, flags & CU_CTX_SCHED_MASK);
  EXPECT_CU(cuCtxSetFlags(CU_CTX_SCHED_SPIN));
  EXPECT_CU(cuCtxGetFlags(&flags));
  EXPECT_EQ(CU_CTX_SCHED_SPIN, flags & CU_CTX_SCHED_MASK);
  CUcontext other = nullptr;
  ASSERT_CU(cuCtxCreate_v2(&other, 0, 0));
  expect_refused("the current context", [] { return cuCtxSetFlags(CU_CTX_SCHED_YIELD); });
  EXPECT_CU(cuCtxDestroy_v2(other));
  EXPECT_CU(cuCtxSetCurrent(context_));
}

TEST_F(DriverContexts, cuProfilerStart_and_cuProfilerStop_are_accepted) {
  EXPECT_CU(cuProfilerStart());
  EXPECT_CU(cuProfilerStop());
}

TEST_F(DriverContexts, cuLaunchKernelEx_refuses_attributes_that_MUSA_lacks) {
  CUlaunchAttribute attribute{};
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  attribute.id = static_cast<CUlaunchAttributeID>(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN);
  expect_refused("CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN",
                 [&] { return cuLaunchKernelEx(&config, nullptr, nullptr, nullptr); });
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(nullptr, nullptr, nullptr, nullptr));
}

// No kernel exists for the stand-in, so that every launch fails; the right way is in
// tests/recording.
TEST_F(DriverContexts, cuLaunchKernelEx_passes_the_rest_to_MUSA) {
  CUlaunchAttribute attribute{};
  attribute.id = static_cast<CUlaunchAttributeID>(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  attribute.value.cooperative = 1;
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  const auto function = reinterpret_cast<CUfunction>(not_an_object);
  const CUresult plain = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  EXPECT_NE(CUDA_SUCCESS, plain);
  EXPECT_EQ(plain, cuLaunchKernelEx(&config, function, nullptr, nullptr));
  config.attrs = &attribute;
  config.numAttrs = 1;
  const CUresult status = cuLaunchKernelEx(&config, function, nullptr, nullptr);
  EXPECT_NE(CUDA_SUCCESS, status);
  EXPECT_EQ(status, cuLaunchKernelEx_ptsz(&config, function, nullptr, nullptr));
  EXPECT_EQ(status, cuLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr));
  EXPECT_EQ(status,
            cuLaunchCooperativeKernel_ptsz(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr));
}

// Errors that calls of the driver make stay out of the runtime's last error, and leave one that is
// pending.
TEST_F(DriverContexts, cudaGetLastError_does_not_tell_the_drivers_errors) {
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuUserObjectRetain(nullptr, 1));
  EXPECT_EQ(cudaSuccess, cudaPeekAtLastError());
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(77));
  auto told = CU_STREAM_CAPTURE_STATUS_NONE;
  const Stream stream;
  EXPECT_CU(cuStreamIsCapturing(stream, &told));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaGetLastError());
}

// Calls functions that the runtime serves without cuInit; 0 if each said so.
int calls_before_initialisation() {
  auto told = CU_STREAM_CAPTURE_STATUS_NONE;
  CUdeviceptr memory = 0;
  CUmemoryPool pool = nullptr;
  const CUresult results[] = {cuStreamIsCapturing(nullptr, &told),
                              cuMemAllocAsync(&memory, 64, nullptr),
                              cuMemFreeAsync(64, nullptr),
                              cuUserObjectRetain(nullptr, 1),
                              cuProfilerStart(),
                              cuMemPrefetchAsync(64, 64, 0, nullptr)};
  for (const CUresult result : results) {
    if (result != CUDA_ERROR_NOT_INITIALIZED) return static_cast<int>(result) + 1;
  }
  const CUresult with_pools = cuDeviceGetDefaultMemPool(&pool, 0);
  const CUresult expected = tree() >= 50 ? CUDA_ERROR_NOT_INITIALIZED : CUDA_ERROR_NOT_SUPPORTED;
  return with_pools == expected ? 0 : 99;
}

TEST(DriverStart, cuInit_comes_before_every_other_call) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(calls_before_initialisation()), testing::ExitedWithCode(0), "");
}

}  // namespace
