#include "tests/host/musart/graph_support.h"

namespace {

constexpr size_t kSize = size_t{1} << 16;

class GraphMemory : public GraphTest {
 protected:
  static musaMemAllocNodeParams allocation(size_t size = kSize) {
    musaMemAllocNodeParams params{};
    params.poolProps.allocType = musaMemAllocationTypePinned;
    params.poolProps.location = {musaMemLocationTypeDevice, 0};
    params.bytesize = size;
    return params;
  }
  // Makes nodes that allocate and fill memory.
  void SetUp() override {
    GraphTest::SetUp();
    ASSERT_OK(musaDeviceGraphMemTrim(0));
    musaMemAllocNodeParams params = allocation();
    ASSERT_OK(musaGraphAddMemAllocNode(&allocate_, graph_, nullptr, 0, &params));
    memory_ = params.dptr;
    ASSERT_NE(nullptr, memory_);
    const musaMemsetParams fill{memory_, 0, 5, 1, kSize, 1};
    ASSERT_OK(musaGraphAddMemsetNode(&fill_, graph_, &allocate_, 1, &fill));
  }
  static std::uint64_t attribute(musaGraphMemAttributeType attribute) {
    std::uint64_t value = 99;
    EXPECT_OK(musaDeviceGetGraphMemAttribute(0, attribute, &value));
    return value;
  }
  int first_byte() {
    unsigned char byte = 0;
    EXPECT_OK(musaMemcpyAsync(&byte, memory_, 1, musaMemcpyDeviceToHost, stream_));
    EXPECT_OK(musaStreamSynchronize(stream_));
    return byte;
  }
  musaGraphNode_t allocate_ = nullptr;
  musaGraphNode_t fill_ = nullptr;
  void* memory_ = nullptr;
};

TEST_F(GraphMemory, musaGraphAddMemAllocNode_gives_memory_that_outlives_the_launch) {
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  EXPECT_EQ(5, first_byte());
  // A second launch needs the memory freed first.
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphLaunch(exec, stream_));
  ASSERT_OK(musaFreeAsync(memory_, stream_));
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeAsync(memory_, stream_));
  EXPECT_OK(musaGraphLaunch(exec, stream_));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_OK(musaFree(memory_));
  EXPECT_ERROR(musaErrorInvalidValue, musaFree(memory_));
  musaGraphNode_t node = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemAllocNode(&node, graph_, nullptr, 0, nullptr));
  musaMemAllocNodeParams params = allocation(0);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params));
  params = allocation();
  params.poolProps.location.id = 77;
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params));
}

TEST_F(GraphMemory, musaGraphMemAllocNodeGetParams_gives_them_back) {
  const musaMemAccessDesc access{{musaMemLocationTypeDevice, 0}, musaMemAccessFlagsProtReadWrite};
  musaMemAllocNodeParams params = allocation(100);
  params.accessDescs = &access;
  params.accessDescCount = 1;
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params));
  EXPECT_EQ(musaGraphNodeTypeMemAlloc, type_of(node));
  musaMemAllocNodeParams found{};
  ASSERT_OK(musaGraphMemAllocNodeGetParams(node, &found));
  EXPECT_EQ(params.dptr, found.dptr);
  EXPECT_EQ(100U, found.bytesize);
  ASSERT_EQ(1U, found.accessDescCount);
  EXPECT_EQ(musaMemAccessFlagsProtReadWrite, found.accessDescs->flags);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphMemAllocNodeGetParams(fill_, &found));
}

TEST_F(GraphMemory, musaGraphAddMemFreeNode_lets_the_graph_run_again) {
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemFreeNode(&node, graph_, &fill_, 1, memory_));
  EXPECT_EQ(musaGraphNodeTypeMemFree, type_of(node));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphAddMemFreeNode(&node, graph_, &fill_, 1, memory_));
  musaGraphExec_t exec = instantiate();
  for (int i = 0; i < 3; ++i) EXPECT_OK(musaGraphLaunch(exec, stream_));
  EXPECT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ(0U, attribute(musaGraphMemAttrUsedMemCurrent));
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeAsync(memory_, stream_));
  EXPECT_OK(musaGraphExecDestroy(exec));
  const DeviceInts data(1);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphAddMemFreeNode(&node, graph_, nullptr, 0, data.get()));
}

TEST_F(GraphMemory, musaGraphAddMemFreeNode_frees_what_another_graph_allocated) {
  musaGraph_t other = nullptr;
  ASSERT_OK(musaGraphCreate(&other, 0));
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemFreeNode(&node, other, nullptr, 0, memory_));
  musaGraphExec_t frees = instantiate(other);
  musaGraphExec_t allocates = instantiate();
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphLaunch(frees, stream_));
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(musaGraphLaunch(allocates, stream_));
    ASSERT_OK(musaGraphLaunch(frees, stream_));
  }
  EXPECT_OK(musaStreamSynchronize(stream_));
  EXPECT_OK(musaGraphExecDestroy(frees));
  EXPECT_OK(musaGraphExecDestroy(allocates));
  EXPECT_OK(musaGraphDestroy(other));
}

TEST_F(GraphMemory, musaFree_keeps_the_address_reserved_for_a_while) {
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_OK(musaGraphExecDestroy(exec));
  EXPECT_OK(musaGraphDestroy(graph_));
  EXPECT_OK(musaFree(memory_));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(memory_, 0, 1));
  // After many other frees, the address is forgotten, and only this one.
  for (int i = 0; i < 300; ++i) {
    void* other = nullptr;
    ASSERT_OK(musaMalloc(&other, 1));
    ASSERT_OK(musaFree(other));
    EXPECT_ERROR(musaErrorInvalidValue, musaMemset(other, 0, 1));
  }
  ASSERT_OK(musaGraphCreate(&graph_, 0));
}

TEST_F(GraphMemory, musaGraphMemFreeNodeGetParams_gives_the_address) {
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemFreeNode(&node, graph_, &fill_, 1, memory_));
  void* found = nullptr;
  ASSERT_OK(musaGraphMemFreeNodeGetParams(node, static_cast<void*>(&found)));
  EXPECT_EQ(memory_, found);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphMemFreeNodeGetParams(node, nullptr));
}

TEST_F(GraphMemory, musaGraphLaunch_frees_by_itself_if_told_to) {
  musaGraphExec_t exec = nullptr;
  ASSERT_OK(musaGraphInstantiateWithFlags(&exec, graph_, musaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 3; ++i) EXPECT_OK(musaGraphLaunch(exec, stream_));
  EXPECT_EQ(5, first_byte());
  EXPECT_OK(musaFreeAsync(memory_, stream_));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphMemory, musaGraphLaunch_says_when_memory_runs_out) {
  size_t free = 0, total = 0;
  ASSERT_OK(musaMemGetInfo(&free, &total));
  // Not more than needed: its addresses are reserved, and under ThreadSanitizer there are few.
  musaMemAllocNodeParams params = allocation(total + 1);
  musaGraphNode_t node = nullptr;
  ASSERT_OK(musaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params));
  musaGraphExec_t exec = instantiate();
  EXPECT_ERROR(musaErrorMemoryAllocation, musaGraphUpload(exec, stream_));
  EXPECT_ERROR(musaErrorMemoryAllocation, musaGraphLaunch(exec, stream_));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphMemory, musaMemcpy_of_memory_not_allocated_is_a_fault) {
  int value = 0;
  EXPECT_EQ(musaErrorIllegalAddress, musaMemcpy(&value, memory_, 4, musaMemcpyDeviceToHost));
  ASSERT_OK(musaDeviceReset());
  ASSERT_OK(musaStreamCreate(&stream_));
  // The reset destroyed the memory.
  musaGraphExec_t exec = instantiate();
  EXPECT_EQ(musaErrorMemoryAllocation, musaGraphLaunch(exec, stream_));
  EXPECT_OK(musaGraphExecDestroy(exec));
  static_cast<void>(musaGetLastError());
}

TEST_F(GraphMemory, musaGraphInstantiateWithFlags_allows_one_at_a_time) {
  musaGraphExec_t exec = instantiate();
  musaGraphExec_t other = nullptr;
  EXPECT_ERROR(musaErrorNotSupported, musaGraphInstantiateWithFlags(&other, graph_, 0));
  EXPECT_OK(musaGraphExecDestroy(exec));
  ASSERT_OK(musaGraphInstantiateWithFlags(&other, graph_, 0));
  EXPECT_OK(musaGraphExecDestroy(other));
  musaGraph_t copy = nullptr;
  EXPECT_ERROR(musaErrorNotSupported, musaGraphClone(&copy, graph_));
  EXPECT_ERROR(musaErrorNotSupported, musaGraphDestroyNode(fill_));
  EXPECT_ERROR(musaErrorNotSupported, musaGraphRemoveDependencies(graph_, &allocate_, &fill_, 1));
  musaGraph_t outer = nullptr;
  ASSERT_OK(musaGraphCreate(&outer, 0));
  musaGraphNode_t child = nullptr;
  EXPECT_ERROR(musaErrorNotSupported,
               musaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph_));
  EXPECT_OK(musaGraphDestroy(outer));
}

TEST_F(GraphMemory, musaGraphDestroy_leaves_memory_that_is_allocated) {
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  ASSERT_OK(musaGraphExecDestroy(exec));
  ASSERT_OK(musaGraphDestroy(graph_));
  graph_ = nullptr;
  EXPECT_EQ(5, first_byte());
  ASSERT_OK(musaFreeAsync(memory_, stream_));
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ(0U, attribute(musaGraphMemAttrReservedMemCurrent));
  EXPECT_ERROR(musaErrorInvalidValue, musaFree(memory_));
}

TEST_F(GraphMemory, musaDeviceGetGraphMemAttribute_counts_use) {
  EXPECT_EQ(0U, attribute(musaGraphMemAttrUsedMemCurrent));
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ(kSize, attribute(musaGraphMemAttrUsedMemCurrent));
  EXPECT_EQ(kSize, attribute(musaGraphMemAttrReservedMemCurrent));
  EXPECT_GE(attribute(musaGraphMemAttrReservedMemHigh), kSize);
  ASSERT_OK(musaFree(memory_));
  EXPECT_EQ(0U, attribute(musaGraphMemAttrUsedMemCurrent));
  EXPECT_EQ(kSize, attribute(musaGraphMemAttrReservedMemCurrent));
  EXPECT_OK(musaGraphExecDestroy(exec));
  std::uint64_t value = 0;
  EXPECT_ERROR(musaErrorInvalidDevice,
               musaDeviceGetGraphMemAttribute(9, musaGraphMemAttrUsedMemHigh, &value));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaDeviceGetGraphMemAttribute(0, musaGraphMemAttrUsedMemHigh, nullptr));
}

TEST_F(GraphMemory, musaDeviceSetGraphMemAttribute_resets_high_marks) {
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  ASSERT_OK(musaFreeAsync(memory_, stream_));
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_GE(attribute(musaGraphMemAttrUsedMemHigh), kSize);
  std::uint64_t value = 0;
  ASSERT_OK(musaDeviceSetGraphMemAttribute(0, musaGraphMemAttrUsedMemHigh, &value));
  EXPECT_EQ(0U, attribute(musaGraphMemAttrUsedMemHigh));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaDeviceSetGraphMemAttribute(0, musaGraphMemAttrUsedMemCurrent, &value));
  value = 1;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaDeviceSetGraphMemAttribute(0, musaGraphMemAttrUsedMemHigh, &value));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphMemory, musaDeviceGraphMemTrim_gives_unused_pages_back) {
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  ASSERT_OK(musaStreamSynchronize(stream_));
  ASSERT_OK(musaDeviceGraphMemTrim(0));
  EXPECT_EQ(5, first_byte());
  ASSERT_OK(musaFree(memory_));
  size_t free_before = 0;
  size_t free_after = 0;
  size_t total = 0;
  ASSERT_OK(musaMemGetInfo(&free_before, &total));
  ASSERT_OK(musaDeviceGraphMemTrim(0));
  ASSERT_OK(musaMemGetInfo(&free_after, &total));
  EXPECT_EQ(0U, attribute(musaGraphMemAttrReservedMemCurrent));
  EXPECT_EQ(kSize, free_after - free_before);
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceGraphMemTrim(9));
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  EXPECT_EQ(5, first_byte());
  EXPECT_OK(musaFree(memory_));
  EXPECT_OK(musaGraphExecDestroy(exec));
}

}  // namespace
