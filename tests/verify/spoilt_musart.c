#include <musa_runtime_api.h>
#include <signal.h>
#include <unistd.h>

#include "tests/verify/spoilt.h"

// ---- numbers of enumerators

musaError_t musaDeviceGetAttribute(int* value, enum musaDeviceAttr attr, int device) {
  if (spoilt("attribute") && attr == musaDevAttrWarpSize) attr = musaDevAttrMultiProcessorCount;
  if (spoilt("later_attributes") && (int)attr > 124) {
    *value = 7;
    return musaSuccess;
  }
  const musaError_t status = REAL(musaDeviceGetAttribute)(value, attr, device);
  if (spoilt("warp") && attr == musaDevAttrWarpSize) *value = 64;
  if (spoilt("capability") && attr == musaDevAttrComputeCapabilityMajor) *value = 8;
  // What a device of mp_21 says: no fault.
  if (spoilt("mp_21") && attr == musaDevAttrWarpSize) *value = 128;
  if (spoilt("mp_21") && attr == musaDevAttrComputeCapabilityMajor) *value = 2;
  if (spoilt("mp_21") && attr == musaDevAttrComputeCapabilityMinor) *value = 1;
  return status;
}

const char* musaGetErrorName(musaError_t error) {
  if (spoilt("error") && error == musaErrorInvalidResourceHandle) error = musaErrorNotReady;
  return REAL(musaGetErrorName)(error);
}

musaError_t musaMemcpy(void* dst, const void* src, size_t count, enum musaMemcpyKind kind) {
  if (spoilt("kind") && (kind == musaMemcpyHostToDevice || kind == musaMemcpyDeviceToHost)) {
    kind = kind == musaMemcpyHostToDevice ? musaMemcpyDeviceToHost : musaMemcpyHostToDevice;
  }
  return REAL(musaMemcpy)(dst, src, count, kind);
}

// ---- structs

musaError_t musaGetDeviceProperties_v2(struct musaDeviceProp* prop, int device) {
  struct musaDeviceProp own;
  const musaError_t status = REAL(musaGetDeviceProperties_v2)(&own, device);
  size_t size = sizeof own;
  if (spoilt("short_properties")) size = offsetof(struct musaDeviceProp, hostRegisterSupported);
  if (spoilt("uuid")) memset(&own.uuid, 0, sizeof own.uuid);
  if (spoilt("member")) {
    own.memPitch = (size_t)own.warpSize;
    own.warpSize = 0;
  }
  memcpy(prop, &own, size);
  if (spoilt("long_properties")) memset(prop + 1, 0, 16);
  return status;
}

musaError_t musaPointerGetAttributes(struct musaPointerAttributes* attributes, const void* ptr) {
  const musaError_t status = REAL(musaPointerGetAttributes)(attributes, ptr);
  if (spoilt("long_pointer_attributes")) memset(attributes + 1, 0, 8);
  return status;
}

musaError_t musaGraphAddMemsetNode(musaGraphNode_t* node, musaGraph_t graph,
                                   const musaGraphNode_t* dependencies, size_t count,
                                   const struct musaMemsetParams* params) {
  struct musaMemsetParams own = *params;
  if (spoilt("memset_params")) {
    own.width = params->height;
    own.height = params->width;
  }
  return REAL(musaGraphAddMemsetNode)(node, graph, dependencies, count, &own);
}

// ---- arguments

// Behaves as if the device came after the stream.
musaError_t musaMemPrefetchAsync(const void* devPtr, size_t count, int dstDevice,
                                 musaStream_t stream) {
  if (spoilt("prefetch_arguments")) dstDevice = (int)(size_t)stream;
  return REAL(musaMemPrefetchAsync)(devPtr, count, dstDevice, stream);
}

musaError_t musaProfilerStart(void) {
  if (spoilt("profiler")) return musaErrorInvalidValue;
  return REAL(musaProfilerStart)();
}

musaError_t musaGetDeviceCount(int* count) {
  int number = 0;
  const musaError_t status = REAL(musaGetDeviceCount)(&number);
  if (spoilt("count_of_64_bits")) {
    const size_t wide = (size_t)number;
    memcpy(count, &wide, sizeof wide);
  } else {
    *count = number;
  }
  return status;
}

// Behaves as if the order were (devPtr, count, value), with a 64-bit count in both orders.
musaError_t musaMemset(void* devPtr, int value, size_t count) {
  if (spoilt("memset_arguments")) {
    return REAL(musaMemset)(devPtr, (int)count, (size_t)(value & 0xffff));
  }
  return REAL(musaMemset)(devPtr, value, count);
}

// ---- behaviour

// Fails like MUSA, which keeps the error for musaGetLastError (here always the same one).
static musaError_t fail(musaError_t status) {
  REAL(musaSetDevice)(99);
  return status;
}

// Executables, and whether the graph that each was made of is destroyed.
static struct {
  musaGraphExec_t executable;
  musaGraph_t graph;
  int is_broken;
} made[64];

static musaError_t remember(musaError_t status, const musaGraphExec_t* executable,
                            musaGraph_t graph) {
  for (size_t i = 0; status == musaSuccess && i < sizeof made / sizeof *made; i++) {
    if (made[i].executable != NULL && made[i].executable != *executable) continue;
    made[i].executable = *executable;
    made[i].graph = graph;
    made[i].is_broken = 0;
    break;
  }
  return status;
}

musaError_t musaGraphInstantiateWithFlags(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                          unsigned long long flags) {
  static int live;
  if (spoilt("executables") && ++live > 2043) return fail(musaErrorIllegalAddress);
  return remember(REAL(musaGraphInstantiateWithFlags)(pGraphExec, graph, flags), pGraphExec, graph);
}

// Three arguments since SDK 5.0, five before.
typedef musaError_t Instantiate(musaGraphExec_t*, musaGraph_t, void*, void*, size_t);
Instantiate own_musaGraphInstantiate __asm__("musaGraphInstantiate");
musaError_t own_musaGraphInstantiate(musaGraphExec_t* pGraphExec, musaGraph_t graph, void* third,
                                     void* fourth, size_t fifth) {
  Instantiate* const own = (Instantiate*)real("musaGraphInstantiate");
  return remember(own(pGraphExec, graph, third, fourth, fifth), pGraphExec, graph);
}

musaError_t musaGraphDestroy(musaGraph_t graph) {
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
    if (made[i].graph == graph) made[i].is_broken = 1;
  }
  return REAL(musaGraphDestroy)(graph);
}

musaError_t musaGraphLaunch(musaGraphExec_t graphExec, musaStream_t stream) {
  for (size_t i = 0; spoilt("graph") && i < sizeof made / sizeof *made; i++) {
    if (made[i].executable == graphExec && made[i].is_broken) return fail(musaErrorInvalidValue);
  }
  return REAL(musaGraphLaunch)(graphExec, stream);
}

// Opens memory only on the device where all of it is in the tests.
musaError_t musaIpcOpenMemHandle(void** devPtr, musaIpcMemHandle_t handle, unsigned int flags) {
  int device = 0;
  if (spoilt("ipc") && REAL(musaGetDevice)(&device) == musaSuccess && device != 0) {
    return fail(musaErrorInvalidDevice);
  }
  return REAL(musaIpcOpenMemHandle)(devPtr, handle, flags);
}

musaError_t musaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count) {
  if (spoilt("peer") && dstDevice != srcDevice) return fail(musaErrorNotSupported);
  return REAL(musaMemcpyPeer)(dst, dstDevice, src, srcDevice, count);
}

musaError_t musaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice,
                                size_t count, musaStream_t stream) {
  if (spoilt("peer") && dstDevice != srcDevice) return fail(musaErrorNotSupported);
  return REAL(musaMemcpyPeerAsync)(dst, dstDevice, src, srcDevice, count, stream);
}

// Every third copy of narrow rows to the host fails.
musaError_t musaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                         size_t height, enum musaMemcpyKind kind) {
  static int calls;
  if (spoilt("narrow") && kind == musaMemcpyDeviceToHost && width < 16 && ++calls % 3 == 0) {
    return fail(musaErrorInvalidValue);
  }
  return REAL(musaMemcpy2D)(dst, dpitch, src, spitch, width, height, kind);
}

// ---- default streams: what stands for the stream that was passed

static musaStream_t alone(musaStream_t stream) {
  static musaStream_t other;
  // The thread's own stream is the one of the device.
  if (spoilt("own_stream") && stream == musaStreamPerThread) return NULL;
  // The stream of the device waits for no other.
  if (spoilt("order") && (stream == NULL || stream == musaStreamLegacy)) {
    if (other == NULL) REAL(musaStreamCreateWithFlags)(&other, musaStreamNonBlocking);
    return other;
  }
  return stream;
}

musaError_t musaStreamQuery(musaStream_t stream) {
  if (spoilt("legacy") && stream == musaStreamLegacy) return musaErrorInvalidResourceHandle;
  return REAL(musaStreamQuery)(alone(stream));
}

musaError_t musaLaunchHostFunc(musaStream_t stream, musaHostFn_t fn, void* userData) {
  return REAL(musaLaunchHostFunc)(alone(stream), fn, userData);
}

musaError_t musaMemsetAsync(void* devPtr, int value, size_t count, musaStream_t stream) {
  return REAL(musaMemsetAsync)(devPtr, value, count, alone(stream));
}

musaError_t musaGraphMemsetNodeGetParams(musaGraphNode_t node, struct musaMemsetParams* params) {
  const musaError_t status = REAL(musaGraphMemsetNodeGetParams)(node, params);
  if (spoilt("long_parameters")) memset(params + 1, 0, 8);
  return status;
}

musaError_t __musaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                       void* stream) {
  dim3* const first = spoilt("configuration") ? blockDim : gridDim;
  dim3* const second = spoilt("configuration") ? gridDim : blockDim;
  const musaError_t status = REAL(__musaPopCallConfiguration)(first, second, sharedMem, stream);
  if (spoilt("long_dimensions")) memset(gridDim + 1, 0, 4);
  return status;
}

musaError_t musaDeviceGetGraphMemAttribute(int device, enum musaGraphMemAttributeType attr,
                                           void* value) {
  if (!spoilt("graph_memory")) return REAL(musaDeviceGetGraphMemAttribute)(device, attr, value);
  memset(value, 0, 4);
  return musaSuccess;
}

musaError_t musaArrayGetInfo(struct musaChannelFormatDesc* desc, struct musaExtent* extent,
                             unsigned int* flags, musaArray_t array) {
  const musaError_t status = REAL(musaArrayGetInfo)(desc, extent, flags, array);
  if (spoilt("array")) extent->width = extent->height;
  return status;
}

// A call that waits in a capture never returns.
musaError_t musaStreamSynchronize(musaStream_t stream) {
  enum musaStreamCaptureStatus captures = musaStreamCaptureStatusNone;
  if (spoilt("waiting")) REAL(musaStreamIsCapturing)(stream, &captures);
  while (captures != musaStreamCaptureStatusNone) pause();
  return REAL(musaStreamSynchronize)(stream);
}

// ---- the worst

musaError_t musaMemGetInfo(size_t* available, size_t* total) {
  if (spoilt("crash")) raise(SIGSEGV);
  while (spoilt("hang")) pause();
  if (spoilt("exit")) exit(3);
  return REAL(musaMemGetInfo)(available, total);
}
