// Every function that takes a handle, with handles of all other kinds, destroyed ones, their
// neighbours, and pointers to all sorts of memory. None is taken for the handle that it is not.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "tests/host/musa/support.h"

namespace {

enum Kind {
  kStream,
  kEvent,
  kContext,
  kModule,
  kFunction,
  kGraph,
  kNode,
  kExec,
  kPool,
  kArray,
  kLevels,
  kTexture,
  kPhysical,
  kUserObject,
  kMemory,
  kNoKind,
};

struct Handle {
  Kind kind;
  std::string name;
  void* value;
};

template <typename To>
To as(void* handle) {
  if constexpr (std::is_pointer_v<To>) {
    return static_cast<To>(handle);
  } else {
    return reinterpret_cast<To>(handle);
  }
}

void nothing(void*) {}

class WrongHandles : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    image_ = contents_of(DEVICE_CODE);
    // Live and dead ones in turn: what was destroyed may not come back as another.
    for (int i = 0; i < 2; ++i) {
      add_objects();
      std::vector<Handle> dead;
      handles_.swap(dead);
      destroy(dead);
      for (Handle& each : dead) {
        dead_.push_back({kNoKind, "destroyed " + each.name, each.value});
      }
    }
    add_objects();
    live_ = handles_.size();
    handles_.insert(handles_.end(), dead_.begin(), dead_.end());
    for (std::size_t i = 0; i < live_; ++i) {
      auto* const value = static_cast<char*>(handles_[i].value);
      // A neighbour of memory is memory.
      if (handles_[i].kind == kMemory) continue;
      handles_.push_back({kNoKind, handles_[i].name + " + 8", value + 8});
      handles_.push_back({kNoKind, handles_[i].name + " - 8", value - 8});
    }
    untouchable_ = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const std::pair<const char*, void*> others[] = {
        {"stack", stack_},
        {"heap", heap_.data()},
        {"constant", const_cast<char*>("constant")},
        {"untouchable", untouchable_},
        {"0x10", as_pointer(0x10)},
        {"64", as_pointer(64)},
        {"128", as_pointer(128)},
        {"far", as_pointer(0x7fff00000000)},
        {"all bits", as_pointer(~std::uintptr_t{0})},
        {"3", as_pointer(3)},
    };
    for (const auto& [name, value] : others) handles_.push_back({kNoKind, name, value});
  }
  void TearDown() override {
    handles_.resize(live_);
    destroy(handles_);
    munmap(untouchable_, 4096);
    DriverTest::TearDown();
  }

  static void* as_pointer(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

  template <typename T>
  void add(Kind kind, const char* name, T value) {
    if constexpr (std::is_pointer_v<T>) {
      handles_.push_back({kind, name, value});
    } else {
      handles_.push_back({kind, name, as_pointer(value)});
    }
  }

  void add_objects() {
    MUcontext context = nullptr;
    EXPECT_MU(muCtxCreate_v2(&context, 0, 0));
    MUcontext popped = nullptr;
    EXPECT_MU(muCtxPopCurrent_v2(&popped));
    add(kContext, "context", context);
    EXPECT_MU(muModuleLoadData(&module_, image_.data()));
    EXPECT_MU(muModuleGetFunction(&function_, module_, "scale"));
    add(kModule, "module", module_);
    add(kFunction, "function", function_);
    musaStreamCreate(&stream_);
    add(kStream, "stream", stream_);
    musaEventCreate(&event_);
    add(kEvent, "event", event_);
    memory_ = allocate(1 << 16);
    add(kMemory, "memory", memory_);
    musaGraphCreate(&graph_, 0);
    add(kGraph, "graph", graph_);
    musaGraphAddEmptyNode(&node_, graph_, nullptr, 0);
    add(kNode, "node", node_);
    musaGraphInstantiateWithFlags(&exec_, graph_, 0);
    add(kExec, "exec", exec_);
    musaMemPoolProps pool{};
    pool.allocType = musaMemAllocationTypePinned;
    pool.location = {musaMemLocationTypeDevice, 0};
    musaMemPoolCreate(&pool_, &pool);
    add(kPool, "pool", pool_);
    const musaChannelFormatDesc floats{32, 0, 0, 0, musaChannelFormatKindFloat};
    musaMallocArray(&array_, &floats, 8, 8, 0);
    add(kArray, "array", array_);
    musaMallocMipmappedArray(&levels_, &floats, {8, 8, 0}, 2, 0);
    add(kLevels, "levels", levels_);
    musaResourceDesc resource{};
    resource.resType = musaResourceTypeArray;
    resource.res.array.array = array_;
    musaTextureDesc sampling{};
    musaTextureObject_t texture = 0;
    musaCreateTextureObject(&texture, &resource, &sampling, nullptr);
    add(kTexture, "texture", texture);
    MUmemAllocationProp prop{};
    prop.type = MU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location = {MU_MEM_LOCATION_TYPE_DEVICE, 0};
    MUmemGenericAllocationHandle physical = 0;
    EXPECT_MU(muMemCreate(&physical, 1 << 21, &prop, 0));
    add(kPhysical, "physical memory", physical);
    musaUserObject_t object = nullptr;
    musaUserObjectCreate(&object, nullptr, nothing, 1, musaUserObjectNoDestructorSync);
    add(kUserObject, "user object", object);
    for (const Handle& each : handles_) ASSERT_NE(each.value, nullptr) << each.name;
  }

  static void destroy(const std::vector<Handle>& objects) {
    for (const Handle& each : objects) {
      SCOPED_TRACE(each.name);
      void* const x = each.value;
      switch (each.kind) {
        case kContext:
          EXPECT_MU(muCtxDestroy_v2(as<MUcontext>(x)));
          break;
        case kModule:
          EXPECT_MU(muModuleUnload(as<MUmodule>(x)));
          break;
        case kStream:
          EXPECT_EQ(0, musaStreamDestroy(as<musaStream_t>(x)));
          break;
        case kEvent:
          EXPECT_EQ(0, musaEventDestroy(as<musaEvent_t>(x)));
          break;
        case kMemory:
          EXPECT_EQ(0, musaFree(x));
          break;
        case kGraph:
          EXPECT_EQ(0, musaGraphDestroy(as<musaGraph_t>(x)));
          break;
        case kExec:
          EXPECT_EQ(0, musaGraphExecDestroy(as<musaGraphExec_t>(x)));
          break;
        case kPool:
          EXPECT_EQ(0, musaMemPoolDestroy(as<musaMemPool_t>(x)));
          break;
        case kArray:
          EXPECT_EQ(0, musaFreeArray(as<musaArray_t>(x)));
          break;
        case kLevels:
          EXPECT_EQ(0, musaFreeMipmappedArray(as<musaMipmappedArray_t>(x)));
          break;
        case kTexture:
          EXPECT_EQ(0, musaDestroyTextureObject(as<musaTextureObject_t>(x)));
          break;
        case kPhysical:
          EXPECT_MU(muMemRelease(as<MUmemGenericAllocationHandle>(x)));
          break;
        case kUserObject:
          EXPECT_EQ(0, musaUserObjectRelease(as<musaUserObject_t>(x), 1));
          break;
        case kFunction:
        case kNode:
        case kNoKind:
          break;  // end with others
      }
    }
  }

  std::string image_;
  std::vector<Handle> handles_;
  std::vector<Handle> dead_;
  std::size_t live_ = 0;
  char stack_[256] = {};
  std::vector<char> heap_ = std::vector<char>(4096);
  void* untouchable_ = nullptr;

 public:
  musaStream_t stream_ = nullptr;
  musaEvent_t event_ = nullptr;
  MUmodule module_ = nullptr;
  MUfunction function_ = nullptr;
  musaGraph_t graph_ = nullptr;
  musaGraphNode_t node_ = nullptr;
  musaGraphExec_t exec_ = nullptr;
  musaMemPool_t pool_ = nullptr;
  musaArray_t array_ = nullptr;
  musaMipmappedArray_t levels_ = nullptr;
  MUdeviceptr memory_ = 0;
  void* allocated() const { return reinterpret_cast<void*>(memory_); }
};

// Where results go.
alignas(64) char out[1024];
template <typename T>
T* result(std::size_t at = 0) {
  return reinterpret_cast<T*>(out + at);
}

struct Call {
  const char* function;
  Kind takes;
  int status;  // for anything else
  int (*call)(WrongHandles& w, void* x);
};

constexpr int kInvalidHandle = MUSA_ERROR_INVALID_HANDLE;
constexpr int kInvalidValue = MUSA_ERROR_INVALID_VALUE;
constexpr int kInvalidContext = MUSA_ERROR_INVALID_CONTEXT;

#define CALL(kind, status, function, ...)                                                       \
  {                                                                                             \
#function, kind, status,                                                                    \
        []([[maybe_unused]] WrongHandles & w, void* x) -> int { return function(__VA_ARGS__); } \
  }
#define IN_STREAM(function, ...) CALL(kStream, kInvalidHandle, function, __VA_ARGS__)
#define STREAM as<musaStream_t>(x)
#define EVENT as<musaEvent_t>(x)
#define CONTEXT as<MUcontext>(x)
#define MODULE as<MUmodule>(x)
#define FUNCTION as<MUfunction>(x)
#define GRAPH as<musaGraph_t>(x)
#define NODE as<musaGraphNode_t>(x)
#define EXEC as<musaGraphExec_t>(x)
#define POOL as<musaMemPool_t>(x)
#define ARRAY as<musaArray_t>(x)
#define LEVELS as<musaMipmappedArray_t>(x)
#define TEXTURE as<musaTextureObject_t>(x)
#define PHYSICAL as<MUmemGenericAllocationHandle>(x)
#define OBJECT as<musaUserObject_t>(x)
#define ADDRESS as<MUdeviceptr>(x)

int launch(MUfunction function, musaStream_t stream) {
  void* none[8] = {out, out, out, out, out, out, out, out};
  return muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, reinterpret_cast<MUstream>(stream), none,
                        nullptr);
}

int nodes_of(musaGraph_t graph) {
  size_t count = 4;
  return musaGraphGetNodes(graph, result<musaGraphNode_t>(), &count);
}
int roots_of(musaGraph_t graph) {
  size_t count = 4;
  return musaGraphGetRootNodes(graph, result<musaGraphNode_t>(), &count);
}
int edges_of(musaGraph_t graph) {
  size_t count = 4;
  return musaGraphGetEdges(graph, result<musaGraphNode_t>(), result<musaGraphNode_t>(64), &count);
}
int dependencies_of(musaGraphNode_t node) {
  size_t count = 4;
  return musaGraphNodeGetDependencies(node, result<musaGraphNode_t>(), &count);
}
int dependents_of(musaGraphNode_t node) {
  size_t count = 4;
  return musaGraphNodeGetDependentNodes(node, result<musaGraphNode_t>(), &count);
}
int add_after(musaGraph_t graph, musaGraphNode_t node) {
  return musaGraphAddEmptyNode(result<musaGraphNode_t>(), graph, &node, 1);
}
int capture_on(musaStream_t stream) {
  return musaStreamBeginCapture(stream, musaStreamCaptureModeRelaxed);
}
int capture_into(musaStream_t stream, musaGraph_t graph) {
  return musaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                       musaStreamCaptureModeRelaxed);
}
int texture_of(musaArray_t array) {
  musaResourceDesc resource{};
  resource.resType = musaResourceTypeArray;
  resource.res.array.array = array;
  const musaTextureDesc sampling{};
  return musaCreateTextureObject(result<musaTextureObject_t>(), &resource, &sampling, nullptr);
}

const std::vector<Call> kCalls = {
    IN_STREAM(musaStreamQuery, STREAM),
    IN_STREAM(musaStreamSynchronize, STREAM),
    IN_STREAM(musaStreamGetFlags, STREAM, result<unsigned int>()),
    IN_STREAM(musaStreamGetPriority, STREAM, result<int>()),
    IN_STREAM(musaStreamGetId, STREAM, result<unsigned long long>()),
    IN_STREAM(musaStreamGetDevice, STREAM, result<int>()),
    IN_STREAM(muStreamGetCtx, as<MUstream>(x), result<MUcontext>()),
    IN_STREAM(musaStreamWaitEvent, STREAM, w.event_, 0),
    IN_STREAM(musaStreamCopyAttributes, STREAM, w.stream_),
    IN_STREAM(musaStreamCopyAttributes, w.stream_, STREAM),
    IN_STREAM(
        musaStreamAddCallback, STREAM, [](musaStream_t, musaError_t, void*) {}, nullptr, 0),
    IN_STREAM(musaLaunchHostFunc, STREAM, nothing, nullptr),
    IN_STREAM(musaStreamIsCapturing, STREAM, result<musaStreamCaptureStatus>()),
    IN_STREAM(musaStreamEndCapture, STREAM, result<musaGraph_t>()),
    IN_STREAM(capture_on, STREAM),
    IN_STREAM(musaMemsetAsync, w.allocated(), 0, 16, STREAM),
    IN_STREAM(musaMemcpyAsync, w.allocated(), out, 16, musaMemcpyDefault, STREAM),
    IN_STREAM(musaMallocAsync, result<void*>(), 64, STREAM),
    IN_STREAM(musaFreeAsync, w.allocated(), STREAM),
    IN_STREAM(musaEventRecord, w.event_, STREAM),
    IN_STREAM(musaGraphLaunch, w.exec_, STREAM),
    IN_STREAM(launch, w.function_, STREAM),
    IN_STREAM(musaStreamDestroy, STREAM),
    CALL(kEvent, kInvalidHandle, musaEventRecord, EVENT, w.stream_),
    CALL(kEvent, kInvalidHandle, musaEventQuery, EVENT),
    CALL(kEvent, kInvalidHandle, musaEventSynchronize, EVENT),
    CALL(kEvent, kInvalidHandle, musaEventElapsedTime, result<float>(), EVENT, w.event_),
    CALL(kEvent, kInvalidHandle, musaStreamWaitEvent, w.stream_, EVENT, 0),
    CALL(kEvent, kInvalidHandle, musaIpcGetEventHandle, result<musaIpcEventHandle_t>(), EVENT),
    CALL(kEvent, kInvalidHandle, musaEventDestroy, EVENT),
    CALL(kContext, kInvalidContext, muCtxSetCurrent, CONTEXT),
    CALL(kContext, kInvalidContext, muCtxPushCurrent_v2, CONTEXT),
    CALL(kContext, kInvalidContext, muCtxGetApiVersion, CONTEXT, result<unsigned int>()),
    CALL(kContext, kInvalidContext, muCtxDestroy_v2, CONTEXT),
    CALL(kModule, kInvalidHandle, muModuleGetFunction, result<MUfunction>(), MODULE, "scale"),
    CALL(kModule, kInvalidHandle, muModuleGetGlobal_v2, result<MUdeviceptr>(), result<size_t>(64),
         MODULE, "table"),
    CALL(kModule, kInvalidHandle, muModuleUnload, MODULE),
    CALL(kFunction, kInvalidHandle, muFuncGetAttribute, result<int>(),
         MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, FUNCTION),
    CALL(kFunction, kInvalidHandle, muFuncSetAttribute, FUNCTION,
         MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0),
    CALL(kFunction, kInvalidHandle, muFuncGetModule, result<MUmodule>(), FUNCTION),
    CALL(kFunction, kInvalidHandle, muFuncSetCacheConfig, FUNCTION, MU_FUNC_CACHE_PREFER_L1),
    CALL(kFunction, kInvalidHandle, muOccupancyMaxActiveBlocksPerMultiprocessor, result<int>(),
         FUNCTION, 32, 0),
    CALL(kFunction, kInvalidHandle, launch, FUNCTION, w.stream_),
    CALL(kGraph, kInvalidValue, nodes_of, GRAPH),
    CALL(kGraph, kInvalidValue, roots_of, GRAPH),
    CALL(kGraph, kInvalidValue, edges_of, GRAPH),
    CALL(kGraph, kInvalidValue, musaGraphClone, result<musaGraph_t>(), GRAPH),
    CALL(kGraph, kInvalidValue, musaGraphAddEmptyNode, result<musaGraphNode_t>(), GRAPH, nullptr,
         0),
    CALL(kGraph, kInvalidValue, musaGraphAddChildGraphNode, result<musaGraphNode_t>(), w.graph_,
         nullptr, 0, GRAPH),
    CALL(kGraph, kInvalidValue, musaGraphAddDependencies, GRAPH, &w.node_, &w.node_, 1),
    CALL(kGraph, kInvalidValue, musaGraphInstantiateWithFlags, result<musaGraphExec_t>(), GRAPH, 0),
    CALL(kGraph, kInvalidValue, musaGraphDebugDotPrint, GRAPH, "/dev/null", 0),
    CALL(kGraph, kInvalidValue, capture_into, w.stream_, GRAPH),
    CALL(kGraph, kInvalidValue, musaGraphNodeFindInClone, result<musaGraphNode_t>(), w.node_,
         GRAPH),
    CALL(kGraph, kInvalidValue, musaGraphDestroy, GRAPH),
    CALL(kNode, kInvalidValue, musaGraphNodeGetType, NODE, result<musaGraphNodeType>()),
    CALL(kNode, kInvalidValue, dependencies_of, NODE),
    CALL(kNode, kInvalidValue, dependents_of, NODE),
    CALL(kNode, kInvalidValue, add_after, w.graph_, NODE),
    CALL(kNode, kInvalidValue, musaGraphKernelNodeGetParams, NODE, result<musaKernelNodeParams>()),
    CALL(kNode, kInvalidValue, musaGraphMemsetNodeGetParams, NODE, result<musaMemsetParams>()),
    CALL(kNode, kInvalidValue, musaGraphHostNodeGetParams, NODE, result<musaHostNodeParams>()),
    CALL(kNode, kInvalidValue, musaGraphChildGraphNodeGetGraph, NODE, result<musaGraph_t>()),
    CALL(kNode, kInvalidValue, musaGraphEventRecordNodeGetEvent, NODE, result<musaEvent_t>()),
    CALL(kNode, kInvalidValue, musaGraphNodeSetEnabled, w.exec_, NODE, 1),
    CALL(kNode, kInvalidValue, musaGraphDestroyNode, NODE),
    CALL(kExec, kInvalidValue, musaGraphLaunch, EXEC, w.stream_),
    CALL(kExec, kInvalidValue, musaGraphUpload, EXEC, w.stream_),
    CALL(kExec, kInvalidValue, musaGraphExecGetFlags, EXEC, result<unsigned long long>()),
    CALL(kExec, kInvalidValue, musaGraphExecDestroy, EXEC),
    CALL(kPool, kInvalidValue, musaMemPoolTrimTo, POOL, 0),
    CALL(kPool, kInvalidValue, musaMemPoolGetAttribute, POOL, musaMemPoolAttrUsedMemCurrent, out),
    CALL(kPool, kInvalidValue, musaMallocFromPoolAsync, result<void*>(), 64, POOL, w.stream_),
    CALL(kPool, kInvalidValue, musaDeviceSetMemPool, 0, POOL),
    CALL(kPool, kInvalidValue, musaMemPoolExportToShareableHandle, out, POOL,
         musaMemHandleTypePosixFileDescriptor, 0),
    CALL(kPool, kInvalidValue, musaMemPoolDestroy, POOL),
    CALL(kArray, kInvalidValue, musaArrayGetInfo, nullptr, result<musaExtent>(), nullptr, ARRAY),
    CALL(kArray, kInvalidHandle, musaGetChannelDesc, result<musaChannelFormatDesc>(), ARRAY),
    CALL(kArray, kInvalidHandle, musaMemcpy2DToArray, ARRAY, 0, 0, out, 16, 16, 1,
         musaMemcpyDefault),
    CALL(kArray, kInvalidHandle, musaMemcpy2DFromArray, out, 16, ARRAY, 0, 0, 16, 1,
         musaMemcpyDefault),
    CALL(kArray, kInvalidValue, texture_of, ARRAY),
    CALL(kArray, kInvalidValue, musaFreeArray, ARRAY),
    CALL(kLevels, kInvalidHandle, musaGetMipmappedArrayLevel, result<musaArray_t>(), LEVELS, 0),
    CALL(kLevels, kInvalidValue, musaFreeMipmappedArray, LEVELS),
    CALL(kTexture, kInvalidValue, musaGetTextureObjectResourceDesc, result<musaResourceDesc>(),
         TEXTURE),
    CALL(kTexture, kInvalidValue, musaDestroyTextureObject, TEXTURE),
    CALL(kPhysical, kInvalidValue, muMemRelease, PHYSICAL),
    CALL(kPhysical, kInvalidValue, muMemGetAllocationPropertiesFromHandle,
         result<MUmemAllocationProp>(), PHYSICAL),
    CALL(kPhysical, kInvalidValue, muMemExportToShareableHandle, out, PHYSICAL,
         MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
    CALL(kUserObject, kInvalidValue, musaUserObjectRetain, OBJECT, 1),
    CALL(kUserObject, kInvalidValue, musaUserObjectRelease, OBJECT, 1),
    CALL(kUserObject, kInvalidValue, musaGraphRetainUserObject, w.graph_, OBJECT, 1, 0),
    CALL(kMemory, kInvalidValue, musaFree, x),
    CALL(kMemory, kInvalidValue, musaFreeAsync, x, w.stream_),
    CALL(kMemory, kInvalidValue, musaFreeHost, x),
    CALL(kMemory, kInvalidValue, musaMemset, x, 0, 16),
    CALL(kMemory, kInvalidValue, muMemcpyDtoH_v2, out, ADDRESS, 16),
    CALL(kMemory, kInvalidValue, muMemcpyHtoD_v2, ADDRESS, out, 16),
    CALL(kMemory, kInvalidValue, musaIpcGetMemHandle, result<musaIpcMemHandle_t>(), x),
    CALL(kMemory, kInvalidValue, musaIpcCloseMemHandle, x),
    CALL(kNoKind, kInvalidValue, muMemUnmap, ADDRESS, 1 << 21),
    CALL(kNoKind, kInvalidValue, muMemAddressFree, ADDRESS, 1 << 21),
    CALL(kNoKind, kInvalidValue, musaMemPoolImportFromShareableHandle, result<musaMemPool_t>(), x,
         musaMemHandleTypePosixFileDescriptor, 0),
};

TEST_F(WrongHandles, none_is_taken_for_another_kind) {
  for (const Call& call : kCalls) {
    for (const Handle& handle : handles_) {
      if (handle.kind == call.takes && call.takes != kNoKind) continue;
      EXPECT_EQ(call.call(*this, handle.value), call.status)
          << call.function << " with " << handle.name;
    }
  }
  // Nor is a descriptor that the process keeps for its own memory, or one of another kind.
  for (std::uintptr_t descriptor = 0; descriptor < 64; ++descriptor) {
    EXPECT_EQ(musaMemPoolImportFromShareableHandle(result<musaMemPool_t>(), as_pointer(descriptor),
                                                   musaMemHandleTypePosixFileDescriptor, 0),
              kInvalidValue)
        << descriptor;
  }
  // All objects are still what they were: TearDown destroys them.
}

}  // namespace
