// What the driver tells of streams that the runtime made, and the other way round.
#include <array>

#include "tests/conformance/cuda_driver.h"

namespace {

class DriverStreams : public Driver {};

TEST_F(DriverStreams, cuStreamGetDevice_is_that_of_its_context) {
  CUdevice device = 99;
  const Stream first;
  EXPECT_CU(cuStreamGetDevice(first, &device));
  EXPECT_EQ(0, device);
  ASSERT_OK(cudaSetDevice(1));
  {
    const Stream second;
    ASSERT_OK(cudaSetDevice(0));
    EXPECT_CU(cuStreamGetDevice(second, &device));
    EXPECT_EQ(1, device);
  }
  CUcontext current = nullptr;
  EXPECT_CU(cuCtxGetCurrent(&current));
  EXPECT_EQ(context_, current);
  device = 99;
  EXPECT_CU(cuStreamGetDevice_ptsz(nullptr, &device));
  EXPECT_EQ(0, device);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuStreamGetDevice(first, nullptr));
}

TEST_F(DriverStreams, cuStreamGetCtx_v2_has_no_green_context) {
  const Stream stream;
  CUcontext context = nullptr;
  auto green = reinterpret_cast<CUgreenCtx>(not_an_object);
  EXPECT_CU(cuStreamGetCtx_v2(stream, &context, &green));
  EXPECT_EQ(context_, context);
  EXPECT_EQ(nullptr, green);
  context = nullptr;
  EXPECT_CU(cuStreamGetCtx_v2_ptsz(nullptr, &context, nullptr));
  EXPECT_EQ(context_, context);
}

TEST_F(DriverStreams, cuStreamGetId_is_the_runtimes) {
  const Stream one;
  const Stream other;
  unsigned long long first = 0;
  unsigned long long second = 0;
  unsigned long long told = 0;
  if (!served_since(42, cuStreamGetId(one, &first))) return;
  EXPECT_CU(cuStreamGetId(other, &second));
  EXPECT_NE(first, second);
  EXPECT_OK(cudaStreamGetId(one, &told));
  EXPECT_EQ(first, told);
}

TEST_F(DriverStreams, cuStreamWriteValue32_writes_one_word_in_its_turn) {
  const Stream stream;
  CUdeviceptr words = 0;
  ASSERT_CU(cuMemAlloc_v2(&words, 12));
  EXPECT_CU(cuMemsetD32Async(words, 5, 3, stream));
  if (served_since(42, cuStreamWriteValue32_v2(stream, words + 4, 0x87654321, 0))) {
    std::array<unsigned, 3> all{};
    EXPECT_CU(cuMemcpyDtoHAsync_v2(all.data(), words, sizeof(all), stream));
    EXPECT_CU(cuStreamSynchronize(stream));
    EXPECT_EQ((std::array<unsigned, 3>{5, 0x87654321, 5}), all);
    EXPECT_CU(cuStreamWriteValue32_v2_ptsz(nullptr, words + 8, 2, 0));
    EXPECT_CU(cuCtxSynchronize());
    EXPECT_CU(cuMemcpyDtoH_v2(all.data(), words, sizeof(all)));
    EXPECT_EQ((std::array<unsigned, 3>{5, 0x87654321, 2}), all);
  }
  EXPECT_CU(cuMemFree_v2(words));
}

// NVIDIA's driver has the first form only where its module's options say so.
TEST_F(DriverStreams, cuStreamWriteValue32_may_leave_out_the_barrier) {
  constexpr unsigned kWithoutBarrier = 1;
  CUdeviceptr word = 0;
  ASSERT_CU(cuMemAlloc_v2(&word, 4));
  if (served_since(42, cuStreamWriteValue32(nullptr, word, 0x87654321, kWithoutBarrier))) {
    unsigned value = 0;
    EXPECT_CU(cuMemcpyDtoH_v2(&value, word, sizeof(value)));
    EXPECT_EQ(0x87654321, value);
  }
  EXPECT_CU(cuMemFree_v2(word));
}

TEST_F(DriverStreams, cuStreamSetAttribute_keeps_what_cuStreamGetAttribute_tells) {
  const Stream stream;
  const auto policy = static_cast<CUstreamAttrID>(CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY);
  const auto window = static_cast<CUstreamAttrID>(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
  CUstreamAttrValue value{};
  value.syncPolicy = CU_SYNC_POLICY_YIELD;
  EXPECT_CU(cuStreamSetAttribute(stream, policy, &value));
  CUstreamAttrValue told;
  std::memset(&told, 0xee, sizeof told);
  EXPECT_CU(cuStreamGetAttribute(stream, policy, &told));
  EXPECT_EQ(CU_SYNC_POLICY_YIELD, told.syncPolicy);
  EXPECT_EQ('\xee', told.pad[4]);  // Nothing beyond the member is written.
  value = {};
  const Buffer memory(4096);
  value.accessPolicyWindow.base_ptr = memory;
  value.accessPolicyWindow.num_bytes = 0;  // The stand-in has no cache to set aside.
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = CU_ACCESS_PROPERTY_PERSISTING;
  value.accessPolicyWindow.missProp = CU_ACCESS_PROPERTY_STREAMING;
  EXPECT_CU(cuStreamSetAttribute(stream, window, &value));
  EXPECT_CU(cuStreamGetAttribute(stream, window, &told));
  EXPECT_EQ(static_cast<void*>(memory), told.accessPolicyWindow.base_ptr);
  EXPECT_EQ(0u, told.accessPolicyWindow.num_bytes);
  EXPECT_EQ(0.5f, told.accessPolicyWindow.hitRatio);
  EXPECT_EQ(CU_ACCESS_PROPERTY_PERSISTING, told.accessPolicyWindow.hitProp);
  EXPECT_EQ(CU_ACCESS_PROPERTY_STREAMING, told.accessPolicyWindow.missProp);
}

TEST_F(DriverStreams, cuStreamSetAttribute_ptsz_is_of_the_threads_own_stream) {
  const auto policy = static_cast<CUstreamAttrID>(CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY);
  CUstreamAttrValue value{};
  value.syncPolicy = CU_SYNC_POLICY_SPIN;
  EXPECT_CU(cuStreamSetAttribute_ptsz(nullptr, policy, &value));
  value.syncPolicy = CU_SYNC_POLICY_AUTO;
  EXPECT_CU(cuStreamGetAttribute(cudaStreamPerThread, policy, &value));
  EXPECT_EQ(CU_SYNC_POLICY_SPIN, value.syncPolicy);
  value.syncPolicy = CU_SYNC_POLICY_AUTO;
  EXPECT_CU(cuStreamGetAttribute_ptsz(nullptr, policy, &value));
  EXPECT_EQ(CU_SYNC_POLICY_SPIN, value.syncPolicy);
}

TEST_F(DriverStreams, cuStreamGetAttribute_knows_the_priority) {
  int least = 0;
  int greatest = 0;
  ASSERT_CU(cuCtxGetStreamPriorityRange(&least, &greatest));
  CUstream stream = nullptr;
  ASSERT_CU(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, greatest));
  CUstreamAttrValue value{};
  value.priority = 99;
  const auto priority = static_cast<CUstreamAttrID>(CU_LAUNCH_ATTRIBUTE_PRIORITY);
  EXPECT_CU(cuStreamGetAttribute(stream, priority, &value));
  EXPECT_EQ(greatest, value.priority);
  EXPECT_OK(cudaStreamDestroy(stream));
}

TEST_F(DriverStreams, cuStreamSetAttribute_refuses_what_MUSA_lacks_by_name) {
  const Stream stream;
  CUstreamAttrValue value{};
  expect_refused("CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN", [&] {
    return cuStreamSetAttribute(
        stream, static_cast<CUstreamAttrID>(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN), &value);
  });
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuStreamSetAttribute(stream, static_cast<CUstreamAttrID>(77), &value));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuStreamGetAttribute(stream, static_cast<CUstreamAttrID>(77), &value));
}

TEST_F(DriverStreams, cuLaunchHostFunc_v2_runs_it_in_order) {
  const Stream stream;
  int count = 0;
  const auto add = [](void* data) { ++*static_cast<int*>(data); };
  EXPECT_CU(cuLaunchHostFunc_v2(stream, add, &count, CU_HOST_TASK_SPINWAIT));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(1, count);
  EXPECT_CU(cuLaunchHostFunc_v2_ptsz(nullptr, add, &count, CU_HOST_TASK_BLOCKING));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_EQ(2, count);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuLaunchHostFunc_v2(stream, add, &count, 7));
}

}  // namespace
