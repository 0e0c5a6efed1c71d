// Every function of the driver's graphs with null and other wrong arguments, one at a time.
#include "tests/conformance/cuda_driver.h"
#include "tests/conformance/wrong_arguments.h"

NOT_HANDLES(CUgraph)
NOT_HANDLES(CUgraphNode)
NOT_HANDLES(CUgraphExec)
NOT_HANDLES(CUuserObject)
NOT_HANDLES(CUevent)
// Null is the default stream.
WRONG_VALUES(CUstream)
// Functions that take a context are tested for that below.
WRONG_VALUES(CUcontext)

namespace {

constexpr size_t kSize = 64;
constexpr Statuses<CUresult> kStatuses = {CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE,
                                          CUDA_ERROR_NOT_SUPPORTED};

void nothing(void*) {}

// What good calls get, made anew for each function.
class World {
 public:
  World() {
    EXPECT_CU(cuInit(0));
    EXPECT_CU(cuDevicePrimaryCtxRetain(&context, 0));
    EXPECT_CU(cuCtxSetCurrent(context));
    EXPECT_CU(cuMemAlloc_v2(&memory, kSize));
    EXPECT_CU(cuEventCreate(&event, 0));
    EXPECT_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    fill.dst = memory;
    fill.elementSize = 1;
    fill.width = kSize;
    fill.height = 1;
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = bytes;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = memory;
    copy.WidthInBytes = kSize;
    copy.Height = copy.Depth = 1;
    pool.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    pool.poolProps.location = place(CU_MEM_LOCATION_TYPE_DEVICE);
    pool.bytesize = kSize;
    plain.type = CU_GRAPH_NODE_TYPE_EMPTY;
    filling.type = CU_GRAPH_NODE_TYPE_MEMSET;
    filling.memset.dst = memory;
    filling.memset.elementSize = 1;
    filling.memset.width = kSize;
    filling.memset.height = 1;
    filling.memset.ctx = context;
    EXPECT_CU(cuGraphCreate(&graph, 0));
    EXPECT_CU(cuGraphCreate(&other, 0));
    EXPECT_CU(cuGraphCreate(&child, 0));
    EXPECT_CU(cuGraphAddEmptyNode(&empty, graph, nullptr, 0));
    EXPECT_CU(cuGraphAddEmptyNode(&second, graph, nullptr, 0));
    EXPECT_CU(cuGraphAddEmptyNode(&leaf, child, nullptr, 0));
    EXPECT_CU(cuGraphAddHostNode(&host, graph, nullptr, 0, &calling));
    EXPECT_CU(cuGraphAddMemsetNode(&memset, graph, nullptr, 0, &fill, context));
    EXPECT_CU(cuGraphAddMemcpyNode(&memcpy, graph, nullptr, 0, &copy, context));
    EXPECT_CU(cuGraphAddChildGraphNode(&within, graph, nullptr, 0, child));
    EXPECT_CU(cuGraphAddEventRecordNode(&record, graph, nullptr, 0, event));
    EXPECT_CU(cuGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
    EXPECT_CU(cuGraphInstantiateWithFlags(&exec, graph, 0));
    EXPECT_CU(cuUserObjectCreate(&object, bytes, nothing, 9, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    cuCtxSetCurrent(context);
    cuCtxSynchronize();
    cuGraphExecDestroy(exec);
    cuGraphDestroy(child);
    cuGraphDestroy(other);
    cuGraphDestroy(graph);
    EXPECT_CU(cuStreamDestroy_v2(stream));
    EXPECT_CU(cuEventDestroy_v2(event));
    EXPECT_CU(cuMemFree_v2(memory));
    EXPECT_CU(cuDevicePrimaryCtxRelease_v2(0));
  }
  // A graph with nodes that allocate and free.
  void make_allocation() {
    if (cuGraphAddMemAllocNode(&allocation, other, nullptr, 0, &pool) != CUDA_SUCCESS) return;
    EXPECT_CU(cuGraphAddMemFreeNode(&release, other, &allocation, 1, pool.dptr));
  }
  CUgraph cloned() {
    EXPECT_CU(cuGraphClone(&made_graph, graph));
    return made_graph;
  }
  CUgraphNode* joined() {
    EXPECT_CU(cuGraphAddDependencies(graph, &empty, &second, 1));
    return &empty;
  }
  CUuserObject retained() {
    EXPECT_CU(cuGraphRetainUserObject(graph, object, 1, 0));
    return object;
  }
  CUdeviceptr allocated() {
    EXPECT_CU(cuGraphAddMemAllocNode(&allocation, other, nullptr, 0, &pool));
    return pool.dptr;
  }

  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  CUevent event = nullptr;
  CUstream stream = nullptr;
  unsigned char bytes[kSize] = {};
  CUDA_HOST_NODE_PARAMS calling{nothing, nullptr};
  CUDA_MEMSET_NODE_PARAMS fill{};
  CUDA_MEMCPY3D copy{};
  CUDA_MEM_ALLOC_NODE_PARAMS pool{};
  CUgraphNodeParams plain{}, filling{};
  CUDA_GRAPH_INSTANTIATE_PARAMS instantiation{};
  CUgraphExecUpdateResultInfo told_info{};
  CUgraphExecUpdateResult told_result{};
  CUgraph graph = nullptr, other = nullptr, child = nullptr, made_graph = nullptr;
  CUgraphNode empty = nullptr, second = nullptr, leaf = nullptr, host = nullptr, memset = nullptr,
              memcpy = nullptr, within = nullptr, record = nullptr, wait = nullptr,
              allocation = nullptr, release = nullptr, made = nullptr;
  CUgraphExec exec = nullptr, made_exec = nullptr;
  CUuserObject object = nullptr;
  CUevent told_event = nullptr;
  CUgraphNodeType type{};
  size_t count = 1;
  unsigned number = 0;
  cuuint64_t wide = 0;
  CUdeviceptr address = 0;
};

using Table = ArgumentTable<World, CUresult>;

ARGUMENTS(cuGraphCreate, OPTIONAL(), &w.made_graph, 0)
ARGUMENTS(cuGraphDestroy, OPTIONAL(), w.child)
ARGUMENTS(cuGraphDestroyNode, OPTIONAL(), w.empty)
ARGUMENTS(cuGraphClone, OPTIONAL(), &w.made_graph, w.graph)
ARGUMENTS(cuGraphNodeFindInClone, OPTIONAL(), &w.made, w.empty, w.cloned())
ARGUMENTS(cuGraphGetNodes, OPTIONAL(1), w.graph, &w.made, &w.count)
ARGUMENTS(cuGraphGetRootNodes, OPTIONAL(1), w.graph, &w.made, &w.count)
ARGUMENTS(cuGraphNodeGetType, OPTIONAL(), w.empty, &w.type)
ARGUMENTS(cuGraphAddDependencies, OPTIONAL(), w.graph, &w.empty, &w.second, 1)
ARGUMENTS(cuGraphAddDependencies_v2, OPTIONAL(3), w.graph, &w.empty, &w.second, nullptr, 1)
ARGUMENTS(cuGraphRemoveDependencies, OPTIONAL(), w.graph, w.joined(), &w.second, 1)
ARGUMENTS(cuGraphRemoveDependencies_v2, OPTIONAL(3), w.graph, w.joined(), &w.second, nullptr, 1)
ARGUMENTS(cuGraphGetEdges, OPTIONAL(1, 2), w.graph, nullptr, nullptr, &w.count)
ARGUMENTS(cuGraphGetEdges_v2, OPTIONAL(1, 2, 3), w.graph, nullptr, nullptr, nullptr, &w.count)
ARGUMENTS(cuGraphNodeGetDependencies, OPTIONAL(1), w.empty, &w.made, &w.count)
ARGUMENTS(cuGraphNodeGetDependencies_v2, OPTIONAL(1, 2), w.empty, &w.made, nullptr, &w.count)
ARGUMENTS(cuGraphNodeGetDependentNodes, OPTIONAL(1), w.empty, &w.made, &w.count)
ARGUMENTS(cuGraphNodeGetDependentNodes_v2, OPTIONAL(1, 2), w.empty, &w.made, nullptr, &w.count)
ARGUMENTS(cuGraphAddEmptyNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1)
ARGUMENTS(cuGraphAddHostNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &w.calling)
ARGUMENTS(cuGraphAddMemsetNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &w.fill, w.context)
ARGUMENTS(cuGraphAddMemcpyNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &w.copy, w.context)
ARGUMENTS(cuGraphAddChildGraphNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, w.child)
ARGUMENTS(cuGraphAddEventRecordNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, w.event)
ARGUMENTS(cuGraphAddEventWaitNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, w.event)
ARGUMENTS(cuGraphAddMemAllocNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &w.pool)
ARGUMENTS(cuGraphAddMemFreeNode, OPTIONAL(), &w.made, w.other, &w.allocation, 1, w.allocated())
ARGUMENTS(cuGraphAddNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &w.plain)
ARGUMENTS(cuGraphAddNode_v2, OPTIONAL(3), &w.made, w.graph, &w.empty, nullptr, 1, &w.filling)
ARGUMENTS(cuGraphHostNodeGetParams, OPTIONAL(), w.host, &w.calling)
ARGUMENTS(cuGraphHostNodeSetParams, OPTIONAL(), w.host, &w.calling)
ARGUMENTS(cuGraphMemsetNodeGetParams, OPTIONAL(), w.memset, &w.fill)
ARGUMENTS(cuGraphMemsetNodeSetParams, OPTIONAL(), w.memset, &w.fill)
ARGUMENTS(cuGraphMemcpyNodeGetParams, OPTIONAL(), w.memcpy, &w.copy)
ARGUMENTS(cuGraphMemcpyNodeSetParams, OPTIONAL(), w.memcpy, &w.copy)
ARGUMENTS(cuGraphNodeSetParams, OPTIONAL(), w.memset, &w.filling)
ARGUMENTS(cuGraphChildGraphNodeGetGraph, OPTIONAL(), w.within, &w.made_graph)
ARGUMENTS(cuGraphEventRecordNodeGetEvent, OPTIONAL(), w.record, &w.told_event)
ARGUMENTS(cuGraphEventRecordNodeSetEvent, OPTIONAL(), w.record, w.event)
ARGUMENTS(cuGraphEventWaitNodeGetEvent, OPTIONAL(), w.wait, &w.told_event)
ARGUMENTS(cuGraphEventWaitNodeSetEvent, OPTIONAL(), w.wait, w.event)
ARGUMENTS(cuGraphMemAllocNodeGetParams, OPTIONAL(), (w.make_allocation(), w.allocation), &w.pool)
ARGUMENTS(cuGraphMemFreeNodeGetParams, OPTIONAL(), (w.make_allocation(), w.release), &w.address)
ARGUMENTS(cuGraphInstantiate, OPTIONAL(2, 3), &w.made_exec, w.graph, nullptr, nullptr, 0)
ARGUMENTS(cuGraphInstantiate_v2, OPTIONAL(2, 3), &w.made_exec, w.graph, nullptr, nullptr, 0)
ARGUMENTS(cuGraphInstantiateWithFlags, OPTIONAL(), &w.made_exec, w.graph, 0)
ARGUMENTS(cuGraphInstantiateWithParams, OPTIONAL(), &w.made_exec, w.graph, &w.instantiation)
ARGUMENTS(cuGraphInstantiateWithParams_ptsz, OPTIONAL(), &w.made_exec, w.graph, &w.instantiation)
ARGUMENTS(cuGraphExecGetFlags, OPTIONAL(), w.exec, &w.wide)
ARGUMENTS(cuGraphUpload, OPTIONAL(), w.exec, w.stream)
ARGUMENTS(cuGraphUpload_ptsz, OPTIONAL(), w.exec, w.stream)
ARGUMENTS(cuGraphLaunch, OPTIONAL(), w.exec, w.stream)
ARGUMENTS(cuGraphLaunch_ptsz, OPTIONAL(), w.exec, w.stream)
ARGUMENTS(cuGraphExecDestroy, OPTIONAL(), w.exec)
ARGUMENTS(cuGraphExecHostNodeSetParams, OPTIONAL(), w.exec, w.host, &w.calling)
ARGUMENTS(cuGraphExecMemsetNodeSetParams, OPTIONAL(), w.exec, w.memset, &w.fill, w.context)
ARGUMENTS(cuGraphExecMemcpyNodeSetParams, OPTIONAL(), w.exec, w.memcpy, &w.copy, w.context)
ARGUMENTS(cuGraphExecNodeSetParams, OPTIONAL(), w.exec, w.memset, &w.filling)
ARGUMENTS(cuGraphExecChildGraphNodeSetParams, OPTIONAL(), w.exec, w.within, w.child)
ARGUMENTS(cuGraphExecEventRecordNodeSetEvent, OPTIONAL(), w.exec, w.record, w.event)
ARGUMENTS(cuGraphExecEventWaitNodeSetEvent, OPTIONAL(), w.exec, w.wait, w.event)
ARGUMENTS(cuGraphNodeGetEnabled, OPTIONAL(), w.exec, w.memset, &w.number)
ARGUMENTS(cuGraphNodeSetEnabled, OPTIONAL(), w.exec, w.memset, 1)
ARGUMENTS(cuGraphExecUpdate, OPTIONAL(2, 3), w.exec, w.graph, &w.made, &w.told_result)
ARGUMENTS(cuGraphExecUpdate_v2, OPTIONAL(2), w.exec, w.graph, &w.told_info)
ARGUMENTS(cuUserObjectCreate, OPTIONAL(1), &w.object, w.bytes, nothing, 1,
          CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
ARGUMENTS(cuUserObjectRetain, OPTIONAL(), w.object, 1)
ARGUMENTS(cuUserObjectRelease, OPTIONAL(), w.object, 1)
ARGUMENTS(cuGraphRetainUserObject, OPTIONAL(), w.graph, w.object, 1, 0)
ARGUMENTS(cuGraphReleaseUserObject, OPTIONAL(), w.graph, w.retained(), 1)
ARGUMENTS(cuGraphDebugDotPrint, OPTIONAL(), w.graph, "/dev/null", 0)
ARGUMENTS(cuDeviceGetGraphMemAttribute, OPTIONAL(), 0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &w.wide)
ARGUMENTS(cuDeviceSetGraphMemAttribute, OPTIONAL(), 0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &w.wide)

// Nodes of kernels. The stand-in takes every address for a function.
CUDA_KERNEL_NODE_PARAMS_v1& old_kernel() {
  static CUDA_KERNEL_NODE_PARAMS_v1 params;
  params = {};
  params.func = reinterpret_cast<CUfunction>(not_an_object);
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  return params;
}
CUDA_KERNEL_NODE_PARAMS& kernel() {
  static CUDA_KERNEL_NODE_PARAMS params;
  params = {};
  params.func = reinterpret_cast<CUfunction>(not_an_object);
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  return params;
}
CUgraphNode add_kernel(World& w) {
  EXPECT_CU(cuGraphAddKernelNode(&w.made, w.graph, nullptr, 0, &old_kernel()));
  return w.made;
}
constexpr auto kCooperative = static_cast<CUkernelNodeAttrID>(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
CUkernelNodeAttrValue attribute_value{};
ARGUMENTS(cuGraphAddKernelNode, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &old_kernel())
ARGUMENTS(cuGraphAddKernelNode_v2, OPTIONAL(), &w.made, w.graph, &w.empty, 1, &kernel())
ARGUMENTS(cuGraphKernelNodeGetParams, OPTIONAL(), add_kernel(w), &old_kernel())
ARGUMENTS(cuGraphKernelNodeGetParams_v2, OPTIONAL(), add_kernel(w), &kernel())
ARGUMENTS(cuGraphKernelNodeSetParams, OPTIONAL(), add_kernel(w), &old_kernel())
ARGUMENTS(cuGraphKernelNodeSetParams_v2, OPTIONAL(), add_kernel(w), &kernel())
ARGUMENTS(cuGraphKernelNodeGetAttribute, OPTIONAL(), add_kernel(w), kCooperative, &attribute_value)
ARGUMENTS(cuGraphKernelNodeSetAttribute, OPTIONAL(), add_kernel(w), kCooperative, &attribute_value)
ARGUMENTS(cuGraphKernelNodeCopyAttributes, OPTIONAL(), add_kernel(w), add_kernel(w))

// Functions for which no argument is right here, because they are about kernels that are
// instantiated, about what other interfaces export, or lacking in MUSA. They must refuse null.
REFUSAL(cuGraphExecKernelNodeSetParams, w.exec, w.memset, nullptr)
REFUSAL(cuGraphExecKernelNodeSetParams_v2, w.exec, w.memset, nullptr)
REFUSAL(cuGraphAddExternalSemaphoresSignalNode, &w.made, w.graph, nullptr, 0, nullptr)
REFUSAL(cuGraphAddExternalSemaphoresWaitNode, &w.made, w.graph, nullptr, 0, nullptr)
REFUSAL(cuGraphExternalSemaphoresSignalNodeGetParams, w.memset, nullptr)
REFUSAL(cuGraphExternalSemaphoresSignalNodeSetParams, w.memset, nullptr)
REFUSAL(cuGraphExternalSemaphoresWaitNodeGetParams, w.memset, nullptr)
REFUSAL(cuGraphExternalSemaphoresWaitNodeSetParams, w.memset, nullptr)
REFUSAL(cuGraphExecExternalSemaphoresSignalNodeSetParams, w.exec, w.memset, nullptr)
REFUSAL(cuGraphExecExternalSemaphoresWaitNodeSetParams, w.exec, w.memset, nullptr)
REFUSAL(cuGraphAddBatchMemOpNode, &w.made, w.graph, nullptr, 0, nullptr)
REFUSAL(cuGraphBatchMemOpNodeGetParams, w.memset, nullptr)
REFUSAL(cuGraphBatchMemOpNodeSetParams, w.memset, nullptr)
REFUSAL(cuGraphExecBatchMemOpNodeSetParams, w.exec, w.memset, nullptr)
REFUSAL(cuGraphConditionalHandleCreate, nullptr, w.graph, nullptr, 0, 0)
REFUSAL(cuGraphAddNode_v3, &w.made, w.graph, nullptr, nullptr, 0, nullptr)
REFUSAL(cuGraphNodeSetParams_v2, w.memset, nullptr)
REFUSAL(cuGraphExecGetId, w.exec, nullptr)
REFUSAL(cuGraphGetId, w.graph, nullptr)
REFUSAL(cuGraphNodeGetContainingGraph, w.empty, nullptr)
REFUSAL(cuGraphNodeGetLocalId, w.empty, nullptr)
REFUSAL(cuGraphNodeGetParams, w.empty, nullptr)
REFUSAL(cuGraphNodeGetToolsId, w.empty, nullptr)

TEST(DriverGraphArguments, each_wrong_one_is_invalid) {
  Table::only().expect_wrong_ones_are_invalid();
}

TEST(DriverGraphArguments, null_is_refused_where_nothing_is_right) {
  Table::only().expect_null_is_refused(CUDA_SUCCESS);
}

TEST(DriverGraphArguments, each_function_of_graphs_is_tried) {
  Table::only().expect_each_is_tried(GOLDEN_FILE, "cuGraph", "cuGraphics", 90);
}

// What is wrong within a struct, and what only the state of a graph makes wrong.
class DriverGraphContents : public testing::Test {
 protected:
  World world_;
};

TEST_F(DriverGraphContents, cuGraphAddKernelNode_of_no_function) {
  CUDA_KERNEL_NODE_PARAMS_v1 old_params = old_kernel();
  old_params.func = nullptr;
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE,
            cuGraphAddKernelNode(&world_.made, world_.graph, nullptr, 0, &old_params));
  CUDA_KERNEL_NODE_PARAMS params = kernel();
  params.func = nullptr;
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE,
            cuGraphAddKernelNode_v2(&world_.made, world_.graph, nullptr, 0, &params));
  const CUgraphNode node = add_kernel(world_);
  EXPECT_EQ(CUDA_ERROR_INVALID_HANDLE, cuGraphKernelNodeSetParams_v2(node, &params));
}

TEST_F(DriverGraphContents, cuGraphAddMemAllocNode_on_no_device) {
  for (const int device : {99, -1}) {
    world_.pool.poolProps.location.id = device;
    EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
              cuGraphAddMemAllocNode(&world_.made, world_.graph, nullptr, 0, &world_.pool));
  }
  world_.pool.poolProps.location.id = 0;
  world_.pool.accessDescCount = 1;
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuGraphAddMemAllocNode(&world_.made, world_.graph, nullptr, 0, &world_.pool));
}

TEST_F(DriverGraphContents, cuGraphInstantiateWithFlags_once_with_an_allocation) {
  world_.make_allocation();
  CUgraphExec first = nullptr;
  ASSERT_CU(cuGraphInstantiateWithFlags(&first, world_.other, 0));
  CUgraphExec second = nullptr;
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuGraphInstantiateWithFlags(&second, world_.other, 0));
  EXPECT_CU(cuGraphExecDestroy(first));
  EXPECT_CU(cuGraphInstantiateWithFlags(&second, world_.other, 0));
  EXPECT_CU(cuGraphExecDestroy(second));
}

TEST_F(DriverGraphContents, cuDeviceSetGraphMemAttribute_of_what_can_only_be_read) {
  auto* const nowhere = reinterpret_cast<void*>(-1);
  for (const auto attribute :
       {CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT}) {
    EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuDeviceSetGraphMemAttribute(0, attribute, nowhere));
  }
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE,
            cuDeviceSetGraphMemAttribute(99, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &world_.wide));
}

}  // namespace
