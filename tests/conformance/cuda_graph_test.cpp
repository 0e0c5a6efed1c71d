// The driver's graphs: forms that CUDA 11.4 and later added, and what only MUSA's runtime has.
#include <unistd.h>

#include "tests/conformance/cuda_driver.h"

namespace {

constexpr size_t kSize = 64;

class DriverGraphs : public Driver {
 protected:
  void SetUp() override {
    Driver::SetUp();
    ASSERT_CU(cuGraphCreate(&graph_, 0));
    memory_ = std::make_unique<Buffer>(kSize);
    stream_ = std::make_unique<Stream>();
  }
  void TearDown() override {
    stream_.reset();
    memory_.reset();
    EXPECT_CU(cuGraphDestroy(graph_));
    Driver::TearDown();
  }
  CUstream stream() const { return *stream_; }
  CUgraphNode empty(CUgraph graph) {
    CUgraphNode node = nullptr;
    EXPECT_CU(cuGraphAddEmptyNode(&node, graph, nullptr, 0));
    return node;
  }
  CUgraphNode add_fill(CUgraph graph, unsigned value) {
    CUDA_MEMSET_NODE_PARAMS params{};
    params.dst = address_of(*memory_);
    params.value = value;
    params.elementSize = 1;
    params.width = kSize;
    params.height = 1;
    CUgraphNode node = nullptr;
    EXPECT_CU(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &params, context_));
    return node;
  }
  void run(CUgraphExec exec) {
    EXPECT_CU(cuGraphLaunch(exec, stream()));
    EXPECT_CU(cuStreamSynchronize(stream()));
  }
  std::vector<unsigned char> held() const { return contents(*memory_, kSize); }
  CUgraph graph_ = nullptr;
  std::unique_ptr<Buffer> memory_;
  std::unique_ptr<Stream> stream_;
};

TEST_F(DriverGraphs, cuGraphInstantiate_is_the_form_with_a_log) {
  add_fill(graph_, 5);
  CUgraphExec exec = nullptr;
  CUgraphNode bad = nullptr;
  char log[16] = "";
  ASSERT_CU(cuGraphInstantiate(&exec, graph_, &bad, log, sizeof log));
  run(exec);
  EXPECT_EQ(bytes_of(kSize, 5), held());
  EXPECT_CU(cuGraphExecDestroy(exec));
}

TEST_F(DriverGraphs, cuGraphInstantiateWithFlags_makes_what_the_runtime_launches) {
  add_fill(graph_, 5);
  CUgraphExec exec = nullptr;
  ASSERT_CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
  EXPECT_OK(cudaGraphLaunch(exec, stream()));
  EXPECT_OK(cudaStreamSynchronize(stream()));
  EXPECT_EQ(bytes_of(kSize, 5), held());
  EXPECT_CU(cuGraphExecDestroy(exec));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags(&exec, graph_, 1ULL << 40));
}

TEST_F(DriverGraphs, cuGraphInstantiateWithParams_tells_the_result) {
  add_fill(graph_, 5);
  CUgraphExec exec = nullptr;
  CUDA_GRAPH_INSTANTIATE_PARAMS params{};
  params.result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
  params.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
  params.hUploadStream = stream();
  if (!served_since(42, cuGraphInstantiateWithParams(&exec, graph_, &params))) return;
  EXPECT_EQ(CUDA_GRAPH_INSTANTIATE_SUCCESS, params.result_out);
  cuuint64_t flags = 99;
  EXPECT_CU(cuGraphExecGetFlags(exec, &flags));
  run(exec);
  EXPECT_EQ(bytes_of(kSize, 5), held());
  EXPECT_CU(cuGraphExecDestroy(exec));
  params.hUploadStream = nullptr;
  ASSERT_CU(cuGraphInstantiateWithParams_ptsz(&exec, graph_, &params));
  EXPECT_EQ(nullptr, params.hUploadStream);
  EXPECT_CU(cuGraphExecDestroy(exec));
}

TEST_F(DriverGraphs, cuGraphUpload_prepares_a_launch) {
  add_fill(graph_, 5);
  CUgraphExec exec = nullptr;
  ASSERT_CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
  EXPECT_CU(cuGraphUpload(exec, stream()));
  EXPECT_CU(cuGraphUpload_ptsz(exec, nullptr));
  EXPECT_NE(CUDA_SUCCESS, cuGraphUpload(nullptr, stream()));
  run(exec);
  EXPECT_EQ(bytes_of(kSize, 5), held());
  EXPECT_CU(cuGraphExecDestroy(exec));
}

TEST_F(DriverGraphs, cuGraphExecUpdate_v2_gives_the_new_values_or_says_why_not) {
  add_fill(graph_, 5);
  CUgraphExec exec = nullptr;
  ASSERT_CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
  CUgraph other = nullptr;
  ASSERT_CU(cuGraphCreate(&other, 0));
  add_fill(other, 6);
  CUgraphExecUpdateResultInfo info{};
  info.result = CU_GRAPH_EXEC_UPDATE_ERROR;
  // SDK 3.1 has the function, which answers that it is not supported.
  if (served_since(40, cuGraphExecUpdate_v2(exec, other, &info))) {
    EXPECT_EQ(CU_GRAPH_EXEC_UPDATE_SUCCESS, info.result);
    run(exec);
    EXPECT_EQ(bytes_of(kSize, 6), held());
    empty(other);
    EXPECT_EQ(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate_v2(exec, other, &info));
    EXPECT_EQ(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, info.result);
    EXPECT_CU(cuGraphExecUpdate_v2(exec, graph_, nullptr));
  }
  EXPECT_CU(cuGraphDestroy(other));
  EXPECT_CU(cuGraphExecDestroy(exec));
}

TEST_F(DriverGraphs, cuGraphDebugDotPrint_writes_a_file) {
  add_fill(graph_, 5);
  char path[] = "/tmp/conformance_graph_XXXXXX";
  const int file = mkstemp(path);
  ASSERT_LE(0, file);
  EXPECT_EQ(0, close(file));
  constexpr unsigned kFlags =
      CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES | CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE;
  if (served_since(42, cuGraphDebugDotPrint(graph_, path, kFlags))) {
    FILE* const opened = std::fopen(path, "r");
    ASSERT_NE(nullptr, opened);
    char text[8] = "";
    EXPECT_NE(nullptr, std::fgets(text, sizeof text, opened));
    EXPECT_EQ(std::string("digraph"), text);
    EXPECT_EQ(0, std::fclose(opened));
  }
  EXPECT_EQ(0, unlink(path));
}

TEST_F(DriverGraphs, cuGraphAddDependencies_v2_and_cuGraphGetEdges_v2_have_plain_edges) {
  CUgraphNode first = empty(graph_);
  CUgraphNode second = empty(graph_);
  CUgraphEdgeData edge{};
  EXPECT_CU(cuGraphAddDependencies_v2(graph_, &first, &second, &edge, 1));
  CUgraphNode from = nullptr;
  CUgraphNode to = nullptr;
  size_t count = 1;
  std::memset(&edge, 0xee, sizeof edge);
  EXPECT_CU(cuGraphGetEdges_v2(graph_, &from, &to, &edge, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(first, from);
  EXPECT_EQ(second, to);
  const CUgraphEdgeData plain{};
  EXPECT_EQ(0, std::memcmp(&plain, &edge, sizeof edge));
  count = 0;
  EXPECT_CU(cuGraphGetEdges_v2(graph_, nullptr, nullptr, nullptr, &count));
  EXPECT_EQ(1u, count);
  edge.to_port = 1;
  expect_refused("edgeData",
                 [&] { return cuGraphAddDependencies_v2(graph_, &second, &first, &edge, 1); });
}

TEST_F(DriverGraphs, cuGraphNodeGetDependencies_v2_and_cuGraphNodeGetDependentNodes_v2) {
  CUgraphNode first = empty(graph_);
  CUgraphNode second = empty(graph_);
  EXPECT_CU(cuGraphAddDependencies_v2(graph_, &first, &second, nullptr, 1));
  CUgraphNode told = nullptr;
  CUgraphEdgeData edge;
  std::memset(&edge, 0xee, sizeof edge);
  size_t count = 1;
  EXPECT_CU(cuGraphNodeGetDependencies_v2(second, &told, &edge, &count));
  EXPECT_EQ(first, told);
  EXPECT_EQ(0, edge.type);
  std::memset(&edge, 0xee, sizeof edge);
  count = 1;
  EXPECT_CU(cuGraphNodeGetDependentNodes_v2(first, &told, &edge, &count));
  EXPECT_EQ(second, told);
  EXPECT_EQ(0, edge.type);
}

TEST_F(DriverGraphs, cuGraphRemoveDependencies_removes_them) {
  CUgraphNode first = empty(graph_);
  CUgraphNode second = empty(graph_);
  const auto edges = [&] {
    size_t count = 99;
    EXPECT_CU(cuGraphGetEdges(graph_, nullptr, nullptr, &count));
    return count;
  };
  EXPECT_CU(cuGraphAddDependencies(graph_, &first, &second, 1));
  EXPECT_CU(cuGraphRemoveDependencies(graph_, &first, &second, 1));
  EXPECT_EQ(0u, edges());
  EXPECT_CU(cuGraphAddDependencies(graph_, &first, &second, 1));
  EXPECT_CU(cuGraphRemoveDependencies_v2(graph_, &first, &second, nullptr, 1));
  EXPECT_EQ(0u, edges());
  CUgraphEdgeData edge{};
  edge.from_port = 1;
  expect_refused("edgeData",
                 [&] { return cuGraphRemoveDependencies_v2(graph_, &first, &second, &edge, 1); });
}

TEST_F(DriverGraphs, cuGraphAddKernelNode_v2_refuses_members_that_MUSA_lacks) {
  CUDA_KERNEL_NODE_PARAMS params{};
  CUgraphNode node = nullptr;
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  // No kernel exists for the stand-in, so MUSA refuses what it gets.
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuGraphAddKernelNode_v2(&node, graph_, nullptr, 0, &params));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode_v2(&node, graph_, nullptr, 0, nullptr));
  params.ctx = context_;
  expect_refused("nodeParams->ctx",
                 [&] { return cuGraphAddKernelNode_v2(&node, graph_, nullptr, 0, &params); });
  params.ctx = nullptr;
  params.kern = reinterpret_cast<CUkernel>(not_an_object);
  expect_refused("nodeParams->kern",
                 [&] { return cuGraphKernelNodeSetParams_v2(empty(graph_), &params); });
  expect_refused("nodeParams->kern", [&] {
    return cuGraphExecKernelNodeSetParams_v2(nullptr, empty(graph_), &params);
  });
}

TEST_F(DriverGraphs, cuGraphAddMemAllocNode_gives_an_address) {
  CUDA_MEM_ALLOC_NODE_PARAMS params{};
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location = place(CU_MEM_LOCATION_TYPE_DEVICE);
  params.bytesize = kSize;
  CUgraphNode node = nullptr;
  ASSERT_CU(cuGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params));
  EXPECT_NE(0u, params.dptr);
  CUDA_MEM_ALLOC_NODE_PARAMS told{};
  EXPECT_CU(cuGraphMemAllocNodeGetParams(node, &told));
  EXPECT_EQ(params.dptr, told.dptr);
  EXPECT_EQ(kSize, told.bytesize);
  CUgraphNode end = nullptr;
  ASSERT_CU(cuGraphAddMemFreeNode(&end, graph_, &node, 1, params.dptr));
  CUdeviceptr freed = 0;
  EXPECT_CU(cuGraphMemFreeNodeGetParams(end, &freed));
  EXPECT_EQ(params.dptr, freed);
  params.poolProps.maxSize = 4096;
  expect_refused("poolProps",
                 [&] { return cuGraphAddMemAllocNode(&node, graph_, nullptr, 0, &params); });
}

TEST_F(DriverGraphs, cuUserObjectCreate_lives_as_long_as_somebody_keeps_it) {
  static int destroyed = 0;
  destroyed = 0;
  CUuserObject object = nullptr;
  ASSERT_CU(cuUserObjectCreate(
      &object, &destroyed, [](void* data) { ++*static_cast<int*>(data); }, 1,
      CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  EXPECT_CU(cuUserObjectRetain(object, 1));
  EXPECT_CU(cuGraphRetainUserObject(graph_, object, 1, 0));
  EXPECT_CU(cuUserObjectRelease(object, 2));
  EXPECT_EQ(0, destroyed);
  EXPECT_CU(cuGraphReleaseUserObject(graph_, object, 1));
  EXPECT_CU(cuCtxSynchronize());
  for (int i = 0; i < 500 && destroyed == 0; ++i) usleep(10000);
  EXPECT_EQ(1, destroyed);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuUserObjectCreate(nullptr, nullptr, nullptr, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
}

TEST_F(DriverGraphs, cuGraphNodeSetEnabled_leaves_a_node_out) {
  CUgraphNode node = add_fill(graph_, 5);
  CUgraphExec exec = nullptr;
  ASSERT_CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
  if (served_since(42, cuGraphNodeSetEnabled(exec, node, 0))) {
    unsigned enabled = 99;
    EXPECT_CU(cuGraphNodeGetEnabled(exec, node, &enabled));
    EXPECT_EQ(0u, enabled);
    run(exec);
    EXPECT_EQ(bytes_of(kSize, 0), held());
  }
  EXPECT_CU(cuGraphExecDestroy(exec));
}

// Only nodes of kernels have these attributes, and no kernel exists for the stand-in.
TEST_F(DriverGraphs, cuGraphKernelNodeGetAttribute_is_of_kernels_only) {
  CUgraphNode node = empty(graph_);
  CUkernelNodeAttrValue value{};
  const auto cooperative = static_cast<CUkernelNodeAttrID>(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeGetAttribute(node, cooperative, &value));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeSetAttribute(node, cooperative, &value));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeCopyAttributes(node, node));
  CUDA_KERNEL_NODE_PARAMS params{};
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeGetParams_v2(node, &params));
}

// A node that fills memory, with its kind as an argument.
CUgraphNodeParams fill_params(CUdeviceptr to, unsigned value) {
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset.dst = to;
  params.memset.value = value;
  params.memset.elementSize = 1;
  params.memset.width = kSize;
  params.memset.height = 1;
  return params;
}

TEST_F(DriverGraphs, cuGraphAddNode_adds_nodes_of_each_kind) {
  CUgraphNodeParams params = fill_params(address_of(*memory_), 5);
  params.memset.ctx = context_;
  CUgraphNode filled = nullptr;
  EXPECT_CU(cuGraphAddNode(&filled, graph_, nullptr, 0, &params));
  const Buffer from(kSize);
  EXPECT_OK(cudaMemset(from, 6, kSize));
  CUgraphNodeParams copy{};
  copy.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  copy.memcpy.copyCtx = context_;
  copy.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.memcpy.copyParams.srcDevice = address_of(from);
  copy.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.memcpy.copyParams.dstDevice = address_of(*memory_);
  copy.memcpy.copyParams.WidthInBytes = 8;
  copy.memcpy.copyParams.Height = copy.memcpy.copyParams.Depth = 1;
  CUgraphNode copied = nullptr;
  EXPECT_CU(cuGraphAddNode_v2(&copied, graph_, &filled, nullptr, 1, &copy));
  CUgraphNodeParams nothing{};
  nothing.type = CU_GRAPH_NODE_TYPE_EMPTY;
  CUgraphNode last = nullptr;
  EXPECT_CU(cuGraphAddNode(&last, graph_, &copied, 1, &nothing));
  auto kind = CU_GRAPH_NODE_TYPE_HOST;
  EXPECT_CU(cuGraphNodeGetType(copied, &kind));
  EXPECT_EQ(CU_GRAPH_NODE_TYPE_MEMCPY, kind);
  CUgraphExec exec = nullptr;
  ASSERT_CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
  run(exec);
  std::vector<unsigned char> expected = bytes_of(kSize, 5);
  std::fill_n(expected.begin(), 8, 6);
  EXPECT_EQ(expected, held());
  EXPECT_CU(cuGraphExecDestroy(exec));
}

TEST_F(DriverGraphs, cuGraphNodeSetParams_changes_a_node) {
  CUgraphNode node = add_fill(graph_, 1);
  CUgraphNodeParams params = fill_params(address_of(*memory_), 7);
  EXPECT_CU(cuGraphNodeSetParams(node, &params));
  CUgraphExec exec = nullptr;
  ASSERT_CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
  run(exec);
  EXPECT_EQ(bytes_of(kSize, 7), held());
  params.memset.value = 8;
  params.memset.ctx = context_;
  if (served_since(43, cuGraphExecNodeSetParams(exec, node, &params))) {
    run(exec);
    EXPECT_EQ(bytes_of(kSize, 8), held());
  }
  EXPECT_CU(cuGraphExecDestroy(exec));
}

TEST_F(DriverGraphs, cuGraphAddNode_names_kinds_that_MUSA_lacks) {
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  CUgraphNode node = nullptr;
  expect_refused("CU_GRAPH_NODE_TYPE_CONDITIONAL",
                 [&] { return cuGraphAddNode(&node, graph_, nullptr, 0, &params); });
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&node, graph_, nullptr, 0, nullptr));
}

}  // namespace
