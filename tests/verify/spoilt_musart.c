#include <musa_runtime_api.h>
#include <signal.h>
#include <unistd.h>

#include "tests/verify/spoilt.h"

// ---- numbers of enumerators

musaError_t musaDeviceGetAttribute(int* value, enum musaDeviceAttr attr, int device) {
  if (spoilt("attribute") && attr == musaDevAttrWarpSize) attr = musaDevAttrMultiProcessorCount;
  return REAL(musaDeviceGetAttribute)(value, attr, device);
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

musaError_t musaGetDeviceProperties(struct musaDeviceProp* prop, int device) {
  struct musaDeviceProp own;
  const musaError_t status = REAL(musaGetDeviceProperties)(&own, device);
  size_t size = sizeof own;
  if (spoilt("short_properties")) size -= 32;
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

// ---- the worst

musaError_t musaMemGetInfo(size_t* available, size_t* total) {
  if (spoilt("crash")) raise(SIGSEGV);
  while (spoilt("hang")) pause();
  if (spoilt("exit")) exit(3);
  return REAL(musaMemGetInfo)(available, total);
}
