// The driver's memory, arrays, events and copies in graphs: a case for each error that
// CUDA's documentation lists for each function (documented.h).
#include "tests/conformance/cuda_driver.h"
#include "tests/conformance/documented.h"

namespace {

constexpr size_t kWidth = 16;
constexpr size_t kHeight = 4;
constexpr size_t kSize = kWidth * kHeight;
constexpr size_t kTooMuch = size_t{1} << 46;

// What good calls get. Before cuInit there are no objects, and all handles are null.
class World {
 public:
  World() {
    flat.Width = box.Width = kWidth;
    flat.Height = box.Height = kHeight;
    flat.Format = box.Format = CU_AD_FORMAT_UNSIGNED_INT8;
    flat.NumChannels = box.NumChannels = 1;
    copy.srcMemoryType = rows.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = rows.srcHost = host.data();
    copy.srcPitch = copy.dstPitch = rows.srcPitch = rows.dstPitch = kWidth;
    copy.srcHeight = copy.dstHeight = kHeight;
    copy.dstMemoryType = rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.WidthInBytes = rows.WidthInBytes = kWidth;
    copy.Height = rows.Height = kHeight;
    copy.Depth = 1;
    surface.Width = kWidth;
    surface.Height = kHeight;
    surface.Format = CU_AD_FORMAT_FLOAT;
    surface.NumChannels = 1;
    surface.Flags = 2;  // CUDA_ARRAY3D_SURFACE_LDST
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    if (context == nullptr) return;
    EXPECT_CU(cuCtxSetCurrent(context));
    EXPECT_CU(cuGraphDestroy(graph));
    EXPECT_CU(cuEventDestroy_v2(event));
    EXPECT_CU(cuStreamDestroy_v2(stream));
    EXPECT_CU(cuMemFreeHost(pinned));
    EXPECT_CU(cuMemFree_v2(managed));
    EXPECT_CU(cuMemFree_v2(memory));
    EXPECT_CU(cuMipmappedArrayDestroy(levels));
    EXPECT_CU(cuArrayDestroy(array));
    EXPECT_CU(cuArrayDestroy(written));
    EXPECT_CU(cuDevicePrimaryCtxRelease_v2(0));
  }
  void make() {
    EXPECT_CU(cuInit(0));
    EXPECT_CU(cuDevicePrimaryCtxRetain(&context, 0));
    EXPECT_CU(cuCtxSetCurrent(context));
    EXPECT_CU(cuArrayCreate_v2(&array, &flat));
    EXPECT_CU(cuArray3DCreate_v2(&written, &surface));
    of_array.res.array.hArray = written;
    EXPECT_CU(cuMipmappedArrayCreate(&levels, &box, 2));
    EXPECT_CU(cuMemAlloc_v2(&memory, kSize));
    EXPECT_CU(cuMemAllocManaged(&managed, kSize, CU_MEM_ATTACH_GLOBAL));
    EXPECT_CU(cuMemHostAlloc(&pinned, kSize, 0));
    EXPECT_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    EXPECT_CU(cuEventCreate(&event, 0));
    EXPECT_CU(cuEventRecord(event, stream));
    EXPECT_CU(cuStreamSynchronize(stream));
    EXPECT_CU(cuGraphCreate(&graph, 0));
    copy.dstDevice = rows.dstDevice = memory;
  }

  CUarray freed_array() {
    CUarray gone = nullptr;
    EXPECT_CU(cuArrayCreate_v2(&gone, &flat));
    EXPECT_CU(cuArrayDestroy(gone));
    return gone;
  }
  CUmipmappedArray freed_levels() {
    CUmipmappedArray gone = nullptr;
    EXPECT_CU(cuMipmappedArrayCreate(&gone, &box, 2));
    EXPECT_CU(cuMipmappedArrayDestroy(gone));
    return gone;
  }
  CUtexObject destroyed_texture() {
    CUtexObject gone = 0;
    EXPECT_CU(cuTexObjectCreate(&gone, &of_array, &as, nullptr));
    EXPECT_CU(cuTexObjectDestroy(gone));
    return gone;
  }
  CUsurfObject destroyed_surface() {
    CUsurfObject gone = 0;
    EXPECT_CU(cuSurfObjectCreate(&gone, &of_array));
    EXPECT_CU(cuSurfObjectDestroy(gone));
    return gone;
  }
  CUevent destroyed_event() {
    CUevent gone = nullptr;
    EXPECT_CU(cuEventCreate(&gone, 0));
    EXPECT_CU(cuEventDestroy_v2(gone));
    return gone;
  }
  CUstream destroyed_stream() {
    CUstream gone = nullptr;
    EXPECT_CU(cuStreamCreate(&gone, CU_STREAM_NON_BLOCKING));
    EXPECT_CU(cuStreamDestroy_v2(gone));
    return gone;
  }
  CUgraphNode copy_node() {
    CUgraphNode node = nullptr;
    EXPECT_CU(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, context));
    return node;
  }
  CUgraphNode empty_node() {
    CUgraphNode node = nullptr;
    EXPECT_CU(cuGraphAddEmptyNode(&node, graph, nullptr, 0));
    return node;
  }
  // What `call` answers while earlier work of the stream waits.
  template <typename Call>
  CUresult while_busy(Call call) {
    Gate gate;
    gate.hold(stream);
    EXPECT_CU(cuEventRecord(event, stream));
    const CUresult told = call();
    gate.open();
    EXPECT_CU(cuStreamSynchronize(stream));
    return told;
  }

  std::vector<unsigned char> host = counted(kSize);
  CUcontext context = nullptr;
  CUDA_ARRAY_DESCRIPTOR flat{};
  CUDA_ARRAY3D_DESCRIPTOR box{};
  CUDA_MEMCPY3D copy{};
  CUDA_MEMCPY2D rows{};
  CUDA_ARRAY3D_DESCRIPTOR surface{};
  CUDA_RESOURCE_DESC of_array{};
  CUDA_TEXTURE_DESC as{};
  CUDA_RESOURCE_VIEW_DESC view{};
  CUarray written = nullptr;
  CUarray array = nullptr;
  CUmipmappedArray levels = nullptr;
  CUdeviceptr memory = 0;
  CUdeviceptr managed = 0;
  void* pinned = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUgraph graph = nullptr;
  // Results.
  CUarray made_array = nullptr;
  CUmipmappedArray made_levels = nullptr;
  CUdeviceptr made_memory = 0;
  CUevent made_event = nullptr;
  CUgraphNode made_node = nullptr;
  CUtexObject made_texture = 0;
  CUsurfObject made_surface = 0;
  void* made_pointer = nullptr;
  unsigned int flags = 0;
  float time = 0;
  int value = 0;
  size_t size = sizeof(int);
  CUmem_range_attribute attribute = CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
  CUsharedconfig banks{};
};

using Row = DocumentedError<World, CUresult>;

const std::vector<Row> kRows = {
    {"cuArrayCreate_v2", CUDA_ERROR_INVALID_VALUE, "no description",
     [](World& w) { return cuArrayCreate_v2(&w.made_array, nullptr); }},
    {"cuArrayCreate_v2", CUDA_ERROR_OUT_OF_MEMORY, "more than the device has",
     [](World& w) {
       w.flat.Width = w.flat.Height = 32768;
       w.flat.Format = CU_AD_FORMAT_FLOAT;
       w.flat.NumChannels = 4;
       return cuArrayCreate_v2(&w.made_array, &w.flat);
     }},
    {"cuArray3DCreate_v2", CUDA_ERROR_INVALID_VALUE, "three channels",
     [](World& w) {
       w.box.NumChannels = 3;
       return cuArray3DCreate_v2(&w.made_array, &w.box);
     }},
    {"cuArray3DCreate_v2", CUDA_ERROR_OUT_OF_MEMORY, "more than the device has",
     [](World& w) {
       w.box.Width = w.box.Height = w.box.Depth = 2048;
       return cuArray3DCreate_v2(&w.made_array, &w.box);
     }},
    {"cuMipmappedArrayCreate", CUDA_ERROR_INVALID_VALUE, "no result",
     [](World& w) { return cuMipmappedArrayCreate(nullptr, &w.box, 1); }},
    {"cuMipmappedArrayCreate", CUDA_ERROR_OUT_OF_MEMORY, "more than the device has",
     [](World& w) {
       w.box.Width = w.box.Height = w.box.Depth = 2048;
       return cuMipmappedArrayCreate(&w.made_levels, &w.box, 1);
     }},
    {"cuMipmappedArrayGetLevel", CUDA_ERROR_INVALID_VALUE, "a level that there is not",
     [](World& w) { return cuMipmappedArrayGetLevel(&w.made_array, w.levels, 2); }},
    {"cuMipmappedArrayGetLevel", CUDA_ERROR_INVALID_HANDLE, "null",
     [](World& w) { return cuMipmappedArrayGetLevel(&w.made_array, nullptr, 0); }},
    {"cuArrayGetDescriptor_v2", CUDA_ERROR_INVALID_VALUE, "no result",
     [](World& w) { return cuArrayGetDescriptor_v2(nullptr, w.array); }},
    {"cuArrayGetDescriptor_v2", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuArrayGetDescriptor_v2(&w.flat, w.freed_array()); }},
    {"cuArray3DGetDescriptor_v2", CUDA_ERROR_INVALID_VALUE, "no result",
     [](World& w) { return cuArray3DGetDescriptor_v2(nullptr, w.array); }},
    {"cuArray3DGetDescriptor_v2", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuArray3DGetDescriptor_v2(&w.box, w.freed_array()); }},
    {"cuArrayDestroy", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuArrayDestroy(w.freed_array()); }},
    {"cuMipmappedArrayDestroy", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuMipmappedArrayDestroy(w.freed_levels()); }},
    {"cuTexObjectCreate", CUDA_ERROR_INVALID_VALUE, "no description",
     [](World& w) { return cuTexObjectCreate(&w.made_texture, &w.of_array, nullptr, nullptr); }},
    {"cuTexObjectDestroy", CUDA_ERROR_INVALID_VALUE, "destroyed before",
     [](World& w) { return cuTexObjectDestroy(w.destroyed_texture()); }},
    {"cuTexObjectGetResourceDesc", CUDA_ERROR_INVALID_VALUE, "destroyed before",
     [](World& w) { return cuTexObjectGetResourceDesc(&w.of_array, w.destroyed_texture()); }},
    {"cuTexObjectGetTextureDesc", CUDA_ERROR_INVALID_VALUE, "destroyed before",
     [](World& w) { return cuTexObjectGetTextureDesc(&w.as, w.destroyed_texture()); }},
    {"cuTexObjectGetResourceViewDesc", CUDA_ERROR_INVALID_VALUE, "destroyed before",
     [](World& w) { return cuTexObjectGetResourceViewDesc(&w.view, w.destroyed_texture()); }},
    {"cuSurfObjectCreate", CUDA_ERROR_INVALID_VALUE, "no description",
     [](World& w) { return cuSurfObjectCreate(&w.made_surface, nullptr); }},
    {"cuSurfObjectDestroy", CUDA_ERROR_INVALID_VALUE, "destroyed before",
     [](World& w) { return cuSurfObjectDestroy(w.destroyed_surface()); }},
    {"cuSurfObjectGetResourceDesc", CUDA_ERROR_INVALID_VALUE, "destroyed before",
     [](World& w) { return cuSurfObjectGetResourceDesc(&w.of_array, w.destroyed_surface()); }},
    {"cuMemcpy2D_v2", CUDA_ERROR_INVALID_VALUE, "rows longer than their distance",
     [](World& w) {
       w.rows.srcPitch = kWidth - 1;
       return cuMemcpy2D_v2(&w.rows);
     }},
    {"cuMemcpy2DUnaligned_v2", CUDA_ERROR_INVALID_VALUE, "no target",
     [](World& w) {
       w.rows.dstDevice = 0;
       return cuMemcpy2DUnaligned_v2(&w.rows);
     }},
    {"cuMemcpy2DAsync_v2", CUDA_ERROR_INVALID_VALUE, "no source",
     [](World& w) {
       w.rows.srcHost = nullptr;
       return cuMemcpy2DAsync_v2(&w.rows, w.stream);
     }},
    {"cuMemcpy2DAsync_v2", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuMemcpy2DAsync_v2(&w.rows, w.destroyed_stream()); }},
    {"cuMemcpy3D_v2", CUDA_ERROR_INVALID_VALUE, "no such kind of memory",
     [](World& w) {
       w.copy.dstMemoryType = static_cast<CUmemorytype>(9);
       return cuMemcpy3D_v2(&w.copy);
     }},
    {"cuMemcpy3D_v2", CUDA_ERROR_INVALID_VALUE, "more rows than there are",
     [](World& w) {
       w.copy.srcY = 1;
       return cuMemcpy3D_v2(&w.copy);
     }},
    {"cuMemcpy3D_v2", CUDA_ERROR_INVALID_VALUE, "rows beyond their distance",
     [](World& w) {
       w.copy.Height = 1;
       w.copy.dstXInBytes = 1;
       return cuMemcpy3D_v2(&w.copy);
     }},
    {"cuMemcpy3DAsync_v2", CUDA_ERROR_INVALID_VALUE, "no parameters",
     [](World& w) { return cuMemcpy3DAsync_v2(nullptr, w.stream); }},
    {"cuMemcpy3DAsync_v2", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuMemcpy3DAsync_v2(&w.copy, w.destroyed_stream()); }},
    {"cuMemAlloc_v2", CUDA_ERROR_INVALID_VALUE, "nothing",
     [](World& w) { return cuMemAlloc_v2(&w.made_memory, 0); }},
    {"cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY, "more than the device has",
     [](World& w) { return cuMemAlloc_v2(&w.made_memory, kTooMuch); }},
    {"cuMemAllocPitch_v2", CUDA_ERROR_INVALID_VALUE, "elements of three bytes",
     [](World& w) { return cuMemAllocPitch_v2(&w.made_memory, &w.size, 8, 8, 3); }},
    {"cuMemAllocPitch_v2", CUDA_ERROR_OUT_OF_MEMORY, "more than the device has",
     [](World& w) { return cuMemAllocPitch_v2(&w.made_memory, &w.size, 1 << 20, 1 << 20, 4); }},
    {"cuMemAllocManaged", CUDA_ERROR_INVALID_VALUE, "nothing",
     [](World& w) { return cuMemAllocManaged(&w.made_memory, 0, CU_MEM_ATTACH_GLOBAL); }},
    {"cuMemAllocManaged", CUDA_ERROR_OUT_OF_MEMORY, "more than there is",
     [](World& w) { return cuMemAllocManaged(&w.made_memory, kTooMuch, CU_MEM_ATTACH_GLOBAL); }},
    {"cuMemFree_v2", CUDA_ERROR_INVALID_VALUE, "inside an allocation",
     [](World& w) { return cuMemFree_v2(w.memory + 1); }},
    {"cuMemHostAlloc", CUDA_ERROR_INVALID_VALUE, "no such flag",
     [](World& w) { return cuMemHostAlloc(&w.made_pointer, 1, 0x80); }},
    {"cuMemHostAlloc", CUDA_ERROR_OUT_OF_MEMORY, "more than there is",
     [](World& w) { return cuMemHostAlloc(&w.made_pointer, kTooMuch, 0); }},
    {"cuMemFreeHost", CUDA_ERROR_INVALID_VALUE, "not an allocation",
     [](World& w) { return cuMemFreeHost(w.host.data()); }},
    {"cuMemHostGetDevicePointer_v2", CUDA_ERROR_INVALID_VALUE, "flags, which must be 0",
     [](World& w) { return cuMemHostGetDevicePointer_v2(&w.made_memory, w.pinned, 1); }},
    {"cuMemHostGetFlags", CUDA_ERROR_INVALID_VALUE, "not pinned",
     [](World& w) { return cuMemHostGetFlags(&w.flags, w.host.data()); }},
    {"cuMemHostRegister_v2", CUDA_ERROR_INVALID_VALUE, "no memory",
     [](World&) { return cuMemHostRegister_v2(nullptr, 1, 0); }},
    {"cuMemHostRegister_v2", CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "registered before",
     [](World& w) {
       EXPECT_CU(cuMemHostRegister_v2(w.host.data(), kSize, 0));
       const CUresult told = cuMemHostRegister_v2(w.host.data(), kSize, 0);
       EXPECT_CU(cuMemHostUnregister(w.host.data()));
       return told;
     }},
    {"cuMemHostUnregister", CUDA_ERROR_INVALID_VALUE, "no memory",
     [](World&) { return cuMemHostUnregister(nullptr); }},
    {"cuMemHostUnregister", CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "not registered",
     [](World& w) { return cuMemHostUnregister(w.host.data()); }},
    {"cuMemAdvise", CUDA_ERROR_INVALID_VALUE, "no such advice",
     [](World& w) { return cuMemAdvise(w.managed, kSize, static_cast<CUmem_advise>(40), 0); }},
    {"cuMemAdvise", CUDA_ERROR_INVALID_DEVICE, "no such device",
     [](World& w) {
       return cuMemAdvise(w.managed, kSize, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 9);
     }},
    {"cuMemPrefetchAsync", CUDA_ERROR_INVALID_VALUE, "memory of the device alone",
     [](World& w) { return cuMemPrefetchAsync(w.memory, kSize, 0, w.stream); }},
    {"cuMemPrefetchAsync", CUDA_ERROR_INVALID_DEVICE, "no such device",
     [](World& w) { return cuMemPrefetchAsync(w.managed, kSize, 9, w.stream); }},
    {"cuMemRangeGetAttribute", CUDA_ERROR_INVALID_VALUE, "a size that the attribute does not have",
     [](World& w) { return cuMemRangeGetAttribute(&w.value, 1, w.attribute, w.managed, kSize); }},
    {"cuMemRangeGetAttributes", CUDA_ERROR_INVALID_VALUE, "no results",
     [](World& w) {
       return cuMemRangeGetAttributes(nullptr, &w.size, &w.attribute, 1, w.managed, kSize);
     }},
    {"cuStreamAttachMemAsync", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) {
       return cuStreamAttachMemAsync(w.destroyed_stream(), w.managed, 0, CU_MEM_ATTACH_GLOBAL);
     }},
    {"cuStreamDestroy_v2", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuStreamDestroy_v2(w.destroyed_stream()); }},
    {"cuStreamQuery", CUDA_ERROR_NOT_READY, "earlier work waits",
     [](World& w) { return w.while_busy([&] { return cuStreamQuery(w.stream); }); }},
    {"cuStreamQuery", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuStreamQuery(w.destroyed_stream()); }},
    {"cuStreamSynchronize", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuStreamSynchronize(w.destroyed_stream()); }},
    {"cuStreamWaitEvent", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuStreamWaitEvent(w.stream, w.destroyed_event(), 0); }},
    {"cuEventCreate", CUDA_ERROR_INVALID_VALUE, "no result",
     [](World&) { return cuEventCreate(nullptr, 0); }},
    {"cuEventRecord", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuEventRecord(w.destroyed_event(), w.stream); }},
    {"cuEventRecordWithFlags", CUDA_ERROR_INVALID_VALUE, "no such flag",
     [](World& w) { return cuEventRecordWithFlags(w.event, w.stream, 0x40); }},
    {"cuEventRecordWithFlags", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuEventRecordWithFlags(w.destroyed_event(), w.stream, 0); }},
    {"cuEventQuery", CUDA_ERROR_NOT_READY, "earlier work waits",
     [](World& w) { return w.while_busy([&] { return cuEventQuery(w.event); }); }},
    {"cuEventQuery", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuEventQuery(w.destroyed_event()); }},
    {"cuEventSynchronize", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuEventSynchronize(w.destroyed_event()); }},
    {"cuEventElapsedTime_v2", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuEventElapsedTime_v2(&w.time, w.event, w.destroyed_event()); }},
    {"cuEventElapsedTime_v2", CUDA_ERROR_NOT_READY, "earlier work waits",
     [](World& w) {
       return w.while_busy([&] { return cuEventElapsedTime_v2(&w.time, w.event, w.event); });
     }},
    {"cuEventDestroy_v2", CUDA_ERROR_INVALID_HANDLE, "destroyed before",
     [](World& w) { return cuEventDestroy_v2(w.destroyed_event()); }},
    {"cuCtxSetSharedMemConfig", CUDA_ERROR_INVALID_VALUE, "no such size",
     [](World&) { return cuCtxSetSharedMemConfig(static_cast<CUsharedconfig>(9)); }},
    {"cuCtxGetSharedMemConfig", CUDA_ERROR_INVALID_VALUE, "no result",
     [](World&) { return cuCtxGetSharedMemConfig(nullptr); }},
    {"cuGraphAddMemcpyNode", CUDA_ERROR_INVALID_VALUE, "no parameters",
     [](World& w) {
       return cuGraphAddMemcpyNode(&w.made_node, w.graph, nullptr, 0, nullptr, w.context);
     }},
    {"cuGraphMemcpyNodeGetParams", CUDA_ERROR_INVALID_VALUE, "a node of another kind",
     [](World& w) { return cuGraphMemcpyNodeGetParams(w.empty_node(), &w.copy); }},
    {"cuGraphMemcpyNodeSetParams", CUDA_ERROR_INVALID_VALUE, "a node of another kind",
     [](World& w) { return cuGraphMemcpyNodeSetParams(w.empty_node(), &w.copy); }},
    {"cuGraphExecMemcpyNodeSetParams", CUDA_ERROR_INVALID_VALUE, "no source",
     [](World& w) {
       CUgraphNode node = w.copy_node();
       CUgraphExec exec = nullptr;
       EXPECT_CU(cuGraphInstantiateWithFlags(&exec, w.graph, 0));
       w.copy.srcHost = nullptr;
       const CUresult told = cuGraphExecMemcpyNodeSetParams(exec, node, &w.copy, w.context);
       EXPECT_CU(cuGraphExecDestroy(exec));
       return told;
     }},
};

void check(World& world, const Row& row) {
  world.make();
  const bool lacks_it =
      tree() < 43 && row.function == std::string("cuGraphExecMemcpyNodeSetParams");
  EXPECT_EQ(lacks_it ? CUDA_ERROR_NOT_SUPPORTED : row.error, row.call(world));
}

[[maybe_unused]] const int kRegistered = register_functions("DriverDocumentedErrors", kRows, check);

// Good calls. Each needs cuInit, and those of the second table a current context. Destroying
// functions come with objects of their own, so that a mistake leaves the others whole.
struct Call {
  const char* function;
  CUresult (*call)(World&);
};

const std::vector<Call> kAnywhere = {
    {"cuEventQuery", [](World& w) { return cuEventQuery(w.event); }},
    {"cuGraphAddMemcpyNode",
     [](World& w) {
       return cuGraphAddMemcpyNode(&w.made_node, w.graph, nullptr, 0, &w.copy, w.context);
     }},
    {"cuGraphMemcpyNodeGetParams",
     [](World& w) { return cuGraphMemcpyNodeGetParams(w.made_node, &w.copy); }},
    {"cuGraphMemcpyNodeSetParams",
     [](World& w) { return cuGraphMemcpyNodeSetParams(w.made_node, &w.copy); }},
};

const std::vector<Call> kInContext = {
    {"cuArrayCreate_v2", [](World& w) { return cuArrayCreate_v2(&w.made_array, &w.flat); }},
    {"cuArray3DCreate_v2", [](World& w) { return cuArray3DCreate_v2(&w.made_array, &w.box); }},
    {"cuArrayGetDescriptor_v2", [](World& w) { return cuArrayGetDescriptor_v2(&w.flat, w.array); }},
    {"cuArray3DGetDescriptor_v2",
     [](World& w) { return cuArray3DGetDescriptor_v2(&w.box, w.array); }},
    {"cuArrayDestroy", [](World& w) { return cuArrayDestroy(w.array); }},
    {"cuMipmappedArrayCreate",
     [](World& w) { return cuMipmappedArrayCreate(&w.made_levels, &w.box, 1); }},
    {"cuMipmappedArrayGetLevel",
     [](World& w) { return cuMipmappedArrayGetLevel(&w.made_array, w.levels, 0); }},
    {"cuMipmappedArrayDestroy", [](World& w) { return cuMipmappedArrayDestroy(w.levels); }},
    {"cuTexObjectCreate",
     [](World& w) { return cuTexObjectCreate(&w.made_texture, &w.of_array, &w.as, nullptr); }},
    {"cuTexObjectDestroy", [](World& w) { return cuTexObjectDestroy(w.made_texture); }},
    {"cuTexObjectGetResourceDesc",
     [](World& w) { return cuTexObjectGetResourceDesc(&w.of_array, w.made_texture); }},
    {"cuTexObjectGetTextureDesc",
     [](World& w) { return cuTexObjectGetTextureDesc(&w.as, w.made_texture); }},
    {"cuTexObjectGetResourceViewDesc",
     [](World& w) { return cuTexObjectGetResourceViewDesc(&w.view, w.made_texture); }},
    {"cuSurfObjectCreate",
     [](World& w) { return cuSurfObjectCreate(&w.made_surface, &w.of_array); }},
    {"cuSurfObjectDestroy", [](World& w) { return cuSurfObjectDestroy(w.made_surface); }},
    {"cuSurfObjectGetResourceDesc",
     [](World& w) { return cuSurfObjectGetResourceDesc(&w.of_array, w.made_surface); }},
    {"cuMemcpy2D_v2", [](World& w) { return cuMemcpy2D_v2(&w.rows); }},
    {"cuMemcpy2DUnaligned_v2", [](World& w) { return cuMemcpy2DUnaligned_v2(&w.rows); }},
    {"cuMemcpy2DAsync_v2", [](World& w) { return cuMemcpy2DAsync_v2(&w.rows, nullptr); }},
    {"cuMemcpy3D_v2", [](World& w) { return cuMemcpy3D_v2(&w.copy); }},
    {"cuMemcpy3DAsync_v2", [](World& w) { return cuMemcpy3DAsync_v2(&w.copy, nullptr); }},
    {"cuMemAlloc_v2", [](World& w) { return cuMemAlloc_v2(&w.made_memory, 64); }},
    {"cuMemAllocPitch_v2",
     [](World& w) { return cuMemAllocPitch_v2(&w.made_memory, &w.size, 8, 8, 4); }},
    {"cuMemAllocManaged",
     [](World& w) { return cuMemAllocManaged(&w.made_memory, 64, CU_MEM_ATTACH_GLOBAL); }},
    {"cuMemFree_v2", [](World& w) { return cuMemFree_v2(w.memory); }},
    {"cuMemHostAlloc", [](World& w) { return cuMemHostAlloc(&w.made_pointer, 64, 0); }},
    {"cuMemFreeHost", [](World& w) { return cuMemFreeHost(w.pinned); }},
    {"cuMemHostGetDevicePointer_v2",
     [](World& w) { return cuMemHostGetDevicePointer_v2(&w.made_memory, w.pinned, 0); }},
    {"cuMemHostGetFlags", [](World& w) { return cuMemHostGetFlags(&w.flags, w.pinned); }},
    {"cuMemHostRegister_v2",
     [](World& w) { return cuMemHostRegister_v2(w.host.data(), kSize, 0); }},
    {"cuMemHostUnregister", [](World& w) { return cuMemHostUnregister(w.host.data()); }},
    {"cuMemRangeGetAttributes",
     [](World& w) {
       void* result = &w.value;
       return cuMemRangeGetAttributes(&result, &w.size, &w.attribute, 1, w.managed, kSize);
     }},
    {"cuStreamAttachMemAsync",
     [](World& w) { return cuStreamAttachMemAsync(nullptr, w.managed, 0, CU_MEM_ATTACH_GLOBAL); }},
    {"cuStreamQuery", [](World&) { return cuStreamQuery(nullptr); }},
    {"cuStreamSynchronize", [](World&) { return cuStreamSynchronize(nullptr); }},
    {"cuStreamWaitEvent", [](World& w) { return cuStreamWaitEvent(nullptr, w.event, 0); }},
    {"cuEventCreate", [](World& w) { return cuEventCreate(&w.made_event, 0); }},
    {"cuEventRecord", [](World& w) { return cuEventRecord(w.event, nullptr); }},
    {"cuEventRecordWithFlags",
     [](World& w) { return cuEventRecordWithFlags(w.event, nullptr, 0); }},
    {"cuEventSynchronize", [](World& w) { return cuEventSynchronize(w.event); }},
    {"cuEventElapsedTime_v2",
     [](World& w) { return cuEventElapsedTime_v2(&w.time, w.event, w.event); }},
    {"cuEventDestroy_v2", [](World& w) { return cuEventDestroy_v2(w.event); }},
    {"cuStreamDestroy_v2", [](World& w) { return cuStreamDestroy_v2(w.stream); }},
    {"cuCtxSetSharedMemConfig",
     [](World&) { return cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE); }},
    {"cuCtxGetSharedMemConfig", [](World& w) { return cuCtxGetSharedMemConfig(&w.banks); }},
};

TEST(DriverDocumentedCalls, each_needs_a_current_context) {
  World world;
  world.make();
  EXPECT_CU(cuCtxSetCurrent(nullptr));
  for (const Call& each : kInContext) {
    EXPECT_EQ(CUDA_ERROR_INVALID_CONTEXT, each.call(world)) << each.function;
  }
}

int count_without_initialisation() {
  World world;
  int wrong = 0;
  for (const auto* calls : {&kAnywhere, &kInContext}) {
    for (const Call& each : *calls) {
      if (each.call(world) == CUDA_ERROR_NOT_INITIALIZED) continue;
      std::fprintf(stderr, "%s\n", each.function);
      ++wrong;
    }
  }
  return wrong;
}

TEST(DriverDocumentedCalls, each_needs_cuInit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(count_without_initialisation()), testing::ExitedWithCode(0), "");
}

}  // namespace
