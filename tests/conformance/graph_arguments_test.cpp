// Every function of graphs with null and other wrong arguments, one at a time.
#include "tests/conformance/support.h"
#include "tests/conformance/wrong_arguments.h"

NOT_HANDLES(cudaGraph_t)
NOT_HANDLES(cudaGraphNode_t)
NOT_HANDLES(cudaGraphExec_t)
NOT_HANDLES(cudaUserObject_t)
NOT_HANDLES(cudaEvent_t)
// Null is the default stream.
WRONG_VALUES(cudaStream_t)
WRONG_VALUES(cudaHostFn_t, nullptr)

namespace {

constexpr size_t kSize = 64;
constexpr Statuses<cudaError_t> kStatuses = {cudaSuccess, cudaErrorInvalidValue,
                                             cudaErrorNotSupported};

void nothing(void*) {}

// What good calls get, made anew for each function.
class World {
 public:
  World() {
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_OK(cudaGraphCreate(&other, 0));
    EXPECT_OK(cudaGraphCreate(&child, 0));
    EXPECT_OK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
    EXPECT_OK(cudaGraphAddEmptyNode(&second, graph, nullptr, 0));
    EXPECT_OK(cudaGraphAddEmptyNode(&leaf, child, nullptr, 0));
    EXPECT_OK(cudaGraphAddHostNode(&host, graph, nullptr, 0, &calling));
    EXPECT_OK(cudaGraphAddMemsetNode(&memset, graph, nullptr, 0, &fill));
    EXPECT_OK(cudaGraphAddMemcpyNode1D(&memcpy, graph, nullptr, 0, memory, bytes, kSize,
                                       cudaMemcpyHostToDevice));
    EXPECT_OK(cudaGraphAddChildGraphNode(&within, graph, nullptr, 0, child));
    EXPECT_OK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, event));
    EXPECT_OK(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
    copy.srcPtr = {bytes, kSize, kSize, 1};
    copy.dstPtr = {memory, kSize, kSize, 1};
    copy.extent = {kSize, 1, 1};
    copy.kind = cudaMemcpyHostToDevice;
    pool.poolProps.allocType = cudaMemAllocationTypePinned;
    pool.poolProps.location = location(0);
    pool.bytesize = kSize;
    EXPECT_OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    cudaUserObjectCreate(&object, bytes, nothing, 9, 1);
    cudaGetLastError();
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(child);
    cudaGraphDestroy(other);
    cudaGraphDestroy(graph);
    cudaGetLastError();
  }
  // A graph with nodes that allocate and free.
  bool make_allocation() {
    const cudaError_t added = cudaGraphAddMemAllocNode(&allocation, other, nullptr, 0, &pool);
    if (added != cudaSuccess) return false;
    EXPECT_OK(cudaGraphAddMemFreeNode(&release, other, &allocation, 1, pool.dptr));
    return true;
  }

  Buffer memory{kSize};
  Event event;
  Stream stream;
  unsigned char bytes[kSize] = {};
  cudaHostNodeParams calling{nothing, nullptr};
  cudaMemsetParams fill{memory, 0, 1, 1, kSize, 1};
  cudaMemcpy3DParms copy{};
  cudaMemAllocNodeParams pool{};
  cudaGraph_t graph = nullptr, other = nullptr, child = nullptr, made_graph = nullptr;
  cudaGraphNode_t empty = nullptr, second = nullptr, leaf = nullptr, host = nullptr,
                  memset = nullptr, memcpy = nullptr, within = nullptr, record = nullptr,
                  wait = nullptr, allocation = nullptr, release = nullptr, made = nullptr;
  cudaGraphExec_t exec = nullptr, made_exec = nullptr;
  cudaUserObject_t object = nullptr;
  cudaEvent_t told_event = nullptr;
  cudaGraphNodeType type{};
  size_t count = 1;
  unsigned number = 0;
  unsigned long long wide = 0;
  void* address = nullptr;
};

using Table = ArgumentTable<World, cudaError_t>;

ARGUMENTS(cudaGraphCreate, OPTIONAL(), &w.made_graph, 0)
ARGUMENTS(cudaGraphDestroy, OPTIONAL(), w.child)
ARGUMENTS(cudaGraphDestroyNode, OPTIONAL(), w.empty)
ARGUMENTS(cudaGraphClone, OPTIONAL(), &w.made_graph, w.graph)
ARGUMENTS(cudaGraphNodeFindInClone, OPTIONAL(), &w.made, w.empty,
          (cudaGraphClone(&w.made_graph, w.graph), w.made_graph))
ARGUMENTS(cudaGraphGetNodes, OPTIONAL(1), w.graph, &w.made, &w.count)
ARGUMENTS(cudaGraphGetRootNodes, OPTIONAL(1), w.graph, &w.made, &w.count)
ARGUMENTS(cudaGraphNodeGetType, OPTIONAL(), w.empty, &w.type)
#if CUDA_MAJOR >= 13
ARGUMENTS(cudaGraphAddDependencies, OPTIONAL(3), w.graph, &w.empty, &w.second, nullptr, 1)
ARGUMENTS(cudaGraphRemoveDependencies, OPTIONAL(3), w.graph,
          (cudaGraphAddDependencies(w.graph, &w.empty, &w.second, nullptr, 1), &w.empty), &w.second,
          nullptr, 1)
ARGUMENTS(cudaGraphGetEdges, OPTIONAL(1, 2, 3), w.graph, nullptr, nullptr, nullptr, &w.count)
ARGUMENTS(cudaGraphNodeGetDependencies, OPTIONAL(1, 2), w.empty, &w.made, nullptr, &w.count)
ARGUMENTS(cudaGraphNodeGetDependentNodes, OPTIONAL(1, 2), w.empty, &w.made, nullptr, &w.count)
#else
ARGUMENTS(cudaGraphAddDependencies, OPTIONAL(), w.graph, &w.empty, &w.second, 1)
ARGUMENTS(cudaGraphRemoveDependencies, OPTIONAL(), w.graph,
          (cudaGraphAddDependencies(w.graph, &w.empty, &w.second, 1), &w.empty), &w.second, 1)
ARGUMENTS(cudaGraphGetEdges, OPTIONAL(1, 2), w.graph, nullptr, nullptr, &w.count)
ARGUMENTS(cudaGraphNodeGetDependencies, OPTIONAL(1), w.empty, &w.made, &w.count)
ARGUMENTS(cudaGraphNodeGetDependentNodes, OPTIONAL(1), w.empty, &w.made, &w.count)
#endif
#if CUDA_MAJOR == 12
ARGUMENTS(cudaGraphAddDependencies_v2, OPTIONAL(3), w.graph, &w.empty, &w.second, nullptr, 1)
ARGUMENTS(cudaGraphRemoveDependencies_v2, OPTIONAL(3), w.graph,
          (cudaGraphAddDependencies(w.graph, &w.empty, &w.second, 1), &w.empty), &w.second, nullptr,
          1)
ARGUMENTS(cudaGraphGetEdges_v2, OPTIONAL(1, 2, 3), w.graph, nullptr, nullptr, nullptr, &w.count)
ARGUMENTS(cudaGraphNodeGetDependencies_v2, OPTIONAL(1, 2), w.empty, &w.made, nullptr, &w.count)
ARGUMENTS(cudaGraphNodeGetDependentNodes_v2, OPTIONAL(1, 2), w.empty, &w.made, nullptr, &w.count)
#endif

ARGUMENTS(cudaGraphAddEmptyNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1)
ARGUMENTS(cudaGraphAddHostNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &w.calling)
ARGUMENTS(cudaGraphAddMemsetNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &w.fill)
ARGUMENTS(cudaGraphAddMemcpyNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &w.copy)
ARGUMENTS(cudaGraphAddMemcpyNode1D, OPTIONAL(), &w.made, w.graph, &w.empty, 1, w.memory, w.bytes,
          kSize, cudaMemcpyHostToDevice)
ARGUMENTS(cudaGraphAddChildGraphNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, w.child)
ARGUMENTS(cudaGraphAddEventRecordNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, w.event)
ARGUMENTS(cudaGraphAddEventWaitNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, w.event)
ARGUMENTS(cudaGraphAddMemAllocNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &w.pool)
ARGUMENTS(cudaGraphAddMemFreeNode, OPTIONAL(), &w.made, w.other, &w.allocation, 1,
          (cudaGraphAddMemAllocNode(&w.allocation, w.other, nullptr, 0, &w.pool), w.pool.dptr))

ARGUMENTS(cudaGraphHostNodeGetParams, OPTIONAL(), w.host, &w.calling)
ARGUMENTS(cudaGraphHostNodeSetParams, OPTIONAL(), w.host, &w.calling)
ARGUMENTS(cudaGraphMemsetNodeGetParams, OPTIONAL(), w.memset, &w.fill)
ARGUMENTS(cudaGraphMemsetNodeSetParams, OPTIONAL(), w.memset, &w.fill)
ARGUMENTS(cudaGraphMemcpyNodeGetParams, OPTIONAL(), w.memcpy, &w.copy)
ARGUMENTS(cudaGraphMemcpyNodeSetParams, OPTIONAL(), w.memcpy, &w.copy)
ARGUMENTS(cudaGraphMemcpyNodeSetParams1D, OPTIONAL(), w.memcpy, w.memory, w.bytes, kSize,
          cudaMemcpyHostToDevice)
ARGUMENTS(cudaGraphChildGraphNodeGetGraph, OPTIONAL(), w.within, &w.made_graph)
ARGUMENTS(cudaGraphEventRecordNodeGetEvent, OPTIONAL(), w.record, &w.told_event)
ARGUMENTS(cudaGraphEventRecordNodeSetEvent, OPTIONAL(), w.record, w.event)
ARGUMENTS(cudaGraphEventWaitNodeGetEvent, OPTIONAL(), w.wait, &w.told_event)
ARGUMENTS(cudaGraphEventWaitNodeSetEvent, OPTIONAL(), w.wait, w.event)
ARGUMENTS(cudaGraphMemAllocNodeGetParams, OPTIONAL(), (w.make_allocation(), w.allocation), &w.pool)
ARGUMENTS(cudaGraphMemFreeNodeGetParams, OPTIONAL(), (w.make_allocation(), w.release), &w.address)

ARGUMENTS(cudaGraphInstantiateWithFlags, OPTIONAL(), &w.made_exec, w.graph, 0)
#if CUDA_MAJOR == 11
ARGUMENTS(cudaGraphInstantiate, OPTIONAL(2, 3), &w.made_exec, w.graph, nullptr, nullptr, 0)
#else
ARGUMENTS(cudaGraphInstantiate, OPTIONAL(), &w.made_exec, w.graph, 0)
cudaGraphInstantiateParams& instantiation() {
  static cudaGraphInstantiateParams params;
  return params = {};
}
ARGUMENTS(cudaGraphInstantiateWithParams, OPTIONAL(), &w.made_exec, w.graph, &instantiation())
ARGUMENTS(cudaGraphInstantiateWithParams_ptsz, OPTIONAL(), &w.made_exec, w.graph, &instantiation())
ARGUMENTS(cudaGraphExecGetFlags, OPTIONAL(), w.exec, &w.wide)
#endif
ARGUMENTS(cudaGraphUpload, OPTIONAL(), w.exec, w.stream)
ARGUMENTS(cudaGraphUpload_ptsz, OPTIONAL(), w.exec, w.stream)
ARGUMENTS(cudaGraphLaunch, OPTIONAL(), w.exec, w.stream)
ARGUMENTS(cudaGraphLaunch_ptsz, OPTIONAL(), w.exec, w.stream)
ARGUMENTS(cudaGraphExecDestroy, OPTIONAL(), w.exec)
ARGUMENTS(cudaGraphExecHostNodeSetParams, OPTIONAL(), w.exec, w.host, &w.calling)
ARGUMENTS(cudaGraphExecMemsetNodeSetParams, OPTIONAL(), w.exec, w.memset, &w.fill)
ARGUMENTS(cudaGraphExecMemcpyNodeSetParams, OPTIONAL(), w.exec, w.memcpy, &w.copy)
ARGUMENTS(cudaGraphExecMemcpyNodeSetParams1D, OPTIONAL(), w.exec, w.memcpy, w.memory, w.bytes,
          kSize, cudaMemcpyHostToDevice)
ARGUMENTS(cudaGraphExecChildGraphNodeSetParams, OPTIONAL(), w.exec, w.within, w.child)
ARGUMENTS(cudaGraphExecEventRecordNodeSetEvent, OPTIONAL(), w.exec, w.record, w.event)
ARGUMENTS(cudaGraphExecEventWaitNodeSetEvent, OPTIONAL(), w.exec, w.wait, w.event)
ARGUMENTS(cudaGraphNodeGetEnabled, OPTIONAL(), w.exec, w.memset, &w.number)
ARGUMENTS(cudaGraphNodeSetEnabled, OPTIONAL(), w.exec, w.memset, 1)
#if CUDA_MAJOR == 11
cudaGraphExecUpdateResult told_result;
ARGUMENTS(cudaGraphExecUpdate, OPTIONAL(2, 3), w.exec, w.graph, &w.made, &told_result)
#else
cudaGraphExecUpdateResultInfo told_result;
ARGUMENTS(cudaGraphExecUpdate, OPTIONAL(2), w.exec, w.graph, &told_result)
#endif

ARGUMENTS(cudaUserObjectCreate, OPTIONAL(1), &w.object, w.bytes, nothing, 1, 1)
ARGUMENTS(cudaUserObjectRetain, OPTIONAL(), w.object, 1)
ARGUMENTS(cudaUserObjectRelease, OPTIONAL(), w.object, 1)
ARGUMENTS(cudaGraphRetainUserObject, OPTIONAL(), w.graph, w.object, 1, 0)
ARGUMENTS(cudaGraphReleaseUserObject, OPTIONAL(), w.graph,
          (cudaGraphRetainUserObject(w.graph, w.object, 1, 0), w.object), 1)
ARGUMENTS(cudaGraphDebugDotPrint, OPTIONAL(), w.graph, "/dev/null", 0)
ARGUMENTS(cudaDeviceGetGraphMemAttribute, OPTIONAL(), 0, cudaGraphMemAttrUsedMemHigh, &w.wide)
ARGUMENTS(cudaDeviceSetGraphMemAttribute, OPTIONAL(), 0, cudaGraphMemAttrUsedMemHigh, &w.wide)

// Nodes of kernels. The stand-in takes every address for a function that the program registered.
cudaKernelNodeParams& kernel() {
  static cudaKernelNodeParams params;
  params = {};
  params.func = not_an_object;
  params.gridDim = params.blockDim = {1, 1, 1};
  return params;
}
cudaGraphNode_t add_kernel(World& w) {
  EXPECT_OK(cudaGraphAddKernelNode(&w.made, w.graph, nullptr, 0, &kernel()));
  return w.made;
}
constexpr auto kCooperative = static_cast<cudaLaunchAttributeID>(2);
cudaLaunchAttributeValue attribute_value{};
ARGUMENTS(cudaGraphAddKernelNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &kernel())
ARGUMENTS(cudaGraphKernelNodeGetParams, OPTIONAL(), add_kernel(w), &kernel())
ARGUMENTS(cudaGraphKernelNodeSetParams, OPTIONAL(), add_kernel(w), &kernel())
ARGUMENTS(cudaGraphKernelNodeGetAttribute, OPTIONAL(), add_kernel(w), kCooperative,
          &attribute_value)
ARGUMENTS(cudaGraphKernelNodeSetAttribute, OPTIONAL(), add_kernel(w), kCooperative,
          &attribute_value)
ARGUMENTS(cudaGraphKernelNodeCopyAttributes, OPTIONAL(), add_kernel(w), add_kernel(w))

// Functions for which no argument is right here, because they are about registered variables and
// kernels, about what other interfaces export, or lacking in MUSA. They must refuse null.
REFUSAL(cudaGraphAddMemcpyNodeToSymbol, &w.made, w.graph, nullptr, 0, nullptr, nullptr, 4, 0,
        cudaMemcpyHostToDevice)
REFUSAL(cudaGraphAddMemcpyNodeFromSymbol, &w.made, w.graph, nullptr, 0, nullptr, nullptr, 4, 0,
        cudaMemcpyDeviceToHost)
REFUSAL(cudaGraphMemcpyNodeSetParamsToSymbol, w.memcpy, nullptr, nullptr, 4, 0,
        cudaMemcpyHostToDevice)
REFUSAL(cudaGraphMemcpyNodeSetParamsFromSymbol, w.memcpy, nullptr, nullptr, 4, 0,
        cudaMemcpyDeviceToHost)
REFUSAL(cudaGraphExecMemcpyNodeSetParamsToSymbol, w.exec, w.memcpy, nullptr, nullptr, 4, 0,
        cudaMemcpyHostToDevice)
REFUSAL(cudaGraphExecMemcpyNodeSetParamsFromSymbol, w.exec, w.memcpy, nullptr, nullptr, 4, 0,
        cudaMemcpyDeviceToHost)
REFUSAL(cudaGraphExecKernelNodeSetParams, w.exec, w.memset, nullptr)
REFUSAL(cudaGraphAddExternalSemaphoresSignalNode, &w.made, w.graph, nullptr, 0, nullptr)
REFUSAL(cudaGraphAddExternalSemaphoresWaitNode, &w.made, w.graph, nullptr, 0, nullptr)
REFUSAL(cudaGraphExternalSemaphoresSignalNodeGetParams, w.memset, nullptr)
REFUSAL(cudaGraphExternalSemaphoresSignalNodeSetParams, w.memset, nullptr)
REFUSAL(cudaGraphExternalSemaphoresWaitNodeGetParams, w.memset, nullptr)
REFUSAL(cudaGraphExternalSemaphoresWaitNodeSetParams, w.memset, nullptr)
REFUSAL(cudaGraphExecExternalSemaphoresSignalNodeSetParams, w.exec, w.memset, nullptr)
REFUSAL(cudaGraphExecExternalSemaphoresWaitNodeSetParams, w.exec, w.memset, nullptr)
#if CUDA_MAJOR >= 12
REFUSAL(cudaGraphConditionalHandleCreate, nullptr, w.graph, 0, 0)
REFUSAL(cudaGraphNodeSetParams, w.memset, nullptr)
REFUSAL(cudaGraphExecNodeSetParams, w.exec, w.memset, nullptr)
#endif
#if CUDA_MAJOR == 12
REFUSAL(cudaGraphAddNode, &w.made, w.graph, nullptr, 0, nullptr)
REFUSAL(cudaGraphAddNode_v2, &w.made, w.graph, nullptr, nullptr, 0, nullptr)
#elif CUDA_MAJOR >= 13
REFUSAL(cudaGraphAddNode, &w.made, w.graph, nullptr, nullptr, 0, nullptr)
REFUSAL(cudaGraphConditionalHandleCreate_v2, nullptr, w.graph, nullptr, 0, 0)
REFUSAL(cudaGraphExecGetId, w.exec, nullptr)
REFUSAL(cudaGraphGetId, w.graph, nullptr)
REFUSAL(cudaGraphNodeGetContainingGraph, w.empty, nullptr)
REFUSAL(cudaGraphNodeGetLocalId, w.empty, nullptr)
REFUSAL(cudaGraphNodeGetParams, w.empty, nullptr)
REFUSAL(cudaGraphNodeGetToolsId, w.empty, nullptr)
#endif

TEST(GraphArguments, each_wrong_one_is_invalid) { Table::only().expect_wrong_ones_are_invalid(); }

TEST(GraphArguments, null_is_refused_where_nothing_is_right) {
  Table::only().expect_null_is_refused(cudaSuccess);
}

TEST(GraphArguments, each_function_of_graphs_is_tried) {
  Table::only().expect_each_is_tried(GOLDEN_FILE, "cudaGraph", "cudaGraphics", 70);
}

// What is wrong within a struct, and what only the state of a graph makes wrong.
class GraphContents : public testing::Test {
 protected:
  World world_;
};

TEST_F(GraphContents, cudaGraphAddKernelNode_of_no_function) {
  cudaKernelNodeParams params = kernel();
  params.func = nullptr;
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction,
               cudaGraphAddKernelNode(&world_.made, world_.graph, nullptr, 0, &params));
  const cudaGraphNode_t node = add_kernel(world_);
  EXPECT_ERROR(cudaErrorInvalidDeviceFunction, cudaGraphKernelNodeSetParams(node, &params));
}

TEST_F(GraphContents, cudaGraphKernelNodeSetAttribute_of_a_window) {
  const cudaGraphNode_t node = add_kernel(world_);
  int largest = -1;
  ASSERT_OK(cudaDeviceGetAttribute(&largest, cudaDevAttrMaxAccessPolicyWindowSize, 0));
  cudaLaunchAttributeValue value{};
  auto& window = value.accessPolicyWindow;
  window.base_ptr = world_.memory;
  window.hitRatio = 0.5f;
  window.hitProp = cudaAccessPropertyPersisting;
  window.missProp = cudaAccessPropertyStreaming;
  constexpr auto kWindow = static_cast<cudaLaunchAttributeID>(1);
  EXPECT_OK(cudaGraphKernelNodeSetAttribute(node, kWindow, &value));
  cudaLaunchAttributeValue told{};
  EXPECT_OK(cudaGraphKernelNodeGetAttribute(node, kWindow, &told));
  EXPECT_EQ(0, std::memcmp(&window, &told.accessPolicyWindow, sizeof window));
  const auto good = window;
  const auto refuse = [&](auto change) {
    window = good;
    change();
    EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(node, kWindow, &value));
  };
  refuse([&] { window.num_bytes = static_cast<size_t>(largest) + 1; });
  refuse([&] { window.hitRatio = -0.1f; });
  refuse([&] { window.hitRatio = 1.1f; });
  refuse([&] { window.missProp = cudaAccessPropertyPersisting; });
  refuse([&] { window.hitProp = static_cast<cudaAccessProperty>(9); });
  EXPECT_OK(cudaGraphKernelNodeGetAttribute(node, kWindow, &told));
  EXPECT_EQ(0, std::memcmp(&good, &told.accessPolicyWindow, sizeof good));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(
                                          node, static_cast<cudaLaunchAttributeID>(-1), &value));
}

TEST_F(GraphContents, cudaGraphAddMemAllocNode_on_no_device) {
  for (const int device : {99, -1}) {
    world_.pool.poolProps.location.id = device;
    EXPECT_ERROR(cudaErrorInvalidValue,
                 cudaGraphAddMemAllocNode(&world_.made, world_.graph, nullptr, 0, &world_.pool));
  }
  world_.pool.poolProps.location.id = 0;
  cudaMemAccessDesc access{};
  access.location = location(99);
  access.flags = cudaMemAccessFlagsProtReadWrite;
  world_.pool.accessDescs = &access;
  world_.pool.accessDescCount = 1;
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphAddMemAllocNode(&world_.made, world_.graph, nullptr, 0, &world_.pool));
  world_.pool.accessDescs = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphAddMemAllocNode(&world_.made, world_.graph, nullptr, 0, &world_.pool));
  world_.pool.accessDescCount = 0;
  world_.pool.bytesize = static_cast<size_t>(-1);
  EXPECT_ERROR(cudaErrorMemoryAllocation,
               cudaGraphAddMemAllocNode(&world_.made, world_.graph, nullptr, 0, &world_.pool));
}

TEST_F(GraphContents, cudaGraphInstantiate_once_with_an_allocation) {
  ASSERT_TRUE(world_.make_allocation());
  cudaGraphExec_t first = nullptr;
  ASSERT_OK(instantiate(&first, world_.other));
  cudaGraphExec_t second = nullptr;
  EXPECT_ERROR(cudaErrorNotSupported, instantiate(&second, world_.other));
  EXPECT_ERROR(cudaErrorNotSupported, cudaGraphInstantiateWithFlags(&second, world_.other, 0));
  EXPECT_OK(cudaGraphExecDestroy(first));
  EXPECT_OK(instantiate(&second, world_.other));
  EXPECT_OK(cudaGraphExecDestroy(second));
}

TEST_F(GraphContents, cudaDeviceSetGraphMemAttribute_of_what_can_only_be_read) {
  auto* const nowhere = reinterpret_cast<void*>(-1);
  for (const auto attribute :
       {cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrReservedMemCurrent}) {
    EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, attribute, nowhere));
  }
  EXPECT_ERROR(cudaErrorInvalidDevice,
               cudaDeviceSetGraphMemAttribute(99, cudaGraphMemAttrUsedMemHigh, &world_.wide));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceGetGraphMemAttribute(
                                          0, static_cast<cudaGraphMemAttributeType>(9), nowhere));
}

}  // namespace
