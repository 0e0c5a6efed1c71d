// Which context is current, after each call that changes it.
#include <thread>

#include "tests/host/musa/support.h"

namespace {

class DriverContext : public DriverTest {
 protected:
  static MUcontext current() {
    MUcontext context = nullptr;
    EXPECT_MU(muCtxGetCurrent(&context));
    return context;
  }
  static bool is_active(MUdevice device) {
    unsigned int flags = 0;
    int active = -1;
    EXPECT_MU(muDevicePrimaryCtxGetState(device, &flags, &active));
    return active == 1;
  }
  static MUresult use() {
    size_t free = 0;
    size_t total = 0;
    return muMemGetInfo_v2(&free, &total);
  }
};

TEST_F(DriverContext, muDevicePrimaryCtxRetain_and_muDevicePrimaryCtxRelease_v2_count) {
  EXPECT_FALSE(is_active(1));
  MUcontext first = nullptr;
  MUcontext second = nullptr;
  EXPECT_MU(muDevicePrimaryCtxRetain(&first, 1));
  EXPECT_MU(muDevicePrimaryCtxRetain(&second, 1));
  EXPECT_EQ(first, second);
  EXPECT_NE(first, context_);
  EXPECT_NE(current(), first) << "retaining does not make it current";
  EXPECT_MU(muDevicePrimaryCtxRelease_v2(1));
  EXPECT_TRUE(is_active(1));
  EXPECT_MU(muDevicePrimaryCtxRelease_v2(1));
  EXPECT_FALSE(is_active(1));
  EXPECT_EQ(muDevicePrimaryCtxRelease_v2(1), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muDevicePrimaryCtxRetain(&first, 2), MUSA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(muDevicePrimaryCtxRetain(nullptr, 0), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverContext, muDevicePrimaryCtxRelease_v2_of_the_last_frees_the_memory) {
  MUcontext primary = nullptr;
  ASSERT_MU(muDevicePrimaryCtxRetain(&primary, 1));
  ASSERT_MU(muCtxPushCurrent_v2(primary));
  const MUdeviceptr memory = allocate(100);
  EXPECT_MU(muDevicePrimaryCtxRelease_v2(1));
  EXPECT_EQ(use(), MUSA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_MU(muCtxPopCurrent_v2(nullptr));
  EXPECT_EQ(muMemFree_v2(memory), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverContext, muDevicePrimaryCtxReset_v2_keeps_what_was_retained) {
  const MUdeviceptr memory = allocate(100);
  EXPECT_MU(muDevicePrimaryCtxReset_v2(0));
  EXPECT_FALSE(is_active(0));
  EXPECT_EQ(current(), context_);
  EXPECT_EQ(use(), MUSA_ERROR_CONTEXT_IS_DESTROYED);
  // The runtime brings it to life again, at the same handle. It need not allocate anything.
  EXPECT_EQ(musaFree(nullptr), musaSuccess);
  EXPECT_TRUE(is_active(0));
  EXPECT_EQ(current(), context_);
  EXPECT_MU(use());
  EXPECT_EQ(musaDeviceReset(), musaSuccess);
  EXPECT_EQ(use(), MUSA_ERROR_CONTEXT_IS_DESTROYED);
  // So does retaining. The reset has released nothing.
  MUcontext again = nullptr;
  EXPECT_MU(muDevicePrimaryCtxRetain(&again, 0));
  EXPECT_EQ(again, context_);
  EXPECT_MU(use());
  EXPECT_EQ(muMemFree_v2(memory), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muDevicePrimaryCtxRelease_v2(0));
}

TEST_F(DriverContext, muDevicePrimaryCtxSetFlags_v2_and_muDevicePrimaryCtxGetState) {
  EXPECT_MU(muDevicePrimaryCtxSetFlags_v2(0, MU_CTX_SCHED_YIELD));
  unsigned int flags = 0;
  int active = 0;
  EXPECT_MU(muDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(flags, static_cast<unsigned int>(MU_CTX_SCHED_YIELD));
  EXPECT_EQ(active, 1);
  EXPECT_MU(muCtxGetFlags(&flags));
  EXPECT_EQ(flags, static_cast<unsigned int>(MU_CTX_SCHED_YIELD));
  EXPECT_EQ(muDevicePrimaryCtxSetFlags_v2(0, 64), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muDevicePrimaryCtxSetFlags_v2(0, MU_CTX_SCHED_SPIN | MU_CTX_SCHED_YIELD),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muDevicePrimaryCtxGetState(0, nullptr, &active), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muDevicePrimaryCtxSetFlags_v2(0, 0));
}

TEST_F(DriverContext, muCtxCreate_v2_pushes_and_muCtxDestroy_v2_pops) {
  MUcontext created = nullptr;
  EXPECT_MU(muCtxCreate_v2(&created, MU_CTX_SCHED_SPIN, 1));
  EXPECT_EQ(current(), created);
  MUdevice device = -1;
  EXPECT_MU(muCtxGetDevice(&device));
  EXPECT_EQ(device, 1);
  unsigned int flags = 0;
  EXPECT_MU(muCtxGetFlags(&flags));
  EXPECT_EQ(flags, static_cast<unsigned int>(MU_CTX_SCHED_SPIN));
  int by_runtime = -1;
  EXPECT_EQ(musaGetDevice(&by_runtime), musaSuccess);
  EXPECT_EQ(by_runtime, 1);
  EXPECT_MU(muCtxDestroy_v2(created));
  EXPECT_EQ(current(), context_);
  EXPECT_EQ(muCtxDestroy_v2(created), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muCtxDestroy_v2(context_), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muCtxDestroy_v2(nullptr), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muCtxCreate_v2(&created, 0, 2), MUSA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(muCtxCreate_v2(&created, 64, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muCtxCreate_v2(nullptr, 0, 0), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverContext, muCtxDestroy_v2_leaves_it_current_in_other_threads) {
  MUcontext created = nullptr;
  ASSERT_MU(muCtxCreate_v2(&created, 0, 0));
  std::thread([&] {
    EXPECT_EQ(current(), nullptr);
    EXPECT_EQ(use(), MUSA_ERROR_INVALID_CONTEXT);
    EXPECT_MU(muCtxSetCurrent(created));
    EXPECT_MU(use());
    std::thread([&] { EXPECT_MU(muCtxDestroy_v2(created)); }).join();
    EXPECT_EQ(current(), created);
    EXPECT_EQ(use(), MUSA_ERROR_CONTEXT_IS_DESTROYED);
    void* memory = nullptr;
    EXPECT_EQ(musaMalloc(&memory, 1), musaErrorContextIsDestroyed);
    EXPECT_EQ(musaSetDevice(0), musaSuccess);
    EXPECT_EQ(musaMalloc(&memory, 1), musaSuccess);
    EXPECT_EQ(musaFree(memory), musaSuccess);
  }).join();
}

TEST_F(DriverContext, muCtxPushCurrent_v2_muCtxPopCurrent_v2_muCtxSetCurrent_muCtxGetCurrent) {
  MUcontext other = nullptr;
  ASSERT_MU(muDevicePrimaryCtxRetain(&other, 1));
  EXPECT_MU(muCtxPushCurrent_v2(other));
  EXPECT_EQ(current(), other);
  EXPECT_MU(muCtxSetCurrent(context_));
  EXPECT_EQ(current(), context_);
  MUcontext popped = nullptr;
  EXPECT_MU(muCtxPopCurrent_v2(&popped));
  EXPECT_EQ(popped, context_);
  EXPECT_EQ(current(), context_) << "the one below";
  EXPECT_MU(muCtxSetCurrent(nullptr));
  EXPECT_EQ(current(), nullptr);
  EXPECT_EQ(muCtxPopCurrent_v2(&popped), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muCtxPushCurrent_v2(nullptr), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muCtxSetCurrent(reinterpret_cast<MUcontext>(&other)), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muCtxGetCurrent(nullptr), MUSA_ERROR_INVALID_VALUE);
  MUdevice device = 0;
  EXPECT_EQ(muCtxGetDevice(&device), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_MU(muDevicePrimaryCtxRelease_v2(1));
}

TEST_F(DriverContext, muCtxGetDevice_and_muCtxGetApiVersion_and_muCtxGetFlags) {
  MUdevice device = -1;
  EXPECT_MU(muCtxGetDevice(&device));
  EXPECT_EQ(device, 0);
  EXPECT_EQ(muCtxGetDevice(nullptr), MUSA_ERROR_INVALID_VALUE);
  unsigned int version = 0;
  EXPECT_MU(muCtxGetApiVersion(context_, &version));
  EXPECT_GT(version, 0U);
  EXPECT_EQ(muCtxGetApiVersion(reinterpret_cast<MUcontext>(&device), &version),
            MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muCtxGetFlags(nullptr), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverContext, muCtxSynchronize_waits) {
  bool done = false;
  ASSERT_MU(muLaunchHostFunc(
      nullptr,
      [](void* flag) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        *static_cast<bool*>(flag) = true;
      },
      &done));
  EXPECT_MU(muCtxSynchronize());
  EXPECT_TRUE(done);
}

TEST_F(DriverContext, muCtxSetLimit_and_muCtxGetLimit) {
  size_t value = 0;
  EXPECT_MU(muCtxSetLimit(MU_LIMIT_STACK_SIZE, 4096));
  EXPECT_MU(muCtxGetLimit(&value, MU_LIMIT_STACK_SIZE));
  EXPECT_EQ(value, 4096U);
  size_t by_runtime = 0;
  EXPECT_EQ(musaDeviceGetLimit(&by_runtime, musaLimitStackSize), musaSuccess);
  EXPECT_EQ(by_runtime, 4096U);
  EXPECT_EQ(muCtxGetLimit(&value, MU_LIMIT_MAX), MUSA_ERROR_UNSUPPORTED_LIMIT);
  EXPECT_EQ(muCtxSetLimit(MU_LIMIT_MAX, 1), MUSA_ERROR_UNSUPPORTED_LIMIT);
  EXPECT_EQ(muCtxSetLimit(MU_LIMIT_STACK_SIZE, SIZE_MAX), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muCtxSetLimit(MU_LIMIT_MALLOC_HEAP_SIZE, SIZE_MAX), MUSA_ERROR_OUT_OF_MEMORY);
  EXPECT_MU(muCtxGetLimit(&value, MU_LIMIT_STACK_SIZE));
  EXPECT_EQ(value, 4096U);
}

TEST_F(DriverContext,
       muCtxSetCacheConfig_muCtxGetCacheConfig_muCtxSetSharedMemConfig_muCtxGetSharedMemConfig) {
  MUfunc_cache cache = MU_FUNC_CACHE_PREFER_NONE;
  EXPECT_MU(muCtxSetCacheConfig(MU_FUNC_CACHE_PREFER_L1));
  EXPECT_MU(muCtxGetCacheConfig(&cache));
  EXPECT_EQ(cache, MU_FUNC_CACHE_PREFER_L1);
  EXPECT_EQ(muCtxSetCacheConfig(static_cast<MUfunc_cache>(9)), MUSA_ERROR_INVALID_VALUE);
  MUsharedconfig config = MU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
  EXPECT_MU(muCtxSetSharedMemConfig(MU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
  EXPECT_MU(muCtxGetSharedMemConfig(&config));
  EXPECT_EQ(config, MU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);  // fixed
  EXPECT_EQ(muCtxSetSharedMemConfig(static_cast<MUsharedconfig>(9)), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverContext, muCtxGetStreamPriorityRange_and_muCtxResetPersistingL2Cache) {
  int least = 7;
  int greatest = 7;
  EXPECT_MU(muCtxGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(least, 0);
  EXPECT_LT(greatest, 0);
  EXPECT_MU(muCtxResetPersistingL2Cache());
  ASSERT_MU(muCtxSetCurrent(nullptr));
  EXPECT_EQ(muCtxResetPersistingL2Cache(), MUSA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverContext, muCtxEnablePeerAccess_and_muCtxDisablePeerAccess) {
  MUcontext peer = nullptr;
  ASSERT_MU(muDevicePrimaryCtxRetain(&peer, 1));
  EXPECT_MU(muCtxEnablePeerAccess(peer, 0));
  EXPECT_EQ(muCtxEnablePeerAccess(peer, 0), MUSA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  EXPECT_EQ(muCtxEnablePeerAccess(peer, 1), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muCtxEnablePeerAccess(nullptr, 0), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_MU(muCtxDisablePeerAccess(peer));
  EXPECT_EQ(muCtxDisablePeerAccess(peer), MUSA_ERROR_PEER_ACCESS_NOT_ENABLED);
  EXPECT_MU(muDevicePrimaryCtxRelease_v2(1));
}

}  // namespace
