// The MUSA driver C API that the CPU implementation provides.
//
// Source, tier decl: b1tg/tinygrad at 134e84a, tinygrad/runtime/autogen/musa.py, made from musa.h
// of SDK 3.1.0. Of newer SDKs, tier code: the names without _v2 (linux-rdma/perftest,
// tile-ai/tilelang-musa), muStreamBeginCaptureToGraph
// (wudi0717/xla:xla/stream_executor/musa/musa_command_buffer.cc), muPointerSetAttribute
// (flagos-ai/FlagCX:flagcx/adaptor/device/musa_adaptor.cc).
#pragma once

#include "musa_types/driver_device.h"
#include "musa_types/driver_structs.h"

#if defined(__GNUC__)
#define MUSAAPI __attribute__((visibility("default")))
#else
#define MUSAAPI
#endif

#if defined(__cplusplus)
extern "C" {
#endif

// Initialisation, errors, entry points.
MUSAAPI MUresult muInit(unsigned int Flags);
MUSAAPI MUresult muDriverGetVersion(int* driverVersion);
MUSAAPI MUresult muGetErrorName(MUresult error, const char** pStr);
MUSAAPI MUresult muGetErrorString(MUresult error, const char** pStr);
MUSAAPI MUresult muGetProcAddress(const char* symbol, void** pfn, int musaVersion,
                                  muuint64_t flags);

// Devices.
MUSAAPI MUresult muDeviceGet(MUdevice* device, int ordinal);
MUSAAPI MUresult muDeviceGetCount(int* count);
MUSAAPI MUresult muDeviceGetName(char* name, int len, MUdevice dev);
MUSAAPI MUresult muDeviceGetUuid_v2(MUuuid* uuid, MUdevice dev);
MUSAAPI MUresult muDeviceTotalMem_v2(size_t* bytes, MUdevice dev);
MUSAAPI MUresult muDeviceGetAttribute(int* pi, MUdevice_attribute attrib, MUdevice dev);
MUSAAPI MUresult muDeviceGetProperties(MUdevprop* prop, MUdevice dev);
MUSAAPI MUresult muDeviceComputeCapability(int* major, int* minor, MUdevice dev);
MUSAAPI MUresult muDeviceGetByPCIBusId(MUdevice* dev, const char* pciBusId);
MUSAAPI MUresult muDeviceGetPCIBusId(char* pciBusId, int len, MUdevice dev);
MUSAAPI MUresult muDeviceCanAccessPeer(int* canAccessPeer, MUdevice dev, MUdevice peerDev);
MUSAAPI MUresult muDeviceGetP2PAttribute(int* value, MUdevice_P2PAttribute attrib,
                                         MUdevice srcDevice, MUdevice dstDevice);

// Contexts.
MUSAAPI MUresult muDevicePrimaryCtxRetain(MUcontext* pctx, MUdevice dev);
MUSAAPI MUresult muDevicePrimaryCtxRelease_v2(MUdevice dev);
MUSAAPI MUresult muDevicePrimaryCtxSetFlags_v2(MUdevice dev, unsigned int flags);
MUSAAPI MUresult muDevicePrimaryCtxGetState(MUdevice dev, unsigned int* flags, int* active);
MUSAAPI MUresult muDevicePrimaryCtxReset_v2(MUdevice dev);
MUSAAPI MUresult muCtxCreate_v2(MUcontext* pctx, unsigned int flags, MUdevice dev);
MUSAAPI MUresult muCtxDestroy_v2(MUcontext ctx);
MUSAAPI MUresult muCtxPushCurrent_v2(MUcontext ctx);
MUSAAPI MUresult muCtxPopCurrent_v2(MUcontext* pctx);
MUSAAPI MUresult muCtxSetCurrent(MUcontext ctx);
MUSAAPI MUresult muCtxGetCurrent(MUcontext* pctx);
MUSAAPI MUresult muCtxGetDevice(MUdevice* device);
MUSAAPI MUresult muCtxGetFlags(unsigned int* flags);
MUSAAPI MUresult muCtxGetApiVersion(MUcontext ctx, unsigned int* version);
MUSAAPI MUresult muCtxSynchronize(void);
MUSAAPI MUresult muCtxSetLimit(MUlimit limit, size_t value);
MUSAAPI MUresult muCtxGetLimit(size_t* pvalue, MUlimit limit);
MUSAAPI MUresult muCtxGetCacheConfig(MUfunc_cache* pconfig);
MUSAAPI MUresult muCtxSetCacheConfig(MUfunc_cache config);
MUSAAPI MUresult muCtxGetSharedMemConfig(MUsharedconfig* pConfig);
MUSAAPI MUresult muCtxSetSharedMemConfig(MUsharedconfig config);
MUSAAPI MUresult muCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority);
MUSAAPI MUresult muCtxResetPersistingL2Cache(void);
MUSAAPI MUresult muCtxEnablePeerAccess(MUcontext peerContext, unsigned int Flags);
MUSAAPI MUresult muCtxDisablePeerAccess(MUcontext peerContext);

// Modules.
MUSAAPI MUresult muModuleLoad(MUmodule* module, const char* fname);
MUSAAPI MUresult muModuleLoadData(MUmodule* module, const void* image);
MUSAAPI MUresult muModuleLoadDataEx(MUmodule* module, const void* image, unsigned int numOptions,
                                    MUjit_option* options, void** optionValues);
MUSAAPI MUresult muModuleLoadFatBinary(MUmodule* module, const void* fatMubin);
MUSAAPI MUresult muModuleUnload(MUmodule hmod);
MUSAAPI MUresult muModuleGetFunction(MUfunction* hfunc, MUmodule hmod, const char* name);
MUSAAPI MUresult muModuleGetGlobal_v2(MUdeviceptr* dptr, size_t* bytes, MUmodule hmod,
                                      const char* name);
MUSAAPI MUresult muModuleGetTexRef(MUtexref* pTexRef, MUmodule hmod, const char* name);
MUSAAPI MUresult muModuleGetSurfRef(MUsurfref* pSurfRef, MUmodule hmod, const char* name);
MUSAAPI MUresult muFuncGetAttribute(int* pi, MUfunction_attribute attrib, MUfunction hfunc);
MUSAAPI MUresult muFuncSetAttribute(MUfunction hfunc, MUfunction_attribute attrib, int value);
MUSAAPI MUresult muFuncSetCacheConfig(MUfunction hfunc, MUfunc_cache config);
MUSAAPI MUresult muFuncSetSharedMemConfig(MUfunction hfunc, MUsharedconfig config);
MUSAAPI MUresult muFuncGetModule(MUmodule* hmod, MUfunction hfunc);
MUSAAPI MUresult muOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, MUfunction func,
                                                             int blockSize, size_t dynamicSMemSize);
MUSAAPI MUresult muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* numBlocks, MUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags);
MUSAAPI MUresult muOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, MUfunction func,
                                                  MUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                  size_t dynamicSMemSize, int blockSizeLimit);
MUSAAPI MUresult muOccupancyMaxPotentialBlockSizeWithFlags(
    int* minGridSize, int* blockSize, MUfunction func,
    MUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit,
    unsigned int flags);
MUSAAPI MUresult muLaunchKernelEx(const MUlaunchConfig* config, MUfunction f, void** kernelParams,
                                  void** extra);
MUSAAPI MUresult muLaunchKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                unsigned int gridDimZ, unsigned int blockDimX,
                                unsigned int blockDimY, unsigned int blockDimZ,
                                unsigned int sharedMemBytes, MUstream hStream, void** kernelParams,
                                void** extra);

// Memory.
MUSAAPI MUresult muMemGetInfo_v2(size_t* free, size_t* total);
MUSAAPI MUresult muMemAlloc_v2(MUdeviceptr* dptr, size_t bytesize);
MUSAAPI MUresult muMemAllocPitch_v2(MUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes,
                                    size_t Height, unsigned int ElementSizeBytes);
MUSAAPI MUresult muMemFree_v2(MUdeviceptr dptr);
MUSAAPI MUresult muMemGetAddressRange_v2(MUdeviceptr* pbase, size_t* psize, MUdeviceptr dptr);
MUSAAPI MUresult muMemAllocHost_v2(void** pp, size_t bytesize);
MUSAAPI MUresult muMemFreeHost(void* p);
MUSAAPI MUresult muMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags);
MUSAAPI MUresult muMemHostGetDevicePointer_v2(MUdeviceptr* pdptr, void* p, unsigned int Flags);
MUSAAPI MUresult muMemHostGetFlags(unsigned int* pFlags, void* p);
MUSAAPI MUresult muMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags);
MUSAAPI MUresult muMemHostUnregister(void* p);
MUSAAPI MUresult muMemAllocManaged(MUdeviceptr* dptr, size_t bytesize, unsigned int flags);
MUSAAPI MUresult muPointerGetAttribute(void* data, MUpointer_attribute attribute, MUdeviceptr ptr);
MUSAAPI MUresult muPointerGetAttributes(unsigned int numAttributes, MUpointer_attribute* attributes,
                                        void** data, MUdeviceptr ptr);
MUSAAPI MUresult muPointerSetAttribute(const void* value, MUpointer_attribute attribute,
                                       MUdeviceptr ptr);
MUSAAPI MUresult muMemAdvise(MUdeviceptr devPtr, size_t count, MUmem_advise advice,
                             MUdevice device);
MUSAAPI MUresult muMemRangeGetAttribute(void* data, size_t dataSize,
                                        MUmem_range_attribute attribute, MUdeviceptr devPtr,
                                        size_t count);
MUSAAPI MUresult muMemRangeGetAttributes(void** data, size_t* dataSizes,
                                         MUmem_range_attribute* attributes, size_t numAttributes,
                                         MUdeviceptr devPtr, size_t count);
MUSAAPI MUresult muIpcGetMemHandle(MUipcMemHandle* pHandle, MUdeviceptr dptr);
MUSAAPI MUresult muIpcOpenMemHandle_v2(MUdeviceptr* pdptr, MUipcMemHandle handle,
                                       unsigned int Flags);
MUSAAPI MUresult muIpcCloseMemHandle(MUdeviceptr dptr);
MUSAAPI MUresult muIpcGetEventHandle(MUipcEventHandle* pHandle, MUevent event);
MUSAAPI MUresult muIpcOpenEventHandle(MUevent* phEvent, MUipcEventHandle handle);

// Copies and fills.
MUSAAPI MUresult muMemcpy(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount);
MUSAAPI MUresult muMemcpyAsync(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount,
                               MUstream hStream);
// kvcache-ai/Mooncake:mooncake-transfer-engine/src/transport/musa_transport/musa_transport.cpp at
// 3b5a594
MUSAAPI MUresult muMemoryTransferBatchAsync(MUdeviceptr* dsts, MUdeviceptr* srcs, size_t* sizes,
                                            size_t count, MUmemcpyAttributes* attrs,
                                            size_t* attrsIdxs, size_t numAttrs, size_t* failIdx,
                                            MUstream hStream);
MUSAAPI MUresult muMemcpyPeer(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
                              MUcontext srcContext, size_t ByteCount);
MUSAAPI MUresult muMemcpyPeerAsync(MUdeviceptr dstDevice, MUcontext dstContext,
                                   MUdeviceptr srcDevice, MUcontext srcContext, size_t ByteCount,
                                   MUstream hStream);
MUSAAPI MUresult muMemcpyHtoD_v2(MUdeviceptr dstDevice, const void* srcHost, size_t ByteCount);
MUSAAPI MUresult muMemcpyDtoH_v2(void* dstHost, MUdeviceptr srcDevice, size_t ByteCount);
MUSAAPI MUresult muMemcpyDtoD_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount);
MUSAAPI MUresult muMemcpyHtoDAsync_v2(MUdeviceptr dstDevice, const void* srcHost, size_t ByteCount,
                                      MUstream hStream);
MUSAAPI MUresult muMemcpyDtoHAsync_v2(void* dstHost, MUdeviceptr srcDevice, size_t ByteCount,
                                      MUstream hStream);
MUSAAPI MUresult muMemcpyDtoDAsync_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice,
                                      size_t ByteCount, MUstream hStream);
MUSAAPI MUresult muMemcpyHtoA_v2(MUarray dstArray, size_t dstOffset, const void* srcHost,
                                 size_t ByteCount);
MUSAAPI MUresult muMemcpyAtoH_v2(void* dstHost, MUarray srcArray, size_t srcOffset,
                                 size_t ByteCount);
MUSAAPI MUresult muMemcpyHtoAAsync_v2(MUarray dstArray, size_t dstOffset, const void* srcHost,
                                      size_t ByteCount, MUstream hStream);
MUSAAPI MUresult muMemcpyAtoHAsync_v2(void* dstHost, MUarray srcArray, size_t srcOffset,
                                      size_t ByteCount, MUstream hStream);
MUSAAPI MUresult muMemcpy2D_v2(const MUSA_MEMCPY2D* pCopy);
MUSAAPI MUresult muMemcpy2DAsync_v2(const MUSA_MEMCPY2D* pCopy, MUstream hStream);
MUSAAPI MUresult muMemcpy3D_v2(const MUSA_MEMCPY3D* pCopy);
MUSAAPI MUresult muMemcpy3DAsync_v2(const MUSA_MEMCPY3D* pCopy, MUstream hStream);
MUSAAPI MUresult muMemsetD8_v2(MUdeviceptr dstDevice, unsigned char uc, size_t N);
MUSAAPI MUresult muMemsetD16_v2(MUdeviceptr dstDevice, unsigned short us, size_t N);
MUSAAPI MUresult muMemsetD32_v2(MUdeviceptr dstDevice, unsigned int ui, size_t N);
MUSAAPI MUresult muMemsetD2D8_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                 size_t Width, size_t Height);
MUSAAPI MUresult muMemsetD2D16_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                  size_t Width, size_t Height);
MUSAAPI MUresult muMemsetD2D32_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                  size_t Width, size_t Height);
MUSAAPI MUresult muMemsetD8Async(MUdeviceptr dstDevice, unsigned char uc, size_t N,
                                 MUstream hStream);
MUSAAPI MUresult muMemsetD16Async(MUdeviceptr dstDevice, unsigned short us, size_t N,
                                  MUstream hStream);
MUSAAPI MUresult muMemsetD32Async(MUdeviceptr dstDevice, unsigned int ui, size_t N,
                                  MUstream hStream);
MUSAAPI MUresult muMemsetD2D8Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                   size_t Width, size_t Height, MUstream hStream);
MUSAAPI MUresult muMemsetD2D16Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                    size_t Width, size_t Height, MUstream hStream);
MUSAAPI MUresult muMemsetD2D32Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                    size_t Width, size_t Height, MUstream hStream);

// Arrays.
MUSAAPI MUresult muArrayCreate_v2(MUarray* pHandle, const MUSA_ARRAY_DESCRIPTOR* pAllocateArray);
MUSAAPI MUresult muArrayGetDescriptor_v2(MUSA_ARRAY_DESCRIPTOR* pArrayDescriptor, MUarray hArray);
MUSAAPI MUresult muArray3DCreate_v2(MUarray* pHandle,
                                    const MUSA_ARRAY3D_DESCRIPTOR* pAllocateArray);
MUSAAPI MUresult muArray3DGetDescriptor_v2(MUSA_ARRAY3D_DESCRIPTOR* pArrayDescriptor,
                                           MUarray hArray);
MUSAAPI MUresult muArrayDestroy(MUarray hArray);
MUSAAPI MUresult muMipmappedArrayCreate(MUmipmappedArray* pHandle,
                                        const MUSA_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
                                        unsigned int numMipmapLevels);
MUSAAPI MUresult muMipmappedArrayGetLevel(MUarray* pLevelArray, MUmipmappedArray hMipmappedArray,
                                          unsigned int level);
MUSAAPI MUresult muMipmappedArrayDestroy(MUmipmappedArray hMipmappedArray);

// Texture and surface objects.
MUSAAPI MUresult muTexObjectCreate(MUtexObject* pTexObject, const MUSA_RESOURCE_DESC* pResDesc,
                                   const MUSA_TEXTURE_DESC* pTexDesc,
                                   const MUSA_RESOURCE_VIEW_DESC* pResViewDesc);
MUSAAPI MUresult muTexObjectDestroy(MUtexObject texObject);
MUSAAPI MUresult muTexObjectGetResourceDesc(MUSA_RESOURCE_DESC* pResDesc, MUtexObject texObject);
MUSAAPI MUresult muTexObjectGetTextureDesc(MUSA_TEXTURE_DESC* pTexDesc, MUtexObject texObject);
MUSAAPI MUresult muTexObjectGetResourceViewDesc(MUSA_RESOURCE_VIEW_DESC* pResViewDesc,
                                                MUtexObject texObject);
MUSAAPI MUresult muSurfObjectCreate(MUsurfObject* pSurfObject, const MUSA_RESOURCE_DESC* pResDesc);
MUSAAPI MUresult muSurfObjectDestroy(MUsurfObject surfObject);
MUSAAPI MUresult muSurfObjectGetResourceDesc(MUSA_RESOURCE_DESC* pResDesc, MUsurfObject surfObject);

// Virtual memory management.
MUSAAPI MUresult muMemAddressReserve(MUdeviceptr* ptr, size_t size, size_t alignment,
                                     MUdeviceptr addr, unsigned long long flags);
MUSAAPI MUresult muMemAddressFree(MUdeviceptr ptr, size_t size);
MUSAAPI MUresult muMemCreate(MUmemGenericAllocationHandle* handle, size_t size,
                             const MUmemAllocationProp* prop, unsigned long long flags);
MUSAAPI MUresult muMemRelease(MUmemGenericAllocationHandle handle);
MUSAAPI MUresult muMemMap(MUdeviceptr ptr, size_t size, size_t offset,
                          MUmemGenericAllocationHandle handle, unsigned long long flags);
MUSAAPI MUresult muMemUnmap(MUdeviceptr ptr, size_t size);
MUSAAPI MUresult muMemSetAccess(MUdeviceptr ptr, size_t size, const MUmemAccessDesc* desc,
                                size_t count);
MUSAAPI MUresult muMemGetAccess(unsigned long long* flags, const MUmemLocation* location,
                                MUdeviceptr ptr);
MUSAAPI MUresult muMemExportToShareableHandle(void* shareableHandle,
                                              MUmemGenericAllocationHandle handle,
                                              MUmemAllocationHandleType handleType,
                                              unsigned long long flags);
MUSAAPI MUresult muMemImportFromShareableHandle(MUmemGenericAllocationHandle* handle,
                                                void* osHandle,
                                                MUmemAllocationHandleType shHandleType);
MUSAAPI MUresult muMemGetAllocationGranularity(size_t* granularity, const MUmemAllocationProp* prop,
                                               MUmemAllocationGranularity_flags option);
MUSAAPI MUresult muMemGetAllocationPropertiesFromHandle(MUmemAllocationProp* prop,
                                                        MUmemGenericAllocationHandle handle);
MUSAAPI MUresult muMemRetainAllocationHandle(MUmemGenericAllocationHandle* handle, void* addr);

// Streams and events.
MUSAAPI MUresult muStreamCreate(MUstream* phStream, unsigned int Flags);
MUSAAPI MUresult muStreamCreateWithPriority(MUstream* phStream, unsigned int flags, int priority);
MUSAAPI MUresult muStreamDestroy_v2(MUstream hStream);
MUSAAPI MUresult muStreamGetPriority(MUstream hStream, int* priority);
MUSAAPI MUresult muStreamGetFlags(MUstream hStream, unsigned int* flags);
MUSAAPI MUresult muStreamGetCtx(MUstream hStream, MUcontext* pctx);
MUSAAPI MUresult muStreamWaitEvent(MUstream hStream, MUevent hEvent, unsigned int Flags);
MUSAAPI MUresult muStreamAddCallback(MUstream hStream, MUstreamCallback callback, void* userData,
                                     unsigned int flags);
MUSAAPI MUresult muStreamAttachMemAsync(MUstream hStream, MUdeviceptr dptr, size_t length,
                                        unsigned int flags);
// MooreThreads/torch_musa:torch_musa/csrc/distributed/symm_mem/MUSASymmetricMemoryOps.mu at d77e3ac
MUSAAPI MUresult muStreamWriteValue32(MUstream hStream, MUdeviceptr addr, muuint32_t value,
                                      unsigned int flags);
MUSAAPI MUresult muStreamQuery(MUstream hStream);
MUSAAPI MUresult muStreamSynchronize(MUstream hStream);
MUSAAPI MUresult muStreamCopyAttributes(MUstream dst, MUstream src);
MUSAAPI MUresult muStreamGetAttribute(MUstream hStream, MUstreamAttrID attr,
                                      MUstreamAttrValue* value_out);
MUSAAPI MUresult muStreamSetAttribute(MUstream hStream, MUstreamAttrID attr,
                                      const MUstreamAttrValue* value);
MUSAAPI MUresult muLaunchHostFunc(MUstream hStream, MUhostFn fn, void* userData);
MUSAAPI MUresult muEventCreate(MUevent* phEvent, unsigned int Flags);
MUSAAPI MUresult muEventRecord(MUevent hEvent, MUstream hStream);
MUSAAPI MUresult muEventRecordWithFlags(MUevent hEvent, MUstream hStream, unsigned int flags);
MUSAAPI MUresult muEventQuery(MUevent hEvent);
MUSAAPI MUresult muEventSynchronize(MUevent hEvent);
MUSAAPI MUresult muEventDestroy_v2(MUevent hEvent);
MUSAAPI MUresult muEventElapsedTime(float* pMilliseconds, MUevent hStart, MUevent hEnd);

// Capture and graphs.
MUSAAPI MUresult muStreamBeginCapture_v2(MUstream hStream, MUstreamCaptureMode mode);
MUSAAPI MUresult muStreamBeginCaptureToGraph(MUstream hStream, MUgraph hGraph,
                                             const MUgraphNode* dependencies,
                                             const MUgraphEdgeData* dependencyData,
                                             size_t numDependencies, MUstreamCaptureMode mode);
MUSAAPI MUresult muStreamEndCapture(MUstream hStream, MUgraph* phGraph);
MUSAAPI MUresult muGraphCreate(MUgraph* phGraph, unsigned int flags);
MUSAAPI MUresult muGraphDestroy(MUgraph hGraph);
MUSAAPI MUresult muGraphClone(MUgraph* phGraphClone, MUgraph originalGraph);
MUSAAPI MUresult muGraphNodeFindInClone(MUgraphNode* phNode, MUgraphNode hOriginalNode,
                                        MUgraph hClonedGraph);
MUSAAPI MUresult muGraphNodeGetType(MUgraphNode hNode, MUgraphNodeType* type);
MUSAAPI MUresult muGraphGetNodes(MUgraph hGraph, MUgraphNode* nodes, size_t* numNodes);
MUSAAPI MUresult muGraphGetRootNodes(MUgraph hGraph, MUgraphNode* rootNodes, size_t* numRootNodes);
MUSAAPI MUresult muGraphGetEdges(MUgraph hGraph, MUgraphNode* from, MUgraphNode* to,
                                 size_t* numEdges);
MUSAAPI MUresult muGraphNodeGetDependencies(MUgraphNode hNode, MUgraphNode* dependencies,
                                            size_t* numDependencies);
MUSAAPI MUresult muGraphNodeGetDependentNodes(MUgraphNode hNode, MUgraphNode* dependentNodes,
                                              size_t* numDependentNodes);
MUSAAPI MUresult muGraphAddDependencies(MUgraph hGraph, const MUgraphNode* from,
                                        const MUgraphNode* to, size_t numDependencies);
MUSAAPI MUresult muGraphDestroyNode(MUgraphNode hNode);
MUSAAPI MUresult muGraphAddKernelNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                      const MUgraphNode* dependencies, size_t numDependencies,
                                      const MUSA_KERNEL_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphKernelNodeGetParams(MUgraphNode hNode, MUSA_KERNEL_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphKernelNodeSetParams(MUgraphNode hNode,
                                            const MUSA_KERNEL_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphAddMemcpyNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                      const MUgraphNode* dependencies, size_t numDependencies,
                                      const MUSA_MEMCPY3D* copyParams, MUcontext ctx);
MUSAAPI MUresult muGraphMemcpyNodeGetParams(MUgraphNode hNode, MUSA_MEMCPY3D* nodeParams);
MUSAAPI MUresult muGraphMemcpyNodeSetParams(MUgraphNode hNode, const MUSA_MEMCPY3D* nodeParams);
MUSAAPI MUresult muGraphAddMemsetNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                      const MUgraphNode* dependencies, size_t numDependencies,
                                      const MUSA_MEMSET_NODE_PARAMS* memsetParams, MUcontext ctx);
MUSAAPI MUresult muGraphMemsetNodeGetParams(MUgraphNode hNode, MUSA_MEMSET_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphMemsetNodeSetParams(MUgraphNode hNode,
                                            const MUSA_MEMSET_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphAddHostNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                    const MUgraphNode* dependencies, size_t numDependencies,
                                    const MUSA_HOST_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphHostNodeGetParams(MUgraphNode hNode, MUSA_HOST_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphHostNodeSetParams(MUgraphNode hNode,
                                          const MUSA_HOST_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphAddChildGraphNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                          const MUgraphNode* dependencies, size_t numDependencies,
                                          MUgraph childGraph);
MUSAAPI MUresult muGraphChildGraphNodeGetGraph(MUgraphNode hNode, MUgraph* phGraph);
MUSAAPI MUresult muGraphAddEmptyNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                     const MUgraphNode* dependencies, size_t numDependencies);
MUSAAPI MUresult muGraphAddEventRecordNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                           const MUgraphNode* dependencies, size_t numDependencies,
                                           MUevent event);
MUSAAPI MUresult muGraphEventRecordNodeGetEvent(MUgraphNode hNode, MUevent* event_out);
MUSAAPI MUresult muGraphEventRecordNodeSetEvent(MUgraphNode hNode, MUevent event);
MUSAAPI MUresult muGraphAddEventWaitNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                         const MUgraphNode* dependencies, size_t numDependencies,
                                         MUevent event);
MUSAAPI MUresult muGraphEventWaitNodeGetEvent(MUgraphNode hNode, MUevent* event_out);
MUSAAPI MUresult muGraphEventWaitNodeSetEvent(MUgraphNode hNode, MUevent event);
MUSAAPI MUresult muGraphAddMemAllocNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                        const MUgraphNode* dependencies, size_t numDependencies,
                                        MUSA_MEM_ALLOC_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphAddMemFreeNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                       const MUgraphNode* dependencies, size_t numDependencies,
                                       MUdeviceptr dptr);
MUSAAPI MUresult muDeviceGraphMemTrim(MUdevice device);
MUSAAPI MUresult muDeviceGetGraphMemAttribute(MUdevice device, MUgraphMem_attribute attr,
                                              void* value);
MUSAAPI MUresult muDeviceSetGraphMemAttribute(MUdevice device, MUgraphMem_attribute attr,
                                              void* value);
MUSAAPI MUresult muGraphInstantiate_v2(MUgraphExec* phGraphExec, MUgraph hGraph,
                                       MUgraphNode* phErrorNode, char* logBuffer,
                                       size_t bufferSize);
MUSAAPI MUresult muGraphLaunch(MUgraphExec hGraphExec, MUstream hStream);
MUSAAPI MUresult muGraphExecDestroy(MUgraphExec hGraphExec);
MUSAAPI MUresult muGraphExecUpdate(MUgraphExec hGraphExec, MUgraph hGraph,
                                   MUgraphNode* hErrorNode_out,
                                   MUgraphExecUpdateResult* updateResult_out);
MUSAAPI MUresult muGraphExecKernelNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                                const MUSA_KERNEL_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphExecMemcpyNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                                const MUSA_MEMCPY3D* copyParams, MUcontext ctx);
MUSAAPI MUresult muGraphExecMemsetNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                                const MUSA_MEMSET_NODE_PARAMS* memsetParams,
                                                MUcontext ctx);
MUSAAPI MUresult muGraphExecHostNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                              const MUSA_HOST_NODE_PARAMS* nodeParams);
MUSAAPI MUresult muGraphExecChildGraphNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                                    MUgraph childGraph);
MUSAAPI MUresult muGraphExecEventRecordNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode,
                                                    MUevent event);
MUSAAPI MUresult muGraphExecEventWaitNodeSetEvent(MUgraphExec hGraphExec, MUgraphNode hNode,
                                                  MUevent event);

#if defined(__cplusplus)
}
#endif
