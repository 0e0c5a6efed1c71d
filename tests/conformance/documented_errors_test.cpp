// The runtime's memory, arrays, textures, events, captures and copies in graphs: a case for each
// error that CUDA's documentation lists for each function. documented_errors.txt has what no
// program can bring about.
//
// Where NVIDIA's runtime is known to answer otherwise than its documentation says, the rows follow
// the documentation. An array that was freed is cudaErrorInvalidValue for cudaFreeArray,
// cudaFreeMipmappedArray and cudaArrayGetInfo; by ROCm's hip-tests, NVIDIA's runtime says
// cudaErrorContextIsDestroyed and, for cudaArrayGetInfo, cudaErrorInvalidResourceHandle.
#include <sys/mman.h>

#include <future>
#include <thread>

#include "tests/conformance/documented.h"
#include "tests/conformance/support.h"

namespace {

constexpr size_t kWidth = 16;
constexpr size_t kHeight = 4;
constexpr size_t kSize = kWidth * kHeight;
constexpr size_t kTooMuch = size_t{1} << 46;
constexpr auto kNoKind = static_cast<cudaMemcpyKind>(9);
constexpr auto kDown = cudaMemcpyDeviceToHost;
constexpr auto kUp = cudaMemcpyHostToDevice;
constexpr auto kAcross = cudaMemcpyDeviceToDevice;
const cudaChannelFormatDesc kBytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
const cudaChannelFormatDesc kWide = {32, 32, 32, 32, cudaChannelFormatKindFloat};

class World {
 public:
  World() {
    EXPECT_OK(cudaMallocArray(&array, &kBytes, kWidth, kHeight, 0));
    EXPECT_OK(cudaMallocMipmappedArray(&levels, &kBytes, {kWidth, kHeight, 0}, 2, 0));
    EXPECT_OK(cudaMallocManaged(&managed, kSize, cudaMemAttachGlobal));
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    box.srcPtr = {host.data(), kWidth, kWidth, kHeight};
    box.dstPtr = {memory, kWidth, kWidth, kHeight};
    box.extent = {kWidth, kHeight, 1};
    box.kind = kUp;
    peers.srcPtr = {memory, kWidth, kWidth, kHeight};
    peers.dstPtr = {other, kWidth, kWidth, kHeight};
    peers.extent = {kWidth, kHeight, 1};
    of_array.resType = cudaResourceTypeArray;
    of_array.res.array.array = array;
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    EXPECT_OK(cudaGraphDestroy(graph));
    EXPECT_OK(cudaFree(managed));
    EXPECT_OK(cudaFreeMipmappedArray(levels));
    EXPECT_OK(cudaFreeArray(array));
  }

  // A handle of an array that is gone.
  cudaArray_t freed_array() {
    cudaArray_t gone = nullptr;
    EXPECT_OK(cudaMallocArray(&gone, &kBytes, kWidth, kHeight, 0));
    EXPECT_OK(cudaFreeArray(gone));
    return gone;
  }
  cudaMipmappedArray_t freed_levels() {
    cudaMipmappedArray_t gone = nullptr;
    EXPECT_OK(cudaMallocMipmappedArray(&gone, &kBytes, {kWidth, kHeight, 0}, 2, 0));
    EXPECT_OK(cudaFreeMipmappedArray(gone));
    return gone;
  }
  cudaTextureObject_t texture() {
    cudaTextureObject_t made = 0;
    const cudaTextureDesc as{};
    EXPECT_OK(cudaCreateTextureObject(&made, &of_array, &as, nullptr));
    return made;
  }
  cudaGraphNode_t copy_node() {
    cudaGraphNode_t node = nullptr;
    EXPECT_OK(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &box));
    return node;
  }
  cudaGraphNode_t empty_node() {
    cudaGraphNode_t node = nullptr;
    EXPECT_OK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
    return node;
  }
  // What `call` answers for an instance of the graph.
  template <typename Call>
  cudaError_t with_instance(Call call) {
    cudaGraphExec_t exec = nullptr;
    EXPECT_OK(instantiate(&exec, graph));
    const cudaError_t told = call(exec);
    EXPECT_OK(cudaGraphExecDestroy(exec));
    return told;
  }
  // What `call` answers while `stream` is captured.
  template <typename Call>
  cudaError_t while_capturing(Call call) {
    EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    const cudaError_t told = call();
    cudaGraph_t captured = nullptr;
    static_cast<void>(cudaStreamEndCapture(stream, &captured));
    if (captured != nullptr) {
      EXPECT_OK(cudaGraphDestroy(captured));
    }
    return told;
  }
  // What `call` answers while earlier work of `stream` waits.
  template <typename Call>
  cudaError_t while_busy(Call call) {
    Gate gate;
    gate.hold(stream);
    EXPECT_OK(cudaEventRecord(event, stream));
    const cudaError_t told = call();
    gate.open();
    EXPECT_OK(cudaStreamSynchronize(stream));
    return told;
  }

  std::vector<unsigned char> host = counted(kSize);
  Buffer memory{kSize};
  Buffer other{kSize};
  Pinned pinned{kSize};
  Stream stream;
  Event event;
  Event later;
  cudaArray_t array = nullptr;
  cudaMipmappedArray_t levels = nullptr;
  void* managed = nullptr;
  cudaGraph_t graph = nullptr;
  cudaMemcpy3DParms box{};
  cudaMemcpy3DPeerParms peers{};
  cudaResourceDesc of_array{};
  void* result = nullptr;
  cudaArray_t made_array = nullptr;
  cudaMipmappedArray_t made_levels = nullptr;
  cudaGraphNode_t made_node = nullptr;
};

using Row = DocumentedError<World, cudaError_t>;

cudaError_t update_capture(cudaStream_t stream, unsigned int flags) {
#if CUDA_MAJOR >= 13
  return cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, flags);
#else
  return cudaStreamUpdateCaptureDependencies(stream, nullptr, 0, flags);
#endif
}

cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph) {
#if CUDA_MAJOR >= 12
  cudaGraphExecUpdateResultInfo told{};
  return cudaGraphExecUpdate(exec, graph, &told);
#else
  cudaGraphNode_t node = nullptr;
  cudaGraphExecUpdateResult told{};
  return cudaGraphExecUpdate(exec, graph, &node, &told);
#endif
}

size_t limit(cudaDeviceAttr attribute) {
  int value = 0;
  EXPECT_OK(cudaDeviceGetAttribute(&value, attribute, 0));
  return static_cast<size_t>(value);
}

const std::vector<Row> kArrays = {
    {"cudaMallocArray", cudaErrorInvalidValue, "no result",
     [](World&) { return cudaMallocArray(nullptr, &kBytes, 1, 1, 0); }},
    {"cudaMallocArray", cudaErrorMemoryAllocation, "more than the device has",
     [](World& w) {
       return cudaMallocArray(&w.made_array, &kWide, limit(cudaDevAttrMaxTexture2DWidth),
                              limit(cudaDevAttrMaxTexture2DHeight), 0);
     }},
    {"cudaMalloc3DArray", cudaErrorInvalidValue, "no format",
     [](World& w) {
       return cudaMalloc3DArray(&w.made_array, nullptr, {1, 1, 1}, 0);
     }},
    {"cudaMalloc3DArray", cudaErrorMemoryAllocation, "more than the device has",
     [](World& w) {
       return cudaMalloc3DArray(
           &w.made_array, &kWide,
           {limit(cudaDevAttrMaxTexture3DWidth), limit(cudaDevAttrMaxTexture3DHeight), 64}, 0);
     }},
    {"cudaMallocMipmappedArray", cudaErrorInvalidValue, "no result",
     [](World&) {
       return cudaMallocMipmappedArray(nullptr, &kBytes, {8, 8, 0}, 1, 0);
     }},
    {"cudaMallocMipmappedArray", cudaErrorMemoryAllocation, "more than the device has",
     [](World& w) {
       return cudaMallocMipmappedArray(&w.made_levels, &kWide,
                                       {limit(cudaDevAttrMaxTexture2DMipmappedWidth),
                                        limit(cudaDevAttrMaxTexture2DMipmappedHeight), 0},
                                       1, 0);
     }},
    {"cudaFreeArray", cudaErrorInvalidValue, "freed before",
     [](World& w) { return cudaFreeArray(w.freed_array()); }},
    {"cudaFreeMipmappedArray", cudaErrorInvalidValue, "freed before",
     [](World& w) { return cudaFreeMipmappedArray(w.freed_levels()); }},
    {"cudaGetMipmappedArrayLevel", cudaErrorInvalidValue, "a level that there is not",
     [](World& w) { return cudaGetMipmappedArrayLevel(&w.made_array, w.levels, 2); }},
    {"cudaGetMipmappedArrayLevel", cudaErrorInvalidResourceHandle, "null",
     [](World& w) { return cudaGetMipmappedArrayLevel(&w.made_array, nullptr, 0); }},
    {"cudaArrayGetInfo", cudaErrorInvalidValue, "freed before",
     [](World& w) {
       cudaExtent extent{};
       return cudaArrayGetInfo(nullptr, &extent, nullptr, w.freed_array());
     }},
    {"cudaGetChannelDesc", cudaErrorInvalidValue, "no result",
     [](World& w) { return cudaGetChannelDesc(nullptr, w.array); }},
    {"cudaArrayGetPlane", cudaErrorInvalidValue, "a format without planes",
     [](World& w) { return cudaArrayGetPlane(&w.made_array, w.array, 0); }},
    {"cudaArrayGetPlane", cudaErrorInvalidResourceHandle, "null",
     [](World& w) { return cudaArrayGetPlane(&w.made_array, nullptr, 0); }},
    {"cudaArrayGetSparseProperties", cudaErrorInvalidValue, "an array that is not sparse",
     [](World& w) {
       cudaArraySparseProperties told{};
       return cudaArrayGetSparseProperties(&told, w.array);
     }},
    {"cudaMipmappedArrayGetSparseProperties", cudaErrorInvalidValue, "an array that is not sparse",
     [](World& w) {
       cudaArraySparseProperties told{};
       return cudaMipmappedArrayGetSparseProperties(&told, w.levels);
     }},
    {"cudaArrayGetMemoryRequirements", cudaErrorInvalidValue, "not of deferred mapping",
     [](World& w) {
       cudaArrayMemoryRequirements told{};
       return cudaArrayGetMemoryRequirements(&told, w.array, 0);
     }},
    {"cudaMipmappedArrayGetMemoryRequirements", cudaErrorInvalidValue, "not of deferred mapping",
     [](World& w) {
       cudaArrayMemoryRequirements told{};
       return cudaMipmappedArrayGetMemoryRequirements(&told, w.levels, 0);
     }},
};

const std::vector<Row> kTextures = {
    {"cudaCreateTextureObject", cudaErrorInvalidValue, "no description",
     [](World& w) {
       cudaTextureObject_t made = 0;
       return cudaCreateTextureObject(&made, &w.of_array, nullptr, nullptr);
     }},
    {"cudaDestroyTextureObject", cudaErrorInvalidValue, "destroyed before",
     [](World& w) {
       const auto gone = w.texture();
       EXPECT_OK(cudaDestroyTextureObject(gone));
       return cudaDestroyTextureObject(gone);
     }},
    {"cudaGetTextureObjectResourceDesc", cudaErrorInvalidValue, "no such texture",
     [](World&) {
       cudaResourceDesc told{};
       return cudaGetTextureObjectResourceDesc(&told, 12345);
     }},
    {"cudaGetTextureObjectTextureDesc", cudaErrorInvalidValue, "no such texture",
     [](World&) {
       cudaTextureDesc told{};
       return cudaGetTextureObjectTextureDesc(&told, 12345);
     }},
    {"cudaGetTextureObjectResourceViewDesc", cudaErrorInvalidValue, "a texture without a view",
     [](World& w) {
       const auto made = w.texture();
       cudaResourceViewDesc view{};
       const cudaError_t told = cudaGetTextureObjectResourceViewDesc(&view, made);
       EXPECT_OK(cudaDestroyTextureObject(made));
       return told;
     }},
    {"cudaDeviceGetTexture1DLinearMaxWidth", cudaErrorInvalidValue, "no result",
     [](World&) { return cudaDeviceGetTexture1DLinearMaxWidth(nullptr, &kBytes, 0); }},
};

const std::vector<Row> kCopies = {
    {"cudaMemcpy", cudaErrorInvalidValue, "no target",
     [](World& w) { return cudaMemcpy(nullptr, w.memory, 1, cudaMemcpyDefault); }},
    {"cudaMemcpy", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) { return cudaMemcpy(w.memory, w.other, 1, kNoKind); }},
    {"cudaMemcpyAsync", cudaErrorInvalidValue, "no source",
     [](World& w) { return cudaMemcpyAsync(w.memory, nullptr, 1, cudaMemcpyDefault, w.stream); }},
    {"cudaMemcpyAsync", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) { return cudaMemcpyAsync(w.memory, w.other, 1, kNoKind, w.stream); }},
    {"cudaMemcpy2D", cudaErrorInvalidValue, "no target",
     [](World& w) { return cudaMemcpy2D(nullptr, 8, w.memory, 8, 4, 2, kDown); }},
    {"cudaMemcpy2D", cudaErrorInvalidPitchValue, "rows longer than their distance",
     [](World& w) { return cudaMemcpy2D(w.memory, 8, w.host.data(), 3, 4, 2, kUp); }},
    {"cudaMemcpy2D", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) { return cudaMemcpy2D(w.memory, 8, w.other, 8, 4, 2, kNoKind); }},
    {"cudaMemcpy2DAsync", cudaErrorInvalidValue, "no source",
     [](World& w) { return cudaMemcpy2DAsync(w.memory, 8, nullptr, 8, 4, 2, kUp, w.stream); }},
    {"cudaMemcpy2DAsync", cudaErrorInvalidPitchValue, "rows longer than their distance",
     [](World& w) { return cudaMemcpy2DAsync(w.memory, 3, w.other, 8, 4, 2, kAcross, w.stream); }},
    {"cudaMemcpy2DAsync", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) { return cudaMemcpy2DAsync(w.memory, 8, w.other, 8, 4, 2, kNoKind, w.stream); }},
    {"cudaMemcpy2DToArray", cudaErrorInvalidValue, "no source",
     [](World& w) { return cudaMemcpy2DToArray(w.array, 0, 0, nullptr, 8, 4, 2, kUp); }},
    {"cudaMemcpy2DToArray", cudaErrorInvalidPitchValue, "rows longer than their distance",
     [](World& w) { return cudaMemcpy2DToArray(w.array, 0, 0, w.host.data(), 3, 4, 2, kUp); }},
    {"cudaMemcpy2DToArray", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) { return cudaMemcpy2DToArray(w.array, 0, 0, w.host.data(), 8, 4, 2, kNoKind); }},
    {"cudaMemcpy2DToArrayAsync", cudaErrorInvalidValue, "beyond the last row",
     [](World& w) {
       return cudaMemcpy2DToArrayAsync(w.array, 0, kHeight, w.memory, 8, 4, 2, kAcross, w.stream);
     }},
    {"cudaMemcpy2DToArrayAsync", cudaErrorInvalidPitchValue, "rows longer than their distance",
     [](World& w) {
       return cudaMemcpy2DToArrayAsync(w.array, 0, 0, w.memory, 3, 4, 2, kAcross, w.stream);
     }},
    {"cudaMemcpy2DToArrayAsync", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) {
       return cudaMemcpy2DToArrayAsync(w.array, 0, 0, w.memory, 8, 4, 2, kNoKind, w.stream);
     }},
    {"cudaMemcpy2DFromArray", cudaErrorInvalidValue, "beyond the last column",
     [](World& w) {
       return cudaMemcpy2DFromArray(w.host.data(), 8, w.array, kWidth - 2, 0, 4, 2, kDown);
     }},
    {"cudaMemcpy2DFromArray", cudaErrorInvalidPitchValue, "rows longer than their distance",
     [](World& w) { return cudaMemcpy2DFromArray(w.host.data(), 3, w.array, 0, 0, 4, 2, kDown); }},
    {"cudaMemcpy2DFromArray", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) {
       return cudaMemcpy2DFromArray(w.host.data(), 8, w.array, 0, 0, 4, 2, kNoKind);
     }},
    {"cudaMemcpy2DFromArrayAsync", cudaErrorInvalidValue, "no target",
     [](World& w) {
       return cudaMemcpy2DFromArrayAsync(nullptr, 8, w.array, 0, 0, 4, 2, kDown, w.stream);
     }},
    {"cudaMemcpy2DFromArrayAsync", cudaErrorInvalidPitchValue, "rows longer than their distance",
     [](World& w) {
       return cudaMemcpy2DFromArrayAsync(w.memory, 3, w.array, 0, 0, 4, 2, kAcross, w.stream);
     }},
    {"cudaMemcpy2DFromArrayAsync", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) {
       return cudaMemcpy2DFromArrayAsync(w.memory, 8, w.array, 0, 0, 4, 2, kNoKind, w.stream);
     }},
    {"cudaMemcpyToArray", cudaErrorInvalidValue, "no source",
     [](World& w) { return cudaMemcpyToArray(w.array, 0, 0, nullptr, 8, kUp); }},
    {"cudaMemcpyToArray", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) { return cudaMemcpyToArray(w.array, 0, 0, w.host.data(), 8, kNoKind); }},
    {"cudaMemcpyToArrayAsync", cudaErrorInvalidValue, "beyond the last row",
     [](World& w) {
       return cudaMemcpyToArrayAsync(w.array, 0, kHeight, w.memory, 8, kAcross, w.stream);
     }},
    {"cudaMemcpyToArrayAsync", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) {
       return cudaMemcpyToArrayAsync(w.array, 0, 0, w.memory, 8, kNoKind, w.stream);
     }},
    {"cudaMemcpyFromArray", cudaErrorInvalidValue, "no target",
     [](World& w) { return cudaMemcpyFromArray(nullptr, w.array, 0, 0, 8, kDown); }},
    {"cudaMemcpyFromArray", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) { return cudaMemcpyFromArray(w.host.data(), w.array, 0, 0, 8, kNoKind); }},
    {"cudaMemcpyFromArrayAsync", cudaErrorInvalidValue, "beyond the last column",
     [](World& w) {
       return cudaMemcpyFromArrayAsync(w.memory, w.array, kWidth + 1, 0, 8, kAcross, w.stream);
     }},
    {"cudaMemcpyFromArrayAsync", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) {
       return cudaMemcpyFromArrayAsync(w.memory, w.array, 0, 0, 8, kNoKind, w.stream);
     }},
    {"cudaMemcpy2DArrayToArray", cudaErrorInvalidValue, "beyond the last column",
     [](World& w) {
       return cudaMemcpy2DArrayToArray(w.array, 0, 0, w.array, kWidth, 0, 1, 1, kAcross);
     }},
    {"cudaMemcpy2DArrayToArray", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) {
       return cudaMemcpy2DArrayToArray(w.array, 0, 0, w.array, 0, 1, 1, 1, kNoKind);
     }},
    {"cudaMemcpy3D", cudaErrorInvalidValue, "no source",
     [](World& w) {
       w.box.srcPtr.ptr = nullptr;
       return cudaMemcpy3D(&w.box);
     }},
    {"cudaMemcpy3D", cudaErrorInvalidValue, "rows that begin too late",
     [](World& w) {
       w.box.srcPos.x = 1;
       return cudaMemcpy3D(&w.box);
     }},
    {"cudaMemcpy3D", cudaErrorInvalidPitchValue, "rows longer than their distance",
     [](World& w) {
       w.box.srcPtr.pitch = kWidth - 1;
       return cudaMemcpy3D(&w.box);
     }},
    {"cudaMemcpy3D", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) {
       w.box.kind = kNoKind;
       return cudaMemcpy3D(&w.box);
     }},
    {"cudaMemcpy3DAsync", cudaErrorInvalidValue, "no parameters",
     [](World& w) { return cudaMemcpy3DAsync(nullptr, w.stream); }},
    {"cudaMemcpy3DAsync", cudaErrorInvalidPitchValue, "rows longer than their distance",
     [](World& w) {
       w.box.dstPtr.pitch = kWidth - 1;
       return cudaMemcpy3DAsync(&w.box, w.stream);
     }},
    {"cudaMemcpy3DAsync", cudaErrorInvalidMemcpyDirection, "no such direction",
     [](World& w) {
       w.box.kind = kNoKind;
       return cudaMemcpy3DAsync(&w.box, w.stream);
     }},
    {"cudaMemcpy3DPeer", cudaErrorInvalidValue, "no parameters",
     [](World&) { return cudaMemcpy3DPeer(nullptr); }},
    {"cudaMemcpy3DPeer", cudaErrorInvalidDevice, "no such device",
     [](World& w) {
       w.peers.dstDevice = 9;
       return cudaMemcpy3DPeer(&w.peers);
     }},
    {"cudaMemcpy3DPeer", cudaErrorInvalidPitchValue, "rows longer than their distance",
     [](World& w) {
       w.peers.srcPtr.pitch = kWidth - 1;
       return cudaMemcpy3DPeer(&w.peers);
     }},
    {"cudaMemcpy3DPeerAsync", cudaErrorInvalidValue, "no target",
     [](World& w) {
       w.peers.dstPtr.ptr = nullptr;
       return cudaMemcpy3DPeerAsync(&w.peers, w.stream);
     }},
    {"cudaMemcpy3DPeerAsync", cudaErrorInvalidDevice, "no such device",
     [](World& w) {
       w.peers.srcDevice = -1;
       return cudaMemcpy3DPeerAsync(&w.peers, w.stream);
     }},
    {"cudaMemcpy3DPeerAsync", cudaErrorInvalidPitchValue, "rows longer than their distance",
     [](World& w) {
       w.peers.dstPtr.pitch = kWidth - 1;
       return cudaMemcpy3DPeerAsync(&w.peers, w.stream);
     }},
    {"cudaMemcpyPeer", cudaErrorInvalidValue, "no source",
     [](World& w) { return cudaMemcpyPeer(w.memory, 0, nullptr, 0, 4); }},
    {"cudaMemcpyPeer", cudaErrorInvalidDevice, "no such device",
     [](World& w) { return cudaMemcpyPeer(w.memory, 0, w.other, 9, 4); }},
    {"cudaMemcpyPeerAsync", cudaErrorInvalidValue, "no target",
     [](World& w) { return cudaMemcpyPeerAsync(nullptr, 0, w.other, 0, 4, w.stream); }},
    {"cudaMemcpyPeerAsync", cudaErrorInvalidDevice, "no such device",
     [](World& w) { return cudaMemcpyPeerAsync(w.memory, 9, w.other, 0, 4, w.stream); }},
};

const std::vector<Row> kMemory = {
    {"cudaMalloc", cudaErrorInvalidValue, "no result",
     [](World&) { return cudaMalloc(nullptr, 1); }},
    {"cudaMalloc", cudaErrorMemoryAllocation, "more than the device has",
     [](World& w) { return cudaMalloc(&w.result, kTooMuch); }},
    {"cudaMallocPitch", cudaErrorInvalidValue, "no result for the pitch",
     [](World& w) { return cudaMallocPitch(&w.result, nullptr, 1, 1); }},
    {"cudaMallocPitch", cudaErrorMemoryAllocation, "more than the device has",
     [](World& w) {
       size_t pitch = 0;
       return cudaMallocPitch(&w.result, &pitch, 1 << 20, 1 << 20);
     }},
    {"cudaMalloc3D", cudaErrorInvalidValue, "no result",
     [](World&) {
       return cudaMalloc3D(nullptr, {1, 1, 1});
     }},
    {"cudaMalloc3D", cudaErrorMemoryAllocation, "more than the device has",
     [](World&) {
       cudaPitchedPtr made{};
       return cudaMalloc3D(&made, {1 << 16, 1 << 16, 1 << 10});
     }},
    {"cudaFree", cudaErrorInvalidValue, "not an allocation",
     [](World& w) { return cudaFree(w.memory.bytes() + 1); }},
    {"cudaMallocAsync", cudaErrorInvalidValue, "no result",
     [](World& w) { return cudaMallocAsync(nullptr, 1, w.stream); }},
    {"cudaMallocAsync", cudaErrorMemoryAllocation, "more than the device has",
     [](World& w) { return cudaMallocAsync(&w.result, kTooMuch, w.stream); }},
    {"cudaMallocFromPoolAsync", cudaErrorInvalidValue, "no result",
     [](World& w) {
       cudaMemPool_t pool = nullptr;
       EXPECT_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
       return cudaMallocFromPoolAsync(nullptr, 1, pool, w.stream);
     }},
    {"cudaMallocFromPoolAsync", cudaErrorMemoryAllocation, "more than the device has",
     [](World& w) {
       cudaMemPool_t pool = nullptr;
       EXPECT_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
       return cudaMallocFromPoolAsync(&w.result, kTooMuch, pool, w.stream);
     }},
    {"cudaFreeAsync", cudaErrorInvalidValue, "not an allocation",
     [](World& w) { return cudaFreeAsync(not_an_object, w.stream); }},
    {"cudaMallocManaged", cudaErrorInvalidValue, "attached to a single stream",
     [](World& w) { return cudaMallocManaged(&w.result, 1, cudaMemAttachSingle); }},
    {"cudaMallocManaged", cudaErrorMemoryAllocation, "more than there is",
     [](World& w) { return cudaMallocManaged(&w.result, kTooMuch, cudaMemAttachGlobal); }},
    {"cudaMemAdvise", cudaErrorInvalidValue, "no such advice",
     [](World& w) { return advise(w.managed, kSize, static_cast<cudaMemoryAdvise>(40), 0); }},
    {"cudaMemAdvise", cudaErrorInvalidDevice, "no such device",
     [](World& w) { return advise(w.managed, kSize, cudaMemAdviseSetPreferredLocation, 9); }},
    {"cudaMemPrefetchAsync", cudaErrorInvalidValue, "memory of the device alone",
     [](World& w) { return prefetch(w.memory, kSize, 0, w.stream); }},
    {"cudaMemPrefetchAsync", cudaErrorInvalidDevice, "no such device",
     [](World& w) { return prefetch(w.managed, kSize, 9, w.stream); }},
    {"cudaMemRangeGetAttribute", cudaErrorInvalidValue, "a size that the attribute does not have",
     [](World& w) {
       int value[2] = {};
       return cudaMemRangeGetAttribute(value, sizeof value, cudaMemRangeAttributeReadMostly,
                                       w.managed, kSize);
     }},
    {"cudaMemRangeGetAttributes", cudaErrorInvalidValue, "no results",
     [](World& w) {
       size_t size = sizeof(int);
       auto attribute = cudaMemRangeAttributeReadMostly;
       return cudaMemRangeGetAttributes(nullptr, &size, &attribute, 1, w.managed, kSize);
     }},
    {"cudaStreamAttachMemAsync", cudaErrorInvalidValue, "a single default stream",
     [](World& w) { return cudaStreamAttachMemAsync(nullptr, w.managed, 0, cudaMemAttachSingle); }},
    {"cudaStreamAttachMemAsync", cudaErrorInvalidResourceHandle, "no stream",
     [](World& w) {
       return cudaStreamAttachMemAsync(bad_stream(), w.managed, 0, cudaMemAttachGlobal);
     }},
};

const std::vector<Row> kHostMemory = {
    {"cudaMallocHost", cudaErrorInvalidValue, "no result",
     [](World&) { return cudaMallocHost(nullptr, 1); }},
    {"cudaMallocHost", cudaErrorMemoryAllocation, "more than there is",
     [](World& w) { return cudaMallocHost(&w.result, kTooMuch); }},
    {"cudaHostAlloc", cudaErrorInvalidValue, "no such flag",
     [](World& w) { return cudaHostAlloc(&w.result, 1, 0x80); }},
    {"cudaHostAlloc", cudaErrorMemoryAllocation, "more than there is",
     [](World& w) { return cudaHostAlloc(&w.result, kTooMuch, cudaHostAllocMapped); }},
    {"cudaFreeHost", cudaErrorInvalidValue, "not an allocation",
     [](World& w) { return cudaFreeHost(w.host.data()); }},
    {"cudaHostGetDevicePointer", cudaErrorInvalidValue, "flags, which must be 0",
     [](World& w) { return cudaHostGetDevicePointer(&w.result, w.pinned, 1); }},
    {"cudaHostGetFlags", cudaErrorInvalidValue, "not pinned",
     [](World& w) {
       unsigned int flags = 0;
       return cudaHostGetFlags(&flags, w.host.data());
     }},
    {"cudaHostRegister", cudaErrorInvalidValue, "no memory",
     [](World&) { return cudaHostRegister(nullptr, 1, 0); }},
    {"cudaHostRegister", cudaErrorHostMemoryAlreadyRegistered, "registered before",
     [](World& w) {
       EXPECT_OK(cudaHostRegister(w.host.data(), kSize, 0));
       const cudaError_t told = cudaHostRegister(w.host.data(), kSize, 0);
       EXPECT_OK(cudaHostUnregister(w.host.data()));
       return told;
     }},
    {"cudaHostUnregister", cudaErrorInvalidValue, "no memory",
     [](World&) { return cudaHostUnregister(nullptr); }},
    {"cudaHostUnregister", cudaErrorHostMemoryNotRegistered, "not registered",
     [](World& w) { return cudaHostUnregister(w.host.data()); }},
};

const std::vector<Row> kEvents = {
    {"cudaEventCreate", cudaErrorInvalidValue, "no result",
     [](World&) { return cudaEventCreate(nullptr); }},
    {"cudaEventCreateWithFlags", cudaErrorInvalidValue, "no such flag",
     [](World&) {
       cudaEvent_t made = nullptr;
       return cudaEventCreateWithFlags(&made, 0x100);
     }},
    {"cudaEventDestroy", cudaErrorInvalidResourceHandle, "destroyed before",
     [](World&) {
       cudaEvent_t gone = nullptr;
       EXPECT_OK(cudaEventCreate(&gone));
       EXPECT_OK(cudaEventDestroy(gone));
       return cudaEventDestroy(gone);
     }},
    {"cudaEventRecord", cudaErrorInvalidResourceHandle, "null",
     [](World& w) { return cudaEventRecord(nullptr, w.stream); }},
    {"cudaEventRecordWithFlags", cudaErrorInvalidValue, "no such flag",
     [](World& w) { return cudaEventRecordWithFlags(w.event, w.stream, 0x40); }},
    {"cudaEventRecordWithFlags", cudaErrorInvalidResourceHandle, "no stream",
     [](World& w) { return cudaEventRecordWithFlags(w.event, bad_stream(), 0); }},
    {"cudaEventQuery", cudaErrorNotReady, "earlier work waits",
     [](World& w) { return w.while_busy([&] { return cudaEventQuery(w.event); }); }},
    {"cudaEventQuery", cudaErrorInvalidResourceHandle, "null",
     [](World&) { return cudaEventQuery(nullptr); }},
    {"cudaEventSynchronize", cudaErrorInvalidResourceHandle, "null",
     [](World&) { return cudaEventSynchronize(nullptr); }},
    {"cudaEventElapsedTime", cudaErrorInvalidValue, "no result",
     [](World& w) {
       EXPECT_OK(cudaEventRecord(w.event, w.stream));
       EXPECT_OK(cudaStreamSynchronize(w.stream));
       return cudaEventElapsedTime(nullptr, w.event, w.event);
     }},
    {"cudaEventElapsedTime", cudaErrorNotReady, "earlier work waits",
     [](World& w) {
       return w.while_busy([&] {
         float time = 0;
         return cudaEventElapsedTime(&time, w.event, w.event);
       });
     }},
    {"cudaEventElapsedTime", cudaErrorInvalidResourceHandle, "never recorded",
     [](World& w) {
       float time = 0;
       return cudaEventElapsedTime(&time, w.event, w.later);
     }},
    {"cudaStreamWaitEvent", cudaErrorInvalidValue, "no such flag",
     [](World& w) { return cudaStreamWaitEvent(w.stream, w.event, 0x40); }},
    {"cudaStreamWaitEvent", cudaErrorInvalidResourceHandle, "null",
     [](World& w) { return cudaStreamWaitEvent(w.stream, nullptr, 0); }},
};

const std::vector<Row> kStreams = {
    {"cudaStreamCreate", cudaErrorInvalidValue, "no result",
     [](World&) { return cudaStreamCreate(nullptr); }},
    {"cudaStreamCreateWithFlags", cudaErrorInvalidValue, "no such flag",
     [](World&) {
       cudaStream_t made = nullptr;
       return cudaStreamCreateWithFlags(&made, 0x40);
     }},
    {"cudaStreamDestroy", cudaErrorInvalidResourceHandle, "destroyed before",
     [](World&) {
       cudaStream_t gone = nullptr;
       EXPECT_OK(cudaStreamCreate(&gone));
       EXPECT_OK(cudaStreamDestroy(gone));
       return cudaStreamDestroy(gone);
     }},
    {"cudaStreamQuery", cudaErrorNotReady, "earlier work waits",
     [](World& w) { return w.while_busy([&] { return cudaStreamQuery(w.stream); }); }},
    {"cudaStreamQuery", cudaErrorInvalidResourceHandle, "no stream",
     [](World&) { return cudaStreamQuery(bad_stream()); }},
    {"cudaStreamSynchronize", cudaErrorInvalidResourceHandle, "no stream",
     [](World&) { return cudaStreamSynchronize(bad_stream()); }},
    {"cudaDeviceSetSharedMemConfig", cudaErrorInvalidValue, "no such size",
     [](World&) { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(9)); }},
    {"cudaDeviceGetSharedMemConfig", cudaErrorInvalidValue, "no result",
     [](World&) { return cudaDeviceGetSharedMemConfig(nullptr); }},
};

const std::vector<Row> kCaptures = {
    {"cudaStreamBeginCapture", cudaErrorInvalidValue, "no such mode",
     [](World& w) {
       return cudaStreamBeginCapture(w.stream, static_cast<cudaStreamCaptureMode>(9));
     }},
    {"cudaStreamEndCapture", cudaErrorInvalidValue, "no result",
     [](World& w) {
       return w.while_capturing([&] { return cudaStreamEndCapture(w.stream, nullptr); });
     }},
    {"cudaStreamEndCapture", cudaErrorStreamCaptureWrongThread, "another thread began",
     [](World& w) {
       std::promise<void> began;
       std::promise<void> tried;
       std::thread other([&] {
         EXPECT_OK(cudaStreamBeginCapture(w.stream, cudaStreamCaptureModeThreadLocal));
         began.set_value();
         tried.get_future().wait();
         cudaGraph_t captured = nullptr;
         EXPECT_OK(cudaStreamEndCapture(w.stream, &captured));
         EXPECT_OK(cudaGraphDestroy(captured));
       });
       began.get_future().wait();
       cudaGraph_t captured = nullptr;
       const cudaError_t told = cudaStreamEndCapture(w.stream, &captured);
       tried.set_value();
       other.join();
       return told;
     }},
    {"cudaStreamIsCapturing", cudaErrorInvalidValue, "no result",
     [](World& w) { return cudaStreamIsCapturing(w.stream, nullptr); }},
    {"cudaStreamIsCapturing", cudaErrorStreamCaptureImplicit, "of the stream that waits for it",
     [](World& w) {
       return w.while_capturing([] {
         auto status = cudaStreamCaptureStatusNone;
         return cudaStreamIsCapturing(cudaStreamLegacy, &status);
       });
     }},
    {"cudaStreamGetCaptureInfo", cudaErrorInvalidValue, "no result",
     [](World& w) { return capture_info(w.stream, nullptr, nullptr); }},
    {"cudaStreamGetCaptureInfo", cudaErrorStreamCaptureImplicit, "of the stream that waits for it",
     [](World& w) {
       return w.while_capturing([] {
         auto status = cudaStreamCaptureStatusNone;
         return capture_info(cudaStreamLegacy, &status, nullptr);
       });
     }},
    {"cudaStreamUpdateCaptureDependencies", cudaErrorInvalidValue, "no such flag",
     [](World& w) { return w.while_capturing([&] { return update_capture(w.stream, 0x40); }); }},
    {"cudaStreamUpdateCaptureDependencies", cudaErrorIllegalState, "not capturing",
     [](World& w) { return update_capture(w.stream, 0); }},
};

const std::vector<Row> kGraphs = {
    {"cudaGraphAddMemcpyNode", cudaErrorInvalidValue, "a wrong direction",
     [](World& w) {
       w.box.kind = kDown;
       return cudaGraphAddMemcpyNode(&w.made_node, w.graph, nullptr, 0, &w.box);
     }},
    {"cudaGraphAddMemcpyNode1D", cudaErrorInvalidValue, "a wrong direction",
     [](World& w) {
       return cudaGraphAddMemcpyNode1D(&w.made_node, w.graph, nullptr, 0, w.memory, w.host.data(),
                                       4, kDown);
     }},
    {"cudaGraphMemcpyNodeGetParams", cudaErrorInvalidValue, "a node of another kind",
     [](World& w) { return cudaGraphMemcpyNodeGetParams(w.empty_node(), &w.box); }},
    {"cudaGraphMemcpyNodeSetParams", cudaErrorInvalidValue, "a node of another kind",
     [](World& w) { return cudaGraphMemcpyNodeSetParams(w.empty_node(), &w.box); }},
    {"cudaGraphMemcpyNodeSetParams1D", cudaErrorInvalidValue, "no target",
     [](World& w) {
       return cudaGraphMemcpyNodeSetParams1D(w.copy_node(), nullptr, w.host.data(), 4, kUp);
     }},
    {"cudaGraphExecMemcpyNodeSetParams", cudaErrorInvalidValue, "several dimensions",
     [](World& w) {
       const auto node = w.copy_node();
       return w.with_instance([&](cudaGraphExec_t exec) {
         return cudaGraphExecMemcpyNodeSetParams(exec, node, &w.box);
       });
     }},
    {"cudaGraphExecMemcpyNodeSetParams", cudaErrorInvalidValue, "a source on the device",
     [](World& w) {
       w.box.extent.height = 1;
       const auto node = w.copy_node();
       return w.with_instance([&](cudaGraphExec_t exec) {
         EXPECT_OK(cudaGraphExecMemcpyNodeSetParams(exec, node, &w.box));
         w.box.srcPtr.ptr = w.other;
         w.box.kind = kAcross;
         return cudaGraphExecMemcpyNodeSetParams(exec, node, &w.box);
       });
     }},
    {"cudaGraphExecMemcpyNodeSetParams1D", cudaErrorInvalidValue, "several dimensions before",
     [](World& w) {
       const auto node = w.copy_node();
       return w.with_instance([&](cudaGraphExec_t exec) {
         return cudaGraphExecMemcpyNodeSetParams1D(exec, node, w.memory, w.host.data(), 4, kUp);
       });
     }},
    {"cudaGraphExecMemcpyNodeSetParams1D", cudaErrorInvalidValue, "another direction",
     [](World& w) {
       w.box.extent.height = 1;
       const auto node = w.copy_node();
       return w.with_instance([&](cudaGraphExec_t exec) {
         return cudaGraphExecMemcpyNodeSetParams1D(exec, node, w.host.data(), w.memory, 4, kDown);
       });
     }},
    {"cudaGraphExecMemcpyNodeSetParams1D", cudaErrorInvalidValue, "the direction of pinned memory",
     [](World& w) {
       w.box.extent.height = 1;
       w.box.srcPtr.ptr = w.pinned;
       const auto node = w.copy_node();
       return w.with_instance([&](cudaGraphExec_t exec) {
         return cudaGraphExecMemcpyNodeSetParams1D(exec, node, w.memory, w.pinned, 4, kAcross);
       });
     }},
    {"cudaGraphExecUpdate", cudaErrorGraphExecUpdateFailure, "another direction",
     [](World& w) {
       w.copy_node();
       return w.with_instance([&](cudaGraphExec_t exec) {
         std::swap(w.box.srcPtr, w.box.dstPtr);
         w.box.kind = kDown;
         cudaGraph_t other = nullptr;
         EXPECT_OK(cudaGraphCreate(&other, 0));
         EXPECT_OK(cudaGraphAddMemcpyNode(&w.made_node, other, nullptr, 0, &w.box));
         const cudaError_t told = update(exec, other);
         EXPECT_OK(cudaGraphDestroy(other));
         return told;
       });
     }},
};

// Not ready is no error that is remembered.
void check(World& world, const Row& row) {
  EXPECT_EQ(row.error, row.call(world));
  const cudaError_t remembered = cudaGetLastError();
  if (row.error != cudaErrorNotReady) {
    EXPECT_EQ(row.error, remembered);
  }
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
}

[[maybe_unused]] const int kRegistered = [] {
  for (const auto* rows : {&kArrays, &kTextures, &kCopies, &kMemory, &kHostMemory, &kEvents,
                           &kStreams, &kCaptures, &kGraphs}) {
    register_functions("DocumentedErrors", *rows, check);
  }
  return 0;
}();

}  // namespace
