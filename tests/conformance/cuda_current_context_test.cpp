// Which calls of the runtime make the device's primary context current in a thread that has none,
// and which flags the runtime tells of a context that the driver made.
#include <string>
#include <thread>
#include <vector>

#include "tests/conformance/cuda_driver.h"

namespace {

constexpr unsigned CU_CTX_SCHED_BLOCKING_SYNC = 4;
constexpr unsigned CU_CTX_LMEM_RESIZE_TO_MAX = 16;
constexpr unsigned cudaInitDeviceFlagsAreValid = 1;

class CurrentContexts : public Driver {};

using Call = cudaError_t (*)();

struct Named {
  const char* name;
  Call call;
};

void* nowhere = nullptr;
size_t told = 0;
size_t as_much = 0;

// The context that is current after the call, in a thread that had none.
CUcontext current_after(const Named& named) {
  CUcontext before = nullptr;
  CUcontext after = nullptr;
  std::thread([&] {
    EXPECT_CU(cuCtxGetCurrent(&before));
    EXPECT_OK(named.call()) << named.name;
    EXPECT_CU(cuCtxGetCurrent(&after));
  }).join();
  EXPECT_EQ(nullptr, before) << named.name;
  return after;
}

void expect_primary_after(CUcontext primary, const std::vector<Named>& calls) {
  for (const Named& named : calls) EXPECT_EQ(primary, current_after(named)) << named.name;
}

#define CALL(expression)                     \
  Named {                                    \
#expression, [] { return (expression); } \
  }

TEST_F(CurrentContexts, cudaMalloc_and_the_others_of_nothing_make_one) {
  expect_primary_after(
      context_, {CALL(cudaMalloc(&nowhere, 0)), CALL(cudaMallocHost(&nowhere, 0)),
                 CALL(cudaHostAlloc(&nowhere, 0, 0)), CALL(cudaMallocPitch(&nowhere, &told, 0, 0)),
                 Named{"cudaMalloc3D",
                       [] {
                         cudaPitchedPtr pitched{};
                         return cudaMalloc3D(&pitched, cudaExtent{0, 0, 0});
                       }},
                 CALL(cudaFree(nullptr)), CALL(cudaFreeHost(nullptr))});
}

TEST_F(CurrentContexts, cudaMemset_and_cudaMemcpy_of_nothing_make_one) {
  expect_primary_after(
      context_, {CALL(cudaMemset(nullptr, 0, 0)), CALL(cudaMemsetAsync(nullptr, 0, 0, nullptr)),
                 CALL(cudaMemset2D(nullptr, 0, 0, 0, 0)),
                 CALL(cudaMemset3D(cudaPitchedPtr{}, 0, cudaExtent{0, 0, 0})),
                 CALL(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault)),
                 CALL(cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyDefault, nullptr)),
                 CALL(cudaMemcpy2D(nullptr, 0, nullptr, 0, 0, 0, cudaMemcpyDefault)),
                 CALL(cudaMemcpyPeer(nullptr, 0, nullptr, 0, 0))});
}

// A driver's function of the same name needs a current context, so the runtime has made one.
TEST_F(CurrentContexts, cudaDeviceGetLimit_and_other_settings_make_one) {
  expect_primary_after(context_,
                       {CALL(cudaDeviceGetLimit(&told, cudaLimitStackSize)),
                        CALL(cudaDeviceSetLimit(cudaLimitStackSize, 1024)),
                        CALL(cudaMemGetInfo(&told, &as_much)), CALL(cudaDeviceSynchronize()),
                        CALL(cudaStreamSynchronize(nullptr)), CALL(cudaStreamQuery(nullptr)),
                        Named{"cudaDeviceGetCacheConfig",
                              [] {
                                cudaFuncCache config{};
                                return cudaDeviceGetCacheConfig(&config);
                              }},
                        CALL(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone)),
                        Named{"cudaDeviceGetStreamPriorityRange",
                              [] { return cudaDeviceGetStreamPriorityRange(nullptr, nullptr); }},
                        Named{"cudaStreamCreate",
                              [] {
                                cudaStream_t stream = nullptr;
                                const cudaError_t status = cudaStreamCreate(&stream);
                                EXPECT_OK(cudaStreamDestroy(stream));
                                return status;
                              }},
                        Named{"cudaEventCreate", [] {
                                cudaEvent_t event = nullptr;
                                const cudaError_t status = cudaEventCreate(&event);
                                EXPECT_OK(cudaEventDestroy(event));
                                return status;
                              }}});
}

// What such a program goes on with.
TEST_F(CurrentContexts, cudaMalloc_of_nothing_lets_the_driver_go_on) {
  std::thread([] {
    EXPECT_OK(cudaMalloc(&nowhere, 0));
    EXPECT_CU(cuMemsetD32_v2(0, 1, 0));
  }).join();
}

// Questions leave the thread without one.
TEST_F(CurrentContexts, cudaGetDevice_and_cudaInitDevice_make_none) {
  static int number = 0;
  static unsigned flags = 0;
  for (const Named& named : {CALL(cudaGetDevice(&number)), CALL(cudaGetDeviceCount(&number)),
                             CALL(cudaDriverGetVersion(&number)), CALL(cudaGetLastError()),
                             CALL(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0)),
                             CALL(cudaGetDeviceFlags(&flags))}) {
    EXPECT_EQ(nullptr, current_after(named)) << named.name;
  }
}

TEST_F(CurrentContexts, cudaInitDevice_begins_the_context_and_leaves_it_aside) {
  if (tree() < 43) {  // musaInitDevice is known since SDK 4.2.
    EXPECT_ERROR(cudaErrorNotSupported, cudaInitDevice(0, 0, 0));
    return;
  }
  ASSERT_CU(cuDevicePrimaryCtxReset_v2(0));
  unsigned flags = 0;
  int is_active = -1;
  EXPECT_CU(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
  EXPECT_EQ(0, is_active);
  EXPECT_EQ(nullptr, current_after(CALL(cudaInitDevice(0, 0, 0))));
  EXPECT_CU(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
  EXPECT_EQ(1, is_active);
  EXPECT_EQ(nullptr, current_after(
                         CALL(cudaInitDevice(0, CU_CTX_SCHED_YIELD, cudaInitDeviceFlagsAreValid))));
  EXPECT_CU(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
  EXPECT_EQ(CU_CTX_SCHED_YIELD, flags & CU_CTX_SCHED_MASK);
  EXPECT_OK(cudaSetDeviceFlags(0));
}

// "If a context has been created via the driver API and is current to the calling thread, the flags
// for that context are always returned."
TEST_F(CurrentContexts, cudaGetDeviceFlags_tells_those_of_a_driver_s_context) {
  EXPECT_OK(cudaSetDeviceFlags(CU_CTX_SCHED_SPIN));
  for (const unsigned wanted :
       {0U, CU_CTX_SCHED_YIELD, CU_CTX_SCHED_BLOCKING_SYNC | CU_CTX_LMEM_RESIZE_TO_MAX}) {
    CUcontext own = nullptr;
    ASSERT_CU(cuCtxCreate_v2(&own, wanted, 0));
    unsigned driver = 99;
    unsigned runtime = 99;
    EXPECT_CU(cuCtxGetFlags(&driver));
    EXPECT_OK(cudaGetDeviceFlags(&runtime));
    constexpr unsigned kMapHost = 8;  // Implied, or not.
    EXPECT_EQ(wanted, driver & ~kMapHost);
    EXPECT_EQ(wanted, runtime & ~kMapHost);
    // Neither way of setting the flags of the device changes those of the context.
    EXPECT_CU(cuDevicePrimaryCtxSetFlags_v2(0, CU_CTX_SCHED_SPIN));
    EXPECT_OK(cudaGetDeviceFlags(&runtime));
    EXPECT_EQ(wanted, runtime & ~kMapHost);
    // In another thread nothing of the driver's is current.
    std::thread([] {
      unsigned of_device = 99;
      EXPECT_OK(cudaGetDeviceFlags(&of_device));
      EXPECT_EQ(CU_CTX_SCHED_SPIN, of_device & CU_CTX_SCHED_MASK);
    }).join();
    EXPECT_CU(cuCtxDestroy_v2(own));
  }
  // The primary context's are the device's again.
  EXPECT_CU(cuCtxSetCurrent(context_));
  unsigned flags = 99;
  EXPECT_OK(cudaGetDeviceFlags(&flags));
  EXPECT_EQ(CU_CTX_SCHED_SPIN, flags & CU_CTX_SCHED_MASK);
  EXPECT_OK(cudaSetDeviceFlags(CU_CTX_SCHED_YIELD));
  EXPECT_CU(cuCtxGetFlags(&flags));
  EXPECT_EQ(CU_CTX_SCHED_YIELD, flags & CU_CTX_SCHED_MASK);
  EXPECT_OK(cudaSetDeviceFlags(0));
}

}  // namespace
