// Capture and graphs.
#include "tests/host/musa/support.h"

namespace {

class DriverGraph : public DriverTest {
 protected:
  using Nodes = std::vector<MUgraphNode>;

  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_MU(muStreamCreate(&stream_, MU_STREAM_NON_BLOCKING));
    ASSERT_MU(muGraphCreate(&graph_, 0));
    memory_ = allocate(64);
    ASSERT_MU(muMemsetD8_v2(memory_, '.', 64));
  }
  void TearDown() override {
    EXPECT_MU(muGraphDestroy(graph_));
    EXPECT_MU(muStreamDestroy_v2(stream_));
    EXPECT_MU(muMemFree_v2(memory_));
    DriverTest::TearDown();
  }

  MUgraphNode add_empty(const Nodes& after = {}) {
    MUgraphNode node = nullptr;
    EXPECT_MU(muGraphAddEmptyNode(&node, graph_, after.data(), after.size()));
    return node;
  }
  // A fill of `count` bytes at the start of the memory.
  MUSA_MEMSET_NODE_PARAMS fill(char value, size_t count = 1) const {
    return {memory_, 0, static_cast<unsigned int>(value), 1, count, 1};
  }
  MUgraphNode add_fill(char value) {
    const MUSA_MEMSET_NODE_PARAMS params = fill(value);
    MUgraphNode node = nullptr;
    EXPECT_MU(muGraphAddMemsetNode(&node, graph_, nullptr, 0, &params, context_));
    return node;
  }
  // A copy of the first bytes of the memory to the place that starts at `offset`.
  MUSA_MEMCPY3D copy(size_t offset, size_t count = 1) const {
    MUSA_MEMCPY3D box{};
    box.srcMemoryType = MU_MEMORYTYPE_DEVICE;
    box.srcDevice = memory_;
    box.dstMemoryType = MU_MEMORYTYPE_DEVICE;
    box.dstDevice = memory_;
    box.dstXInBytes = offset;
    box.WidthInBytes = count;
    box.Height = 1;
    box.Depth = 1;
    return box;
  }
  static MUSA_HOST_NODE_PARAMS count_up(int* counter) {
    return {[](void* data) { ++*static_cast<int*>(data); }, counter};
  }
  MUgraphNode add_count(int* counter) {
    const MUSA_HOST_NODE_PARAMS params = count_up(counter);
    MUgraphNode node = nullptr;
    EXPECT_MU(muGraphAddHostNode(&node, graph_, nullptr, 0, &params));
    return node;
  }
  MUgraphExec instantiate() {
    MUgraphExec exec = nullptr;
    EXPECT_MU(muGraphInstantiate_v2(&exec, graph_, nullptr, nullptr, 0));
    return exec;
  }
  void launch(MUgraphExec exec) {
    EXPECT_MU(muGraphLaunch(exec, stream_));
    EXPECT_MU(muStreamSynchronize(stream_));
  }
  void run() {
    MUgraphExec exec = instantiate();
    launch(exec);
    EXPECT_MU(muGraphExecDestroy(exec));
  }
  static size_t node_count(MUgraph graph) {
    size_t count = 99;
    EXPECT_MU(muGraphGetNodes(graph, nullptr, &count));
    return count;
  }

  MUstream stream_ = nullptr;
  MUgraph graph_ = nullptr;
  MUdeviceptr memory_ = 0;
};

TEST_F(DriverGraph, muGraphCreate_muGraphDestroy) {
  MUgraph graph = nullptr;
  EXPECT_MU(muGraphCreate(&graph, 0));
  EXPECT_NE(graph, nullptr);
  EXPECT_MU(muGraphDestroy(graph));
  EXPECT_EQ(muGraphDestroy(graph), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muGraphCreate(nullptr, 0), MUSA_ERROR_INVALID_VALUE);
  ASSERT_MU(muCtxSetCurrent(nullptr));
  EXPECT_EQ(muGraphCreate(&graph, 0), MUSA_ERROR_INVALID_CONTEXT);
  ASSERT_MU(muCtxSetCurrent(context_));
}

TEST_F(DriverGraph, muGraphAddEmptyNode_muGraphGetNodes_muGraphGetRootNodes_muGraphGetEdges) {
  const MUgraphNode first = add_empty();
  const MUgraphNode second = add_empty({first});
  Nodes nodes(2);
  size_t count = 2;
  EXPECT_MU(muGraphGetNodes(graph_, nodes.data(), &count));
  EXPECT_EQ(nodes, (Nodes{first, second}));
  EXPECT_MU(muGraphGetRootNodes(graph_, nodes.data(), &count));
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(nodes.front(), first);
  MUgraphNode from = nullptr;
  MUgraphNode to = nullptr;
  count = 1;
  EXPECT_MU(muGraphGetEdges(graph_, &from, &to, &count));
  EXPECT_EQ(from, first);
  EXPECT_EQ(to, second);
  EXPECT_EQ(muGraphAddEmptyNode(nullptr, graph_, nullptr, 0), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverGraph,
       muGraphAddDependencies_muGraphNodeGetDependencies_muGraphNodeGetDependentNodes) {
  const MUgraphNode first = add_empty();
  const MUgraphNode second = add_empty();
  EXPECT_MU(muGraphAddDependencies(graph_, &first, &second, 1));
  MUgraphNode found = nullptr;
  size_t count = 1;
  EXPECT_MU(muGraphNodeGetDependencies(second, &found, &count));
  EXPECT_EQ(found, first);
  EXPECT_MU(muGraphNodeGetDependentNodes(first, &found, &count));
  EXPECT_EQ(found, second);
  EXPECT_EQ(muGraphAddDependencies(graph_, &first, &first, 1), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverGraph, muGraphNodeGetType_muGraphDestroyNode) {
  const MUgraphNode node = add_empty();
  auto type = static_cast<MUgraphNodeType>(99);
  EXPECT_MU(muGraphNodeGetType(node, &type));
  EXPECT_EQ(type, MU_GRAPH_NODE_TYPE_EMPTY);
  EXPECT_MU(muGraphDestroyNode(node));
  EXPECT_EQ(node_count(graph_), 0U);
  EXPECT_EQ(muGraphNodeGetType(node, &type), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverGraph, muGraphClone_and_muGraphNodeFindInClone) {
  const MUgraphNode node = add_empty();
  MUgraph clone = nullptr;
  EXPECT_MU(muGraphClone(&clone, graph_));
  EXPECT_EQ(node_count(clone), 1U);
  MUgraphNode found = nullptr;
  EXPECT_MU(muGraphNodeFindInClone(&found, node, clone));
  EXPECT_NE(found, nullptr);
  EXPECT_NE(found, node);
  EXPECT_MU(muGraphDestroy(clone));
  EXPECT_EQ(muGraphNodeFindInClone(&found, node, graph_), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverGraph,
       muGraphAddMemsetNode_muGraphMemsetNodeGetParams_muGraphMemsetNodeSetParams_run) {
  const MUgraphNode node = add_fill('a');
  run();
  EXPECT_EQ(read(memory_, 2), "a.");
  MUSA_MEMSET_NODE_PARAMS params = fill('b', 2);
  EXPECT_MU(muGraphMemsetNodeSetParams(node, &params));
  params = {};
  EXPECT_MU(muGraphMemsetNodeGetParams(node, &params));
  EXPECT_EQ(params.dst, memory_);
  EXPECT_EQ(params.width, 2U);
  run();
  EXPECT_EQ(read(memory_, 3), "bb.");
  MUgraphNode none = nullptr;
  EXPECT_EQ(muGraphAddMemsetNode(&none, graph_, nullptr, 0, &params, nullptr),
            MUSA_ERROR_INVALID_CONTEXT);
  MUcontext current = nullptr;
  EXPECT_MU(muCtxGetCurrent(&current));
  EXPECT_EQ(current, context_);
}

TEST_F(DriverGraph,
       muGraphAddMemcpyNode_muGraphMemcpyNodeGetParams_muGraphMemcpyNodeSetParams_run) {
  ASSERT_MU(muMemsetD8_v2(memory_, 'a', 2));
  MUSA_MEMCPY3D params = copy(4);
  MUgraphNode node = nullptr;
  EXPECT_MU(muGraphAddMemcpyNode(&node, graph_, nullptr, 0, &params, context_));
  run();
  EXPECT_EQ(read(memory_, 6), "aa..a.");
  params = copy(8, 2);
  EXPECT_MU(muGraphMemcpyNodeSetParams(node, &params));
  params = {};
  EXPECT_MU(muGraphMemcpyNodeGetParams(node, &params));
  EXPECT_EQ(params.srcMemoryType, MU_MEMORYTYPE_DEVICE);
  EXPECT_EQ(params.dstDevice, memory_);
  EXPECT_EQ(params.dstXInBytes, 8U);
  EXPECT_EQ(params.WidthInBytes, 2U);
  run();
  EXPECT_EQ(read(memory_ + 8, 3), "aa.");
  EXPECT_EQ(muGraphAddMemcpyNode(&node, graph_, nullptr, 0, &params, nullptr),
            MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muGraphMemcpyNodeGetParams(node, nullptr), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverGraph, muGraphMemcpyNodeGetParams_of_hosts_and_arrays_counts_bytes) {
  const MUSA_ARRAY_DESCRIPTOR wanted{4, 4, MU_AD_FORMAT_FLOAT, 1};
  MUarray array = nullptr;
  ASSERT_MU(muArrayCreate_v2(&array, &wanted));
  std::vector<float> host(16);
  MUSA_MEMCPY3D params{};
  params.srcMemoryType = MU_MEMORYTYPE_HOST;
  params.srcHost = host.data();
  params.srcPitch = 16;
  params.dstMemoryType = MU_MEMORYTYPE_ARRAY;
  params.dstArray = array;
  params.dstXInBytes = 4;
  params.WidthInBytes = 12;
  params.Height = 2;
  params.Depth = 1;
  MUgraphNode node = nullptr;
  ASSERT_MU(muGraphAddMemcpyNode(&node, graph_, nullptr, 0, &params, context_));
  MUSA_MEMCPY3D told{};
  EXPECT_MU(muGraphMemcpyNodeGetParams(node, &told));
  EXPECT_EQ(told.srcMemoryType, MU_MEMORYTYPE_HOST);
  EXPECT_EQ(told.srcHost, host.data());
  EXPECT_EQ(told.srcPitch, 16U);
  EXPECT_EQ(told.dstMemoryType, MU_MEMORYTYPE_ARRAY);
  EXPECT_EQ(told.dstArray, array);
  EXPECT_EQ(told.dstXInBytes, 4U);
  EXPECT_EQ(told.WidthInBytes, 12U);
  EXPECT_EQ(told.Height, 2U);
  EXPECT_MU(muArrayDestroy(array));
}

TEST_F(DriverGraph, muGraphAddHostNode_muGraphHostNodeGetParams_muGraphHostNodeSetParams_run) {
  int first = 0;
  int second = 0;
  const MUgraphNode node = add_count(&first);
  run();
  EXPECT_EQ(first, 1);
  const MUSA_HOST_NODE_PARAMS params = count_up(&second);
  EXPECT_MU(muGraphHostNodeSetParams(node, &params));
  MUSA_HOST_NODE_PARAMS told{};
  EXPECT_MU(muGraphHostNodeGetParams(node, &told));
  EXPECT_EQ(told.userData, &second);
  run();
  EXPECT_EQ(second, 1);
}

// A node for a function that no module has can be made and read; no device can run it.
TEST_F(DriverGraph, muGraphAddKernelNode_muGraphKernelNodeGetParams_muGraphKernelNodeSetParams) {
  MUSA_KERNEL_NODE_PARAMS params{};
  params.func = reinterpret_cast<MUfunction>(&params);
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  MUgraphNode node = nullptr;
  EXPECT_MU(muGraphAddKernelNode(&node, graph_, nullptr, 0, &params));
  params.blockDimX = 32;
  EXPECT_MU(muGraphKernelNodeSetParams(node, &params));
  MUSA_KERNEL_NODE_PARAMS told{};
  EXPECT_MU(muGraphKernelNodeGetParams(node, &told));
  EXPECT_EQ(told.func, params.func);
  EXPECT_EQ(told.blockDimX, 32U);
  MUgraphExec exec = nullptr;
  MUgraphNode blamed = nullptr;
  char log[32] = "?";
  EXPECT_EQ(muGraphInstantiate_v2(&exec, graph_, &blamed, log, sizeof(log)),
            MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(blamed, node);
  EXPECT_STREQ(log, "invalid resource handle");
}

TEST_F(DriverGraph, muGraphExecKernelNodeSetParams_finds_no_kernel_in_an_empty_node) {
  const MUgraphNode node = add_empty();
  MUgraphExec exec = instantiate();
  const MUSA_KERNEL_NODE_PARAMS params{};
  EXPECT_EQ(muGraphExecKernelNodeSetParams(exec, node, &params), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muGraphExecDestroy(exec));
}

TEST_F(DriverGraph, muGraphAddChildGraphNode_and_muGraphChildGraphNodeGetGraph) {
  add_fill('c');
  MUgraph outer = nullptr;
  ASSERT_MU(muGraphCreate(&outer, 0));
  MUgraphNode node = nullptr;
  EXPECT_MU(muGraphAddChildGraphNode(&node, outer, nullptr, 0, graph_));
  MUgraph inner = nullptr;
  EXPECT_MU(muGraphChildGraphNodeGetGraph(node, &inner));
  EXPECT_EQ(node_count(inner), 1U);
  std::swap(outer, graph_);
  run();
  EXPECT_EQ(read(memory_, 2), "c.");
  EXPECT_MU(muGraphDestroy(outer));
}

TEST_F(DriverGraph,
       muGraphAddEventRecordNode_muGraphAddEventWaitNode_muGraphEventWaitNodeGetEvent) {
  MUevent first = nullptr;
  MUevent second = nullptr;
  ASSERT_MU(muEventCreate(&first, 0));
  ASSERT_MU(muEventCreate(&second, 0));
  MUgraphNode record = nullptr;
  MUgraphNode wait = nullptr;
  EXPECT_MU(muGraphAddEventRecordNode(&record, graph_, nullptr, 0, first));
  EXPECT_MU(muGraphAddEventWaitNode(&wait, graph_, &record, 1, first));
  MUevent told = nullptr;
  EXPECT_MU(muGraphEventRecordNodeGetEvent(record, &told));
  EXPECT_EQ(told, first);
  told = nullptr;
  EXPECT_MU(muGraphEventWaitNodeGetEvent(wait, &told));
  EXPECT_EQ(told, first);
  EXPECT_MU(muGraphDestroy(graph_));
  EXPECT_MU(muGraphCreate(&graph_, 0));
  EXPECT_MU(muEventDestroy_v2(first));
  EXPECT_MU(muEventDestroy_v2(second));
}

TEST_F(DriverGraph,
       muGraphEventRecordNodeSetEvent_muGraphEventRecordNodeGetEvent_muGraphEventWaitNodeSetEvent) {
  MUevent first = nullptr;
  MUevent second = nullptr;
  ASSERT_MU(muEventCreate(&first, 0));
  ASSERT_MU(muEventCreate(&second, 0));
  MUgraphNode record = nullptr;
  MUgraphNode wait = nullptr;
  ASSERT_MU(muGraphAddEventRecordNode(&record, graph_, nullptr, 0, first));
  ASSERT_MU(muGraphAddEventWaitNode(&wait, graph_, &record, 1, first));
  EXPECT_MU(muGraphEventRecordNodeSetEvent(record, second));
  EXPECT_MU(muGraphEventWaitNodeSetEvent(wait, second));
  MUevent told = nullptr;
  EXPECT_MU(muGraphEventRecordNodeGetEvent(record, &told));
  EXPECT_EQ(told, second);
  told = nullptr;
  EXPECT_MU(muGraphEventWaitNodeGetEvent(wait, &told));
  EXPECT_EQ(told, second);
  EXPECT_MU(muEventDestroy_v2(first));
  EXPECT_MU(muEventDestroy_v2(second));
}

TEST_F(DriverGraph, muGraphAddMemAllocNode_and_muGraphAddMemFreeNode_with_their_accounts) {
  MUSA_MEM_ALLOC_NODE_PARAMS params{};
  params.poolProps.allocType = MU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location = {MU_MEM_LOCATION_TYPE_DEVICE, 0};
  params.bytesize = 1 << 20;
  MUgraphNode allocation = nullptr;
  EXPECT_MU(muGraphAddMemAllocNode(&allocation, graph_, nullptr, 0, &params));
  EXPECT_NE(params.dptr, 0U);
  MUgraphNode freed = nullptr;
  EXPECT_MU(muGraphAddMemFreeNode(&freed, graph_, &allocation, 1, params.dptr));
  auto type = static_cast<MUgraphNodeType>(99);
  EXPECT_MU(muGraphNodeGetType(freed, &type));
  EXPECT_EQ(type, MU_GRAPH_NODE_TYPE_MEM_FREE);
  run();
  EXPECT_EQ(muGraphAddMemFreeNode(&freed, graph_, nullptr, 0, params.dptr),
            MUSA_ERROR_INVALID_VALUE)
      << "freed already";
}

TEST_F(DriverGraph,
       muDeviceGetGraphMemAttribute_muDeviceSetGraphMemAttribute_muDeviceGraphMemTrim) {
  muuint64_t high = 99;
  muuint64_t zero = 0;
  EXPECT_MU(muDeviceSetGraphMemAttribute(0, MU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
  EXPECT_MU(muDeviceGetGraphMemAttribute(0, MU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &high));
  EXPECT_EQ(high, 0U);
  zero = 1;
  EXPECT_EQ(muDeviceSetGraphMemAttribute(0, MU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muDeviceGraphMemTrim(0));
  EXPECT_EQ(muDeviceGraphMemTrim(9), MUSA_ERROR_INVALID_DEVICE);
}

TEST_F(DriverGraph, muGraphInstantiate_v2_muGraphLaunch_muGraphExecDestroy) {
  add_fill('i');
  MUgraphExec exec = nullptr;
  char log[4] = "old";
  EXPECT_MU(muGraphInstantiate_v2(&exec, graph_, nullptr, log, sizeof(log)));
  EXPECT_STREQ(log, "");
  launch(exec);
  EXPECT_EQ(read(memory_, 2), "i.");
  EXPECT_MU(muGraphExecDestroy(exec));
  EXPECT_EQ(muGraphExecDestroy(exec), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muGraphLaunch(exec, stream_), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muGraphInstantiate_v2(nullptr, graph_, nullptr, nullptr, 0), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverGraph, muGraphExecUpdate_takes_another_graph) {
  const MUgraphNode node = add_fill('1');
  MUgraphExec exec = instantiate();
  MUSA_MEMSET_NODE_PARAMS params = fill('2');
  ASSERT_MU(muGraphMemsetNodeSetParams(node, &params));
  MUgraphNode blamed = node;
  auto result = MU_GRAPH_EXEC_UPDATE_ERROR;
  EXPECT_MU(muGraphExecUpdate(exec, graph_, &blamed, &result));
  EXPECT_EQ(result, MU_GRAPH_EXEC_UPDATE_SUCCESS);
  EXPECT_EQ(blamed, nullptr);
  launch(exec);
  EXPECT_EQ(read(memory_, 1), "2");
  add_empty();
  EXPECT_EQ(muGraphExecUpdate(exec, graph_, &blamed, &result),
            MUSA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(result, MU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  EXPECT_MU(muGraphExecDestroy(exec));
}

TEST_F(DriverGraph, muGraphExecMemsetNodeSetParams_and_muGraphExecMemcpyNodeSetParams) {
  const MUgraphNode filler = add_fill('1');
  MUSA_MEMCPY3D box = copy(4);
  MUgraphNode copier = nullptr;
  ASSERT_MU(muGraphAddMemcpyNode(&copier, graph_, &filler, 1, &box, context_));
  MUgraphExec exec = instantiate();
  const MUSA_MEMSET_NODE_PARAMS params = fill('2');
  EXPECT_MU(muGraphExecMemsetNodeSetParams(exec, filler, &params, context_));
  box = copy(6);
  EXPECT_MU(muGraphExecMemcpyNodeSetParams(exec, copier, &box, context_));
  launch(exec);
  EXPECT_EQ(read(memory_, 8), "2.....2.");
  EXPECT_EQ(muGraphExecMemsetNodeSetParams(exec, filler, &params, nullptr),
            MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muGraphExecMemcpyNodeSetParams(exec, filler, &box, context_), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muGraphExecDestroy(exec));
}

TEST_F(DriverGraph, muGraphExecHostNodeSetParams_and_muGraphExecChildGraphNodeSetParams) {
  int first = 0;
  int second = 0;
  int third = 0;
  const MUgraphNode host = add_count(&first);
  MUgraph inner = nullptr;
  ASSERT_MU(muGraphClone(&inner, graph_));
  MUgraphNode child = nullptr;
  ASSERT_MU(muGraphAddChildGraphNode(&child, graph_, nullptr, 0, inner));
  MUgraphExec exec = instantiate();
  MUSA_HOST_NODE_PARAMS params = count_up(&second);
  EXPECT_MU(muGraphExecHostNodeSetParams(exec, host, &params));
  params = count_up(&third);
  MUgraphNode inside = nullptr;
  ASSERT_MU(muGraphNodeFindInClone(&inside, host, inner));
  ASSERT_MU(muGraphHostNodeSetParams(inside, &params));
  EXPECT_MU(muGraphExecChildGraphNodeSetParams(exec, child, inner));
  launch(exec);
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
  EXPECT_EQ(third, 1);
  EXPECT_MU(muGraphExecDestroy(exec));
  EXPECT_MU(muGraphDestroy(inner));
}

TEST_F(DriverGraph, muGraphExecEventRecordNodeSetEvent_and_muGraphExecEventWaitNodeSetEvent) {
  MUevent first = nullptr;
  MUevent second = nullptr;
  ASSERT_MU(muEventCreate(&first, 0));
  ASSERT_MU(muEventCreate(&second, 0));
  MUgraphNode record = nullptr;
  MUgraphNode wait = nullptr;
  ASSERT_MU(muGraphAddEventRecordNode(&record, graph_, nullptr, 0, first));
  ASSERT_MU(muGraphAddEventWaitNode(&wait, graph_, &record, 1, first));
  MUgraphExec exec = instantiate();
  EXPECT_MU(muGraphExecEventRecordNodeSetEvent(exec, record, second));
  EXPECT_MU(muGraphExecEventWaitNodeSetEvent(exec, wait, second));
  launch(exec);
  float milliseconds = -1;
  EXPECT_EQ(muEventElapsedTime(&milliseconds, first, first), MUSA_ERROR_INVALID_HANDLE)
      << "not recorded";
  EXPECT_MU(muEventElapsedTime(&milliseconds, second, second));
  EXPECT_EQ(muGraphExecEventWaitNodeSetEvent(exec, record, second), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muGraphExecEventRecordNodeSetEvent(exec, wait, second), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muGraphExecDestroy(exec));
  EXPECT_MU(muEventDestroy_v2(first));
  EXPECT_MU(muEventDestroy_v2(second));
}

TEST_F(DriverGraph, muStreamBeginCapture_v2_muStreamEndCapture) {
  auto status = static_cast<musaStreamCaptureStatus>(99);
  EXPECT_EQ(musaStreamIsCapturing(stream_, &status), musaSuccess);
  EXPECT_EQ(status, musaStreamCaptureStatusNone);
  EXPECT_MU(muStreamBeginCapture_v2(stream_, MU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_EQ(musaStreamIsCapturing(stream_, &status), musaSuccess);
  EXPECT_EQ(status, musaStreamCaptureStatusActive);
  EXPECT_EQ(muStreamSynchronize(stream_), MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  MUgraph graph = nullptr;
  EXPECT_EQ(muStreamEndCapture(stream_, &graph), MUSA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_MU(muStreamBeginCapture_v2(stream_, MU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_MU(muMemsetD8Async(memory_, 'k', 2, stream_));
  EXPECT_MU(muStreamEndCapture(stream_, &graph));
  EXPECT_EQ(read(memory_, 1), ".") << "captured, not done";
  std::swap(graph, graph_);
  run();
  EXPECT_EQ(read(memory_, 3), "kk.");
  EXPECT_MU(muGraphDestroy(graph));
  EXPECT_EQ(muStreamEndCapture(stream_, &graph), MUSA_ERROR_ILLEGAL_STATE);
}

TEST_F(DriverGraph, muStreamBeginCaptureToGraph_adds_to_the_graph) {
  const MUgraphNode first = add_empty();
  EXPECT_MU(muStreamBeginCaptureToGraph(stream_, graph_, &first, nullptr, 1,
                                        MU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_MU(muMemsetD8Async(memory_, 'g', 1, stream_));
  MUgraph graph = nullptr;
  EXPECT_MU(muStreamEndCapture(stream_, &graph));
  EXPECT_EQ(graph, graph_);
  EXPECT_EQ(node_count(graph_), 2U);
  run();
  EXPECT_EQ(read(memory_, 2), "g.");
}

}  // namespace
