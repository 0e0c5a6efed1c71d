// The MUSA runtime C API that the CPU implementation provides.
//
// Names: MooreThreads/kineto:libkineto/src/mupti_strings.cpp; callers in MooreThreads/torch_musa,
// onnxruntime-musa, paddle_musa, gpu-compute-driver-bench, kvcache-ai/Mooncake, flagos-ai/FlagCX.
// Prototypes: callers and wrappers in those repositories; musaStreamGetCaptureInfo_v2 with six
// arguments and musaStreamBeginCapture's mode from the manual (docs.mthreads.com, MUSA
// Graphs, 5.x); musaIpcOpenMemHandle by value from
// sgl-project/sglang:python/sglang/srt/distributed/device_communicators/cuda_wrapper.py and
// musaLaunchKernel with dim3 by value from tile-ai/tilelang-musa:src/backend/musa/stubs/musart.cc.
// Assumed: the rest of the prototypes, as in the 12.x-generation API of the same shape;
// C++ default arguments likewise.
#pragma once

#include <stddef.h>

#include "driver_types.h"
#include "internal/sdk.h"
#include "library_types.h"
#include "vector_types.h"

#if defined(__GNUC__)
#define MUSARTAPI __attribute__((visibility("default")))
#else
#define MUSARTAPI
#endif

#if defined(__cplusplus)
#define MUSART_DEFAULT(value) = value
extern "C" {
#else
#define MUSART_DEFAULT(value)
#endif

// Errors.
MUSARTAPI musaError_t musaGetLastError(void);
MUSARTAPI musaError_t musaPeekAtLastError(void);
MUSARTAPI const char* musaGetErrorName(musaError_t error);
MUSARTAPI const char* musaGetErrorString(musaError_t error);

// Versions.
MUSARTAPI musaError_t musaRuntimeGetVersion(int* runtimeVersion);
MUSARTAPI musaError_t musaDriverGetVersion(int* driverVersion);

// Devices.
MUSARTAPI musaError_t musaGetDeviceCount(int* count);
MUSARTAPI musaError_t musaGetDevice(int* device);
MUSARTAPI musaError_t musaSetDevice(int device);
MUSARTAPI musaError_t musaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
MUSARTAPI musaError_t musaDeviceGetAttribute(int* value, enum musaDeviceAttr attr, int device);
MUSARTAPI musaError_t musaGetDeviceProperties(struct musaDeviceProp* prop, int device);
MUSARTAPI musaError_t musaGetDeviceProperties_v2(struct musaDeviceProp* prop, int device);
// Objects of mcc 4.3.1 and 4.3.5 (InfiniTensor/Learning-CUDA:tester/tester_moore.o) import the
// second. Assumed: the first keeps the shorter struct of SDKs before 4.3.
#if MUSA_GETS_PROPERTIES_BY_V2
#define musaGetDeviceProperties musaGetDeviceProperties_v2
#endif
MUSARTAPI musaError_t musaSetValidDevices(int* devices, int len);
MUSARTAPI musaError_t musaDeviceSynchronize(void);
MUSARTAPI musaError_t musaDeviceReset(void);
MUSARTAPI musaError_t musaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority);
MUSARTAPI musaError_t musaDeviceGetLimit(size_t* value, enum musaLimit limit);
MUSARTAPI musaError_t musaDeviceSetLimit(enum musaLimit limit, size_t value);
MUSARTAPI musaError_t musaDeviceGetCacheConfig(enum musaFuncCache* cacheConfig);
MUSARTAPI musaError_t musaDeviceSetCacheConfig(enum musaFuncCache cacheConfig);
MUSARTAPI musaError_t musaDeviceGetSharedMemConfig(enum musaSharedMemConfig* config);
MUSARTAPI musaError_t musaDeviceSetSharedMemConfig(enum musaSharedMemConfig config);
MUSARTAPI musaError_t musaGetDeviceFlags(unsigned int* flags);
MUSARTAPI musaError_t musaSetDeviceFlags(unsigned int flags);
MUSARTAPI musaError_t musaDeviceGetPCIBusId(char* pciBusId, int len, int device);
MUSARTAPI musaError_t musaDeviceGetByPCIBusId(int* device, const char* pciBusId);
MUSARTAPI musaError_t musaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice);
MUSARTAPI musaError_t musaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);
MUSARTAPI musaError_t musaDeviceDisablePeerAccess(int peerDevice);
MUSARTAPI musaError_t musaDeviceGetP2PAttribute(int* value, enum musaDeviceP2PAttr attr,
                                                int srcDevice, int dstDevice);

MUSARTAPI musaError_t musaDeviceGetTexture1DLinearMaxWidth(
    size_t* maxWidthInElements, const struct musaChannelFormatDesc* fmtDesc, int device);
MUSARTAPI musaError_t musaDeviceFlushGPUDirectRDMAWrites(
    enum musaFlushGPUDirectRDMAWritesTarget target, enum musaFlushGPUDirectRDMAWritesScope scope);
MUSARTAPI musaError_t musaDeviceRegisterAsyncNotification(int device,
                                                          musaAsyncCallback callbackFunc,
                                                          void* userData,
                                                          musaAsyncCallbackHandle_t* callback);
MUSARTAPI musaError_t musaDeviceUnregisterAsyncNotification(int device,
                                                            musaAsyncCallbackHandle_t callback);
MUSARTAPI musaError_t musaCtxResetPersistingL2Cache(void);
MUSARTAPI musaError_t musaProfilerStart(void);
MUSARTAPI musaError_t musaProfilerStop(void);

// Memory.
MUSARTAPI musaError_t musaMalloc(void** devPtr, size_t size);
MUSARTAPI musaError_t musaFree(void* devPtr);
MUSARTAPI musaError_t musaMallocHost(void** ptr, size_t size);
MUSARTAPI musaError_t musaHostAlloc(void** pHost, size_t size, unsigned int flags);
MUSARTAPI musaError_t musaFreeHost(void* ptr);
MUSARTAPI musaError_t musaHostRegister(void* ptr, size_t size, unsigned int flags);
MUSARTAPI musaError_t musaHostUnregister(void* ptr);
MUSARTAPI musaError_t musaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags);
MUSARTAPI musaError_t musaHostGetFlags(unsigned int* pFlags, void* pHost);
MUSARTAPI musaError_t musaMallocManaged(void** devPtr, size_t size,
                                        unsigned int flags MUSART_DEFAULT(musaMemAttachGlobal));
MUSARTAPI musaError_t musaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height);
MUSARTAPI musaError_t musaMalloc3D(struct musaPitchedPtr* pitchedDevPtr, struct musaExtent extent);
MUSARTAPI musaError_t musaMemGetInfo(size_t* free, size_t* total);
MUSARTAPI musaError_t musaPointerGetAttributes(struct musaPointerAttributes* attributes,
                                               const void* ptr);
MUSARTAPI musaError_t musaMemPrefetchAsync(const void* devPtr, size_t count, int dstDevice,
                                           musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMemAdvise(const void* devPtr, size_t count, enum musaMemoryAdvise advice,
                                    int device);
MUSARTAPI musaError_t musaMemRangeGetAttribute(void* data, size_t dataSize,
                                               enum musaMemRangeAttribute attribute,
                                               const void* devPtr, size_t count);

MUSARTAPI musaError_t musaMemPrefetchAsync_v2(const void* devPtr, size_t count,
                                              struct musaMemLocation location, unsigned int flags,
                                              musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMemAdvise_v2(const void* devPtr, size_t count,
                                       enum musaMemoryAdvise advice,
                                       struct musaMemLocation location);
MUSARTAPI musaError_t musaMemRangeGetAttributes(void** data, size_t* dataSizes,
                                                enum musaMemRangeAttribute* attributes,
                                                size_t numAttributes, const void* devPtr,
                                                size_t count);

// Arrays.
MUSARTAPI struct musaChannelFormatDesc musaCreateChannelDesc(int x, int y, int z, int w,
                                                             enum musaChannelFormatKind f);
MUSARTAPI musaError_t musaMallocArray(musaArray_t* array, const struct musaChannelFormatDesc* desc,
                                      size_t width, size_t height MUSART_DEFAULT(0),
                                      unsigned int flags MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMalloc3DArray(musaArray_t* array,
                                        const struct musaChannelFormatDesc* desc,
                                        struct musaExtent extent,
                                        unsigned int flags MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaFreeArray(musaArray_t array);
MUSARTAPI musaError_t musaMallocMipmappedArray(musaMipmappedArray_t* mipmappedArray,
                                               const struct musaChannelFormatDesc* desc,
                                               struct musaExtent extent, unsigned int numLevels,
                                               unsigned int flags MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaGetMipmappedArrayLevel(musaArray_t* levelArray,
                                                 musaMipmappedArray_const_t mipmappedArray,
                                                 unsigned int level);
MUSARTAPI musaError_t musaFreeMipmappedArray(musaMipmappedArray_t mipmappedArray);
MUSARTAPI musaError_t musaArrayGetInfo(struct musaChannelFormatDesc* desc,
                                       struct musaExtent* extent, unsigned int* flags,
                                       musaArray_t array);
MUSARTAPI musaError_t musaGetChannelDesc(struct musaChannelFormatDesc* desc,
                                         musaArray_const_t array);
MUSARTAPI musaError_t musaArrayGetPlane(musaArray_t* pPlaneArray, musaArray_t hArray,
                                        unsigned int planeIdx);
MUSARTAPI musaError_t musaArrayGetMemoryRequirements(
    struct musaArrayMemoryRequirements* memoryRequirements, musaArray_t array, int device);
MUSARTAPI musaError_t
musaMipmappedArrayGetMemoryRequirements(struct musaArrayMemoryRequirements* memoryRequirements,
                                        musaMipmappedArray_t mipmap, int device);
MUSARTAPI musaError_t
musaArrayGetSparseProperties(struct musaArraySparseProperties* sparseProperties, musaArray_t array);
MUSARTAPI musaError_t musaMipmappedArrayGetSparseProperties(
    struct musaArraySparseProperties* sparseProperties, musaMipmappedArray_t mipmap);

// Texture objects.
MUSARTAPI musaError_t musaCreateTextureObject(musaTextureObject_t* pTexObject,
                                              const struct musaResourceDesc* pResDesc,
                                              const struct musaTextureDesc* pTexDesc,
                                              const struct musaResourceViewDesc* pResViewDesc);
MUSARTAPI musaError_t musaDestroyTextureObject(musaTextureObject_t texObject);
MUSARTAPI musaError_t musaGetTextureObjectResourceDesc(struct musaResourceDesc* pResDesc,
                                                       musaTextureObject_t texObject);
MUSARTAPI musaError_t musaGetTextureObjectTextureDesc(struct musaTextureDesc* pTexDesc,
                                                      musaTextureObject_t texObject);
MUSARTAPI musaError_t musaGetTextureObjectResourceViewDesc(
    struct musaResourceViewDesc* pResViewDesc, musaTextureObject_t texObject);

// Surface objects.
MUSARTAPI musaError_t musaCreateSurfaceObject(musaSurfaceObject_t* pSurfObject,
                                              const struct musaResourceDesc* pResDesc);
MUSARTAPI musaError_t musaDestroySurfaceObject(musaSurfaceObject_t surfObject);
MUSARTAPI musaError_t musaGetSurfaceObjectResourceDesc(struct musaResourceDesc* pResDesc,
                                                       musaSurfaceObject_t surfObject);

// Stream-ordered memory.
MUSARTAPI musaError_t musaMallocAsync(void** devPtr, size_t size, musaStream_t hStream);
MUSARTAPI musaError_t musaFreeAsync(void* devPtr, musaStream_t hStream);
MUSARTAPI musaError_t musaMallocFromPoolAsync(void** ptr, size_t size, musaMemPool_t memPool,
                                              musaStream_t stream);
MUSARTAPI musaError_t musaDeviceGetDefaultMemPool(musaMemPool_t* memPool, int device);
MUSARTAPI musaError_t musaDeviceGetMemPool(musaMemPool_t* memPool, int device);
MUSARTAPI musaError_t musaDeviceSetMemPool(int device, musaMemPool_t memPool);
MUSARTAPI musaError_t musaMemPoolCreate(musaMemPool_t* memPool,
                                        const struct musaMemPoolProps* poolProps);
MUSARTAPI musaError_t musaMemPoolDestroy(musaMemPool_t memPool);
MUSARTAPI musaError_t musaMemPoolTrimTo(musaMemPool_t memPool, size_t minBytesToKeep);
MUSARTAPI musaError_t musaMemPoolGetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr,
                                              void* value);
MUSARTAPI musaError_t musaMemPoolSetAttribute(musaMemPool_t memPool, enum musaMemPoolAttr attr,
                                              void* value);
MUSARTAPI musaError_t musaMemPoolGetAccess(enum musaMemAccessFlags* flags, musaMemPool_t memPool,
                                           struct musaMemLocation* location);
MUSARTAPI musaError_t musaMemPoolSetAccess(musaMemPool_t memPool,
                                           const struct musaMemAccessDesc* descList, size_t count);
MUSARTAPI musaError_t
musaMemPoolExportToShareableHandle(void* shareableHandle, musaMemPool_t memPool,
                                   enum musaMemAllocationHandleType handleType, unsigned int flags);
MUSARTAPI musaError_t musaMemPoolImportFromShareableHandle(
    musaMemPool_t* memPool, void* shareableHandle, enum musaMemAllocationHandleType handleType,
    unsigned int flags);
MUSARTAPI musaError_t musaMemPoolExportPointer(struct musaMemPoolPtrExportData* exportData,
                                               void* ptr);
MUSARTAPI musaError_t musaMemPoolImportPointer(void** ptr, musaMemPool_t memPool,
                                               struct musaMemPoolPtrExportData* exportData);

// Copies.
MUSARTAPI musaError_t musaMemcpy(void* dst, const void* src, size_t count,
                                 enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemcpyAsync(void* dst, const void* src, size_t count,
                                      enum musaMemcpyKind kind,
                                      musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch,
                                   size_t width, size_t height, enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch,
                                        size_t width, size_t height, enum musaMemcpyKind kind,
                                        musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMemcpy3D(const struct musaMemcpy3DParms* p);
MUSARTAPI musaError_t musaMemcpy3DAsync(const struct musaMemcpy3DParms* p,
                                        musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice,
                                     size_t count);
MUSARTAPI musaError_t musaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice,
                                          size_t count, musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMemcpy3DPeer(const struct musaMemcpy3DPeerParms* p);
MUSARTAPI musaError_t musaMemcpy3DPeerAsync(const struct musaMemcpy3DPeerParms* p,
                                            musaStream_t stream MUSART_DEFAULT(0));

MUSARTAPI musaError_t musaMemcpy2DToArray(musaArray_t dst, size_t wOffset, size_t hOffset,
                                          const void* src, size_t spitch, size_t width,
                                          size_t height, enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemcpy2DToArrayAsync(musaArray_t dst, size_t wOffset, size_t hOffset,
                                               const void* src, size_t spitch, size_t width,
                                               size_t height, enum musaMemcpyKind kind,
                                               musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMemcpy2DFromArray(void* dst, size_t dpitch, musaArray_const_t src,
                                            size_t wOffset, size_t hOffset, size_t width,
                                            size_t height, enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, musaArray_const_t src,
                                                 size_t wOffset, size_t hOffset, size_t width,
                                                 size_t height, enum musaMemcpyKind kind,
                                                 musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMemcpy2DArrayToArray(
    musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, musaArray_const_t src, size_t wOffsetSrc,
    size_t hOffsetSrc, size_t width, size_t height,
    enum musaMemcpyKind kind MUSART_DEFAULT(musaMemcpyDeviceToDevice));
MUSARTAPI musaError_t musaMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes, size_t count,
                                           struct musaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                           size_t numAttrs, size_t* failIdx, musaStream_t stream);
MUSARTAPI musaError_t musaMemcpy3DBatchAsync(size_t numOps, struct musaMemcpy3DBatchOp* opList,
                                             size_t* failIdx, unsigned long long flags,
                                             musaStream_t stream);

// Variables of device code.
MUSARTAPI musaError_t musaGetSymbolAddress(void** devPtr, const void* symbol);
MUSARTAPI musaError_t musaGetSymbolSize(size_t* size, const void* symbol);
MUSARTAPI musaError_t musaMemcpyToSymbol(
    const void* symbol, const void* src, size_t count, size_t offset MUSART_DEFAULT(0),
    enum musaMemcpyKind kind MUSART_DEFAULT(musaMemcpyHostToDevice));
MUSARTAPI musaError_t musaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count,
                                              size_t offset, enum musaMemcpyKind kind,
                                              musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t
musaMemcpyFromSymbol(void* dst, const void* symbol, size_t count, size_t offset MUSART_DEFAULT(0),
                     enum musaMemcpyKind kind MUSART_DEFAULT(musaMemcpyDeviceToHost));
MUSARTAPI musaError_t musaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count,
                                                size_t offset, enum musaMemcpyKind kind,
                                                musaStream_t stream MUSART_DEFAULT(0));

// Fills.
MUSARTAPI musaError_t musaMemset(void* devPtr, int value, size_t count);
MUSARTAPI musaError_t musaMemsetAsync(void* devPtr, int value, size_t count,
                                      musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMemset2D(void* devPtr, size_t pitch, int value, size_t width,
                                   size_t height);
MUSARTAPI musaError_t musaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width,
                                        size_t height, musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaMemset3D(struct musaPitchedPtr pitchedDevPtr, int value,
                                   struct musaExtent extent);
MUSARTAPI musaError_t musaMemset3DAsync(struct musaPitchedPtr pitchedDevPtr, int value,
                                        struct musaExtent extent,
                                        musaStream_t stream MUSART_DEFAULT(0));

// Streams.
MUSARTAPI musaError_t musaStreamCreate(musaStream_t* pStream);
MUSARTAPI musaError_t musaStreamCreateWithFlags(musaStream_t* pStream, unsigned int flags);
MUSARTAPI musaError_t musaStreamCreateWithPriority(musaStream_t* pStream, unsigned int flags,
                                                   int priority);
MUSARTAPI musaError_t musaStreamDestroy(musaStream_t stream);
MUSARTAPI musaError_t musaStreamQuery(musaStream_t stream);
MUSARTAPI musaError_t musaStreamSynchronize(musaStream_t stream);
MUSARTAPI musaError_t musaStreamWaitEvent(musaStream_t stream, musaEvent_t event,
                                          unsigned int flags MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaStreamGetPriority(musaStream_t hStream, int* priority);
MUSARTAPI musaError_t musaStreamGetFlags(musaStream_t hStream, unsigned int* flags);
MUSARTAPI musaError_t musaStreamGetId(musaStream_t hStream, unsigned long long* streamId);
MUSARTAPI musaError_t musaStreamGetDevice(musaStream_t hStream, int* device);
MUSARTAPI musaError_t musaStreamGetAttribute(musaStream_t hStream, musaLaunchAttributeID attr,
                                             musaLaunchAttributeValue* value_out);
MUSARTAPI musaError_t musaStreamSetAttribute(musaStream_t hStream, musaLaunchAttributeID attr,
                                             const musaLaunchAttributeValue* value);
MUSARTAPI musaError_t musaStreamCopyAttributes(musaStream_t dst, musaStream_t src);
MUSARTAPI musaError_t musaStreamAddCallback(musaStream_t stream, musaStreamCallback_t callback,
                                            void* userData, unsigned int flags);
MUSARTAPI musaError_t musaLaunchHostFunc(musaStream_t stream, musaHostFn_t fn, void* userData);
MUSARTAPI musaError_t
musaStreamAttachMemAsync(musaStream_t stream, void* devPtr, size_t length MUSART_DEFAULT(0),
                         unsigned int flags MUSART_DEFAULT(musaMemAttachSingle));
MUSARTAPI musaError_t musaStreamIsCapturing(musaStream_t stream,
                                            enum musaStreamCaptureStatus* pCaptureStatus);
MUSARTAPI musaError_t musaThreadExchangeStreamCaptureMode(enum musaStreamCaptureMode* mode);
MUSARTAPI musaError_t musaStreamGetCaptureInfo_v2(
    musaStream_t stream, enum musaStreamCaptureStatus* captureStatus_out,
    unsigned long long* id_out MUSART_DEFAULT(0), musaGraph_t* graph_out MUSART_DEFAULT(0),
    const musaGraphNode_t** dependencies_out MUSART_DEFAULT(0),
    size_t* numDependencies_out MUSART_DEFAULT(0));

// Events.
MUSARTAPI musaError_t musaEventCreate(musaEvent_t* event);
MUSARTAPI musaError_t musaEventCreateWithFlags(musaEvent_t* event, unsigned int flags);
MUSARTAPI musaError_t musaEventDestroy(musaEvent_t event);
MUSARTAPI musaError_t musaEventRecord(musaEvent_t event, musaStream_t stream MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaEventRecordWithFlags(musaEvent_t event,
                                               musaStream_t stream MUSART_DEFAULT(0),
                                               unsigned int flags MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaEventQuery(musaEvent_t event);
MUSARTAPI musaError_t musaEventSynchronize(musaEvent_t event);
MUSARTAPI musaError_t musaEventElapsedTime(float* ms, musaEvent_t start, musaEvent_t end);

MUSARTAPI musaError_t musaEventElapsedTime_v2(float* ms, musaEvent_t start, musaEvent_t end);

// Capture of streams into graphs.
MUSARTAPI musaError_t musaStreamBeginCapture(musaStream_t stream, enum musaStreamCaptureMode mode);
MUSARTAPI musaError_t musaStreamBeginCaptureToGraph(musaStream_t stream, musaGraph_t graph,
                                                    const musaGraphNode_t* dependencies,
                                                    const musaGraphEdgeData* dependencyData,
                                                    size_t numDependencies,
                                                    enum musaStreamCaptureMode mode);
MUSARTAPI musaError_t musaStreamEndCapture(musaStream_t stream, musaGraph_t* pGraph);
MUSARTAPI musaError_t musaStreamGetCaptureInfo_v3(
    musaStream_t stream, enum musaStreamCaptureStatus* captureStatus_out,
    unsigned long long* id_out MUSART_DEFAULT(0), musaGraph_t* graph_out MUSART_DEFAULT(0),
    const musaGraphNode_t** dependencies_out MUSART_DEFAULT(0),
    const musaGraphEdgeData** edgeData_out MUSART_DEFAULT(0),
    size_t* numDependencies_out MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaStreamUpdateCaptureDependencies(musaStream_t stream,
                                                          musaGraphNode_t* dependencies,
                                                          size_t numDependencies,
                                                          unsigned int flags MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaStreamUpdateCaptureDependencies_v2(
    musaStream_t stream, musaGraphNode_t* dependencies, const musaGraphEdgeData* dependencyData,
    size_t numDependencies, unsigned int flags MUSART_DEFAULT(0));

// Graphs.
MUSARTAPI musaError_t musaDeviceGetGraphMemAttribute(int device,
                                                     enum musaGraphMemAttributeType attr,
                                                     void* value);
MUSARTAPI musaError_t musaDeviceGraphMemTrim(int device);
MUSARTAPI musaError_t musaDeviceSetGraphMemAttribute(int device,
                                                     enum musaGraphMemAttributeType attr,
                                                     void* value);
MUSARTAPI musaError_t musaGraphAddChildGraphNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                                 const musaGraphNode_t* pDependencies,
                                                 size_t numDependencies, musaGraph_t childGraph);
MUSARTAPI musaError_t musaGraphAddDependencies(musaGraph_t graph, const musaGraphNode_t* from,
                                               const musaGraphNode_t* to, size_t numDependencies);
MUSARTAPI musaError_t musaGraphAddDependencies_v2(musaGraph_t graph, const musaGraphNode_t* from,
                                                  const musaGraphNode_t* to,
                                                  const musaGraphEdgeData* edgeData,
                                                  size_t numDependencies);
MUSARTAPI musaError_t musaGraphAddEmptyNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                            const musaGraphNode_t* pDependencies,
                                            size_t numDependencies);
MUSARTAPI musaError_t musaGraphAddEventRecordNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                                  const musaGraphNode_t* pDependencies,
                                                  size_t numDependencies, musaEvent_t event);
MUSARTAPI musaError_t musaGraphAddEventWaitNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                                const musaGraphNode_t* pDependencies,
                                                size_t numDependencies, musaEvent_t event);
MUSARTAPI musaError_t musaGraphAddHostNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                           const musaGraphNode_t* pDependencies,
                                           size_t numDependencies,
                                           const struct musaHostNodeParams* pNodeParams);
MUSARTAPI musaError_t musaGraphAddKernelNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                             const musaGraphNode_t* pDependencies,
                                             size_t numDependencies,
                                             const struct musaKernelNodeParams* pNodeParams);
MUSARTAPI musaError_t musaGraphAddMemAllocNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                               const musaGraphNode_t* pDependencies,
                                               size_t numDependencies,
                                               struct musaMemAllocNodeParams* nodeParams);
MUSARTAPI musaError_t musaGraphAddMemFreeNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                              const musaGraphNode_t* pDependencies,
                                              size_t numDependencies, void* dptr);
MUSARTAPI musaError_t musaGraphAddMemcpyNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                             const musaGraphNode_t* pDependencies,
                                             size_t numDependencies,
                                             const struct musaMemcpy3DParms* pCopyParams);
MUSARTAPI musaError_t musaGraphAddMemcpyNode1D(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                               const musaGraphNode_t* pDependencies,
                                               size_t numDependencies, void* dst, const void* src,
                                               size_t count, enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaGraphAddMemsetNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                             const musaGraphNode_t* pDependencies,
                                             size_t numDependencies,
                                             const struct musaMemsetParams* pMemsetParams);
MUSARTAPI musaError_t musaGraphChildGraphNodeGetGraph(musaGraphNode_t node, musaGraph_t* pGraph);
MUSARTAPI musaError_t musaGraphClone(musaGraph_t* pGraphClone, musaGraph_t originalGraph);
MUSARTAPI musaError_t musaGraphCreate(musaGraph_t* pGraph, unsigned int flags);
MUSARTAPI musaError_t musaGraphDebugDotPrint(musaGraph_t graph, const char* path,
                                             unsigned int flags);
MUSARTAPI musaError_t musaGraphDestroy(musaGraph_t graph);
MUSARTAPI musaError_t musaGraphDestroyNode(musaGraphNode_t node);
MUSARTAPI musaError_t musaGraphEventRecordNodeGetEvent(musaGraphNode_t node,
                                                       musaEvent_t* event_out);
MUSARTAPI musaError_t musaGraphEventRecordNodeSetEvent(musaGraphNode_t node, musaEvent_t event);
MUSARTAPI musaError_t musaGraphEventWaitNodeGetEvent(musaGraphNode_t node, musaEvent_t* event_out);
MUSARTAPI musaError_t musaGraphEventWaitNodeSetEvent(musaGraphNode_t node, musaEvent_t event);
MUSARTAPI musaError_t musaGraphExecChildGraphNodeSetParams(musaGraphExec_t hGraphExec,
                                                           musaGraphNode_t node,
                                                           musaGraph_t childGraph);
MUSARTAPI musaError_t musaGraphExecDestroy(musaGraphExec_t graphExec);
MUSARTAPI musaError_t musaGraphExecEventRecordNodeSetEvent(musaGraphExec_t hGraphExec,
                                                           musaGraphNode_t hNode,
                                                           musaEvent_t event);
MUSARTAPI musaError_t musaGraphExecEventWaitNodeSetEvent(musaGraphExec_t hGraphExec,
                                                         musaGraphNode_t hNode, musaEvent_t event);
MUSARTAPI musaError_t musaGraphExecGetFlags(musaGraphExec_t graphExec, unsigned long long* flags);
MUSARTAPI musaError_t musaGraphExecHostNodeSetParams(musaGraphExec_t hGraphExec,
                                                     musaGraphNode_t node,
                                                     const struct musaHostNodeParams* pNodeParams);
MUSARTAPI musaError_t
musaGraphExecKernelNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                 const struct musaKernelNodeParams* pNodeParams);
MUSARTAPI musaError_t musaGraphExecMemcpyNodeSetParams(musaGraphExec_t hGraphExec,
                                                       musaGraphNode_t node,
                                                       const struct musaMemcpy3DParms* pNodeParams);
MUSARTAPI musaError_t musaGraphExecMemcpyNodeSetParams1D(musaGraphExec_t hGraphExec,
                                                         musaGraphNode_t node, void* dst,
                                                         const void* src, size_t count,
                                                         enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaGraphExecMemsetNodeSetParams(musaGraphExec_t hGraphExec,
                                                       musaGraphNode_t node,
                                                       const struct musaMemsetParams* pNodeParams);
MUSARTAPI musaError_t musaGraphGetEdges(musaGraph_t graph, musaGraphNode_t* from,
                                        musaGraphNode_t* to, size_t* numEdges);
MUSARTAPI musaError_t musaGraphGetEdges_v2(musaGraph_t graph, musaGraphNode_t* from,
                                           musaGraphNode_t* to, musaGraphEdgeData* edgeData,
                                           size_t* numEdges);
MUSARTAPI musaError_t musaGraphGetNodes(musaGraph_t graph, musaGraphNode_t* nodes,
                                        size_t* numNodes);
MUSARTAPI musaError_t musaGraphGetRootNodes(musaGraph_t graph, musaGraphNode_t* pRootNodes,
                                            size_t* pNumRootNodes);
MUSARTAPI musaError_t musaGraphHostNodeGetParams(musaGraphNode_t node,
                                                 struct musaHostNodeParams* pNodeParams);
MUSARTAPI musaError_t musaGraphHostNodeSetParams(musaGraphNode_t node,
                                                 const struct musaHostNodeParams* pNodeParams);
MUSARTAPI musaError_t musaGraphInstantiateWithFlags(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                                    unsigned long long flags MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaGraphInstantiateWithParams(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                                     musaGraphInstantiateParams* instantiateParams);
MUSARTAPI musaError_t musaGraphKernelNodeCopyAttributes(musaGraphNode_t hDst, musaGraphNode_t hSrc);
MUSARTAPI musaError_t musaGraphKernelNodeGetAttribute(musaGraphNode_t hNode,
                                                      musaLaunchAttributeID attr,
                                                      musaLaunchAttributeValue* value_out);
MUSARTAPI musaError_t musaGraphKernelNodeGetParams(musaGraphNode_t node,
                                                   struct musaKernelNodeParams* pNodeParams);
MUSARTAPI musaError_t musaGraphKernelNodeSetAttribute(musaGraphNode_t hNode,
                                                      musaLaunchAttributeID attr,
                                                      const musaLaunchAttributeValue* value);
MUSARTAPI musaError_t musaGraphKernelNodeSetParams(musaGraphNode_t node,
                                                   const struct musaKernelNodeParams* pNodeParams);
MUSARTAPI musaError_t musaGraphLaunch(musaGraphExec_t graphExec, musaStream_t stream);
MUSARTAPI musaError_t musaGraphMemAllocNodeGetParams(musaGraphNode_t node,
                                                     struct musaMemAllocNodeParams* params_out);
MUSARTAPI musaError_t musaGraphMemFreeNodeGetParams(musaGraphNode_t node, void* dptr_out);
MUSARTAPI musaError_t musaGraphMemcpyNodeGetParams(musaGraphNode_t node,
                                                   struct musaMemcpy3DParms* pNodeParams);
MUSARTAPI musaError_t musaGraphMemcpyNodeSetParams(musaGraphNode_t node,
                                                   const struct musaMemcpy3DParms* pNodeParams);
MUSARTAPI musaError_t musaGraphMemcpyNodeSetParams1D(musaGraphNode_t node, void* dst,
                                                     const void* src, size_t count,
                                                     enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaGraphMemsetNodeGetParams(musaGraphNode_t node,
                                                   struct musaMemsetParams* pNodeParams);
MUSARTAPI musaError_t musaGraphMemsetNodeSetParams(musaGraphNode_t node,
                                                   const struct musaMemsetParams* pNodeParams);
MUSARTAPI musaError_t musaGraphNodeFindInClone(musaGraphNode_t* pNode, musaGraphNode_t originalNode,
                                               musaGraph_t clonedGraph);
MUSARTAPI musaError_t musaGraphNodeGetDependencies(musaGraphNode_t node,
                                                   musaGraphNode_t* pDependencies,
                                                   size_t* pNumDependencies);
MUSARTAPI musaError_t musaGraphNodeGetDependencies_v2(musaGraphNode_t node,
                                                      musaGraphNode_t* pDependencies,
                                                      musaGraphEdgeData* edgeData,
                                                      size_t* pNumDependencies);
MUSARTAPI musaError_t musaGraphNodeGetDependentNodes(musaGraphNode_t node,
                                                     musaGraphNode_t* pDependentNodes,
                                                     size_t* pNumDependentNodes);
MUSARTAPI musaError_t musaGraphNodeGetDependentNodes_v2(musaGraphNode_t node,
                                                        musaGraphNode_t* pDependentNodes,
                                                        musaGraphEdgeData* edgeData,
                                                        size_t* pNumDependentNodes);
MUSARTAPI musaError_t musaGraphNodeGetEnabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
                                              unsigned int* isEnabled);
MUSARTAPI musaError_t musaGraphNodeGetType(musaGraphNode_t node, enum musaGraphNodeType* pType);
MUSARTAPI musaError_t musaGraphNodeSetEnabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
                                              unsigned int isEnabled);
MUSARTAPI musaError_t musaGraphReleaseUserObject(musaGraph_t graph, musaUserObject_t object,
                                                 unsigned int count MUSART_DEFAULT(1));
MUSARTAPI musaError_t musaGraphRemoveDependencies(musaGraph_t graph, const musaGraphNode_t* from,
                                                  const musaGraphNode_t* to,
                                                  size_t numDependencies);
MUSARTAPI musaError_t musaGraphRemoveDependencies_v2(musaGraph_t graph, const musaGraphNode_t* from,
                                                     const musaGraphNode_t* to,
                                                     const musaGraphEdgeData* edgeData,
                                                     size_t numDependencies);
MUSARTAPI musaError_t musaGraphRetainUserObject(musaGraph_t graph, musaUserObject_t object,
                                                unsigned int count MUSART_DEFAULT(1),
                                                unsigned int flags MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaGraphUpload(musaGraphExec_t graphExec, musaStream_t stream);
MUSARTAPI musaError_t musaUserObjectCreate(musaUserObject_t* object_out, void* ptr,
                                           musaHostFn_t destroy, unsigned int initialRefcount,
                                           unsigned int flags);
MUSARTAPI musaError_t musaUserObjectRelease(musaUserObject_t object,
                                            unsigned int count MUSART_DEFAULT(1));
MUSARTAPI musaError_t musaUserObjectRetain(musaUserObject_t object,
                                           unsigned int count MUSART_DEFAULT(1));
// Changed its arguments with SDK 5.0.
#if MUSA_TAKES_UPDATE_RESULTS
MUSARTAPI musaError_t musaGraphInstantiate(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                           unsigned long long flags MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaGraphExecUpdate(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
                                          musaGraphExecUpdateResultInfo* resultInfo);
#else
MUSARTAPI musaError_t musaGraphInstantiate(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                           musaGraphNode_t* pErrorNode, char* pLogBuffer,
                                           size_t bufferSize);
MUSARTAPI musaError_t musaGraphExecUpdate(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
                                          musaGraphNode_t* hErrorNode_out,
                                          enum musaGraphExecUpdateResult* updateResult_out);
#endif

// Sharing between processes.
MUSARTAPI musaError_t musaIpcGetMemHandle(musaIpcMemHandle_t* handle, void* devPtr);
MUSARTAPI musaError_t musaIpcOpenMemHandle(void** devPtr, musaIpcMemHandle_t handle,
                                           unsigned int flags);
MUSARTAPI musaError_t musaIpcCloseMemHandle(void* devPtr);
MUSARTAPI musaError_t musaIpcGetEventHandle(musaIpcEventHandle_t* handle, musaEvent_t event);
MUSARTAPI musaError_t musaIpcOpenEventHandle(musaEvent_t* event, musaIpcEventHandle_t handle);

// Kernels.
MUSARTAPI musaError_t musaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                       size_t sharedMem, musaStream_t stream);
MUSARTAPI musaError_t musaLaunchKernelExC(const musaLaunchConfig_t* config, const void* func,
                                          void** args);
MUSARTAPI musaError_t musaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim,
                                                  void** args, size_t sharedMem,
                                                  musaStream_t stream);
MUSARTAPI musaError_t musaLaunchCooperativeKernelMultiDevice(
    struct musaLaunchParams* launchParamsList, unsigned int numDevices,
    unsigned int flags MUSART_DEFAULT(0));
MUSARTAPI musaError_t musaFuncGetAttributes(struct musaFuncAttributes* attr, const void* func);
MUSARTAPI musaError_t musaFuncSetAttribute(const void* func, enum musaFuncAttribute attr,
                                           int value);
MUSARTAPI musaError_t musaFuncGetName(const char** name, const void* func);
MUSARTAPI musaError_t musaFuncGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset,
                                           size_t* paramSize);
MUSARTAPI musaError_t musaGetFuncBySymbol(musaFunction_t* functionPtr, const void* symbolPtr);
MUSARTAPI musaError_t musaGetKernel(musaKernel_t* kernelPtr, const void* entryFuncAddr);
MUSARTAPI musaError_t musaKernelSetAttributeForDevice(musaKernel_t kernel,
                                                      enum musaFuncAttribute attr, int value,
                                                      int device);
MUSARTAPI musaError_t musaFuncSetCacheConfig(const void* func, enum musaFuncCache cacheConfig);
MUSARTAPI musaError_t musaFuncSetSharedMemConfig(const void* func, enum musaSharedMemConfig config);
MUSARTAPI musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks,
                                                                    const void* func, int blockSize,
                                                                    size_t dynamicSMemSize);
MUSARTAPI musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* numBlocks, const void* func, int blockSize, size_t dynamicSMemSize, unsigned int flags);
MUSARTAPI musaError_t musaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize,
                                                                const void* func, int numBlocks,
                                                                int blockSize);
MUSARTAPI musaError_t musaOccupancyMaxPotentialClusterSize(int* clusterSize, const void* func,
                                                           const musaLaunchConfig_t* launchConfig);
MUSARTAPI musaError_t musaOccupancyMaxActiveClusters(int* numClusters, const void* func,
                                                     const musaLaunchConfig_t* launchConfig);

#if defined(__cplusplus)
}
#endif

#include "musa_per_thread_api.h"

#undef MUSART_DEFAULT
