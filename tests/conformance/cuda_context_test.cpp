// The driver's contexts and launches, and what every function says before cuInit.
#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <thread>

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

// Also if MUSA gives the new context the handle of the old one.
TEST_F(DriverContexts, cuCtxGetId_tells_contexts_apart) {
  unsigned long long primary = 0;
  unsigned long long again = 0;
  EXPECT_CU(cuCtxGetId(context_, &primary));
  EXPECT_CU(cuCtxGetId(nullptr, &again));
  EXPECT_NE(0U, primary);
  EXPECT_EQ(primary, again);
  std::set<unsigned long long> all{primary};
  std::set<CUcontext> handles;
  for (int i = 0; i < 20; ++i) {
    CUcontext other = nullptr;
    unsigned long long id = 0;
    ASSERT_CU(cuCtxCreate_v2(&other, 0, 0));
    EXPECT_CU(cuCtxGetId(other, &id));
    EXPECT_TRUE(all.insert(id).second) << id;
    EXPECT_CU(cuCtxGetId(other, &again));
    EXPECT_EQ(id, again);
    handles.insert(other);
    EXPECT_CU(i % 2 == 0 ? cuCtxDestroy_v2(other) : cuCtxDestroy(other));
    EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetId(other, &id));
  }
  EXPECT_GE(20U, handles.size());
  EXPECT_CU(cuCtxSetCurrent(context_));
  // A context that cannot be destroyed keeps its number.
  EXPECT_NE(CUDA_SUCCESS, cuCtxDestroy_v2(context_));
  EXPECT_CU(cuCtxGetId(context_, &again));
  EXPECT_EQ(primary, again);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxGetId(context_, nullptr));
}

TEST_F(DriverContexts, cuCtxDetach_destroys_a_context_when_its_last_use_ends) {
  CUcontext other = nullptr;
  CUcontext attached = nullptr;
  ASSERT_CU(cuCtxCreate_v2(&other, 0, 0));
  for (int i = 0; i < 3; ++i) {
    attached = nullptr;
    EXPECT_CU(cuCtxAttach(&attached, 0));
    EXPECT_EQ(other, attached);
  }
  unsigned version = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_CU(cuCtxDetach(other));
    EXPECT_CU(cuCtxGetApiVersion(other, &version)) << i;
  }
  EXPECT_CU(cuCtxDetach(other));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetApiVersion(other, &version));
  EXPECT_CU(cuCtxSetCurrent(context_));
}

TEST_F(DriverContexts, cuCtxAttach_and_cuCtxDetach_want_the_current_context) {
  CUcontext attached = nullptr;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(&attached, 1));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(nullptr, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(nullptr));
  CUcontext other = nullptr;
  ASSERT_CU(cuCtxCreate_v2(&other, 0, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(context_));
  // This thread has no context.
  std::thread([&] {
    EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxAttach(&attached, 0));
    EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(other));
  }).join();
  EXPECT_EQ(nullptr, attached);
  EXPECT_CU(cuCtxDestroy_v2(other));
  EXPECT_CU(cuCtxSetCurrent(context_));
}

// A new context may get the handle of one that was destroyed while it was in use.
TEST_F(DriverContexts, cuCtxDestroy_ends_every_use) {
  unsigned version = 0;
  for (int i = 0; i < 5; ++i) {
    CUcontext other = nullptr;
    CUcontext attached = nullptr;
    ASSERT_CU(cuCtxCreate_v2(&other, 0, 0));
    EXPECT_CU(cuCtxAttach(&attached, 0));
    EXPECT_CU(cuCtxDestroy_v2(other));
    ASSERT_CU(cuCtxCreate_v2(&other, 0, 0));
    EXPECT_CU(cuCtxDetach(other));
    EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetApiVersion(other, &version)) << i;
  }
  EXPECT_CU(cuCtxSetCurrent(context_));
}

// As on a machine whose OpenGL is not NVIDIA's.
TEST_F(DriverContexts, cuGLGetDevices_tells_no_device) {
  using GetDevices = CUresult(unsigned*, CUdevice*, unsigned, int);
  for (const char* name : {"cuGLGetDevices", "cuGLGetDevices_v2"}) {
    auto* const get = reinterpret_cast<GetDevices*>(dlsym(RTLD_DEFAULT, name));
    ASSERT_NE(nullptr, get) << name;
    unsigned count = 99;
    CUdevice device = 99;
    EXPECT_EQ(CUDA_ERROR_NO_DEVICE, get(&count, &device, 1, 1)) << name;
    EXPECT_EQ(99U, count);
  }
}

// They are there, because loaders want all or none, and refuse.
TEST_F(DriverContexts, functions_for_other_interfaces_are_not_supported) {
  using Function = CUresult(void*, void*, void*, void*);
  for (const char* name :
       {"cuGraphicsGLRegisterImage", "cuGLMapBufferObject_v2_ptds", "cuEGLStreamConsumerConnect",
        "cuGraphicsEGLRegisterImage", "cuVDPAUGetDevice", "cuVDPAUCtxCreate_v2"}) {
    auto* const function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
    ASSERT_NE(nullptr, function) << name;
    EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, function(nullptr, nullptr, nullptr, nullptr)) << name;
  }
}

TEST_F(DriverContexts, cuCtxGetExecAffinity_says_that_the_device_has_no_parts) {
  unsigned char affinity[64];
  EXPECT_EQ(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY,
            cuCtxGetExecAffinity(reinterpret_cast<CUexecAffinityParam*>(affinity),
                                 CU_EXEC_AFFINITY_TYPE_SM_COUNT));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuCtxGetExecAffinity(nullptr, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
}

TEST_F(DriverContexts, cuLogs_are_empty) {
  CUlogIterator position = 99;
  EXPECT_CU(cuLogsCurrent(&position, 0));
  EXPECT_EQ(0U, position);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLogsCurrent(&position, 1));
  char text[16] = "before";
  size_t size = sizeof text;
  EXPECT_CU(cuLogsDumpToMemory(&position, text, &size, 0));
  EXPECT_STREQ("", text);
  EXPECT_EQ(0U, size);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToMemory(&position, text, &size, 0));
  const std::string path = testing::TempDir() + "/torchada_log_" + std::to_string(getpid());
  EXPECT_CU(cuLogsDumpToFile(nullptr, path.c_str(), 0));
  EXPECT_EQ(0, std::filesystem::file_size(path));
  std::filesystem::remove(path);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToFile(nullptr, "/nonexistent/log", 0));
}

TEST_F(DriverContexts, cuLogsRegisterCallback_gives_handles_of_its_own) {
  const auto called = [](void*, CUlogLevel, char*, size_t) { FAIL(); };
  CUlogsCallbackHandle one = nullptr;
  CUlogsCallbackHandle other = nullptr;
  EXPECT_CU(cuLogsRegisterCallback(called, nullptr, &one));
  EXPECT_CU(cuLogsRegisterCallback(called, nullptr, &other));
  EXPECT_NE(one, other);
  EXPECT_NE(CUDA_SUCCESS, cuMemFree_v2(64));  // MUSA's errors are not told.
  EXPECT_CU(cuLogsUnregisterCallback(one));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLogsUnregisterCallback(one));
  EXPECT_CU(cuLogsUnregisterCallback(other));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLogsUnregisterCallback(nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLogsRegisterCallback(nullptr, nullptr, &one));
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
