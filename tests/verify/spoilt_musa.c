#include <musa.h>

#include "tests/verify/spoilt.h"

// Only calls of verify arrive here with faults; the real runtime calls the real driver.

static int started;

// A device with handles for other machines: as the tables say, or longer ones; or it only says so.
static int is_fabric(void) {
  return spoilt("fabric") || spoilt("long_fabric") || spoilt("no_fabric");
}

// ---- start, devices, contexts

MUresult muInit(unsigned int Flags) {
  started = 1;
  return REAL(muInit)(Flags);
}

MUresult muDeviceGetCount(int* count) {
  if (spoilt("early") && !started) return MUSA_ERROR_INVALID_VALUE;
  return REAL(muDeviceGetCount)(count);
}

MUresult muGetErrorName(MUresult error, const char** pStr) {
  if (spoilt("name") && error == MUSA_ERROR_NOT_FOUND) error = MUSA_ERROR_NOT_READY;
  return REAL(muGetErrorName)(error, pStr);
}

MUresult muGetProcAddress(const char* symbol, void** pfn, int musaVersion, muuint64_t flags) {
  if (spoilt("entry")) symbol = "muDriverGetVersion";
  return REAL(muGetProcAddress)(symbol, pfn, musaVersion, flags);
}

MUresult muDeviceGet(MUdevice* device, int ordinal) {
  const MUresult status = REAL(muDeviceGet)(device, ordinal);
  if (spoilt("ordinal")) *device += 1;
  return status;
}

MUresult muDeviceGetUuid_v2(MUuuid* uuid, MUdevice dev) {
  const MUresult status = REAL(muDeviceGetUuid_v2)(uuid, dev);
  if (spoilt("long_uuid")) memset(uuid + 1, 0, 8);
  return status;
}

MUresult muDeviceGetAttribute(int* pi, MUdevice_attribute attrib, MUdevice dev) {
  if (spoilt("attribute") && attrib == MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z) {
    attrib = MU_DEVICE_ATTRIBUTE_MAX_PITCH;
  }
  if (is_fabric() && attrib == MU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED) {
    *pi = 1;
    return MUSA_SUCCESS;
  }
  return REAL(muDeviceGetAttribute)(pi, attrib, dev);
}

MUresult muDeviceGetProperties(MUdevprop* prop, MUdevice dev) {
  const MUresult status = REAL(muDeviceGetProperties)(prop, dev);
  if (spoilt("property")) prop->SIMDWidth = prop->clockRate;
  return status;
}

MUresult muDevicePrimaryCtxSetFlags_v2(MUdevice dev, unsigned int flags) {
  return spoilt("primary_flags") ? MUSA_SUCCESS : REAL(muDevicePrimaryCtxSetFlags_v2)(dev, flags);
}

MUresult muCtxPushCurrent_v2(MUcontext ctx) {
  if (spoilt("push")) REAL(muCtxGetCurrent)(&ctx);
  return REAL(muCtxPushCurrent_v2)(ctx);
}

MUresult muCtxSetLimit(MUlimit limit, size_t value) {
  return spoilt("limit") ? MUSA_SUCCESS : REAL(muCtxSetLimit)(limit, value);
}

MUresult muCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  if (spoilt("priorities")) {
    return REAL(muCtxGetStreamPriorityRange)(greatestPriority, leastPriority);
  }
  return REAL(muCtxGetStreamPriorityRange)(leastPriority, greatestPriority);
}

MUresult muModuleLoadData(MUmodule* module, const void* image) {
  return spoilt("image") ? MUSA_SUCCESS : REAL(muModuleLoadData)(module, image);
}

MUresult muModuleLoad(MUmodule* module, const char* fname) {
  const MUresult status = REAL(muModuleLoad)(module, fname);
  return spoilt("file") && status == MUSA_ERROR_FILE_NOT_FOUND ? MUSA_ERROR_INVALID_IMAGE : status;
}

// ---- memory

MUresult muMemGetAddressRange_v2(MUdeviceptr* pbase, size_t* psize, MUdeviceptr dptr) {
  const MUresult status = REAL(muMemGetAddressRange_v2)(pbase, psize, dptr);
  if (spoilt("range")) *pbase = dptr;
  return status;
}

MUresult muMemcpyDtoD_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount) {
  if (spoilt("copy_arguments")) return REAL(muMemcpyDtoD_v2)(srcDevice, dstDevice, ByteCount);
  return REAL(muMemcpyDtoD_v2)(dstDevice, srcDevice, ByteCount);
}

MUresult muMemGetInfo_v2(size_t* available, size_t* total) {
  const MUresult status = REAL(muMemGetInfo_v2)(available, total);
  if (spoilt("info")) *total = 0;
  return status;
}

MUresult muMemcpyDtoDAsync_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount,
                              MUstream hStream) {
  if (spoilt("async")) ByteCount /= 2;
  return REAL(muMemcpyDtoDAsync_v2)(dstDevice, srcDevice, ByteCount, hStream);
}

// Behaves as if the order were (dstDevice, N, us).
MUresult muMemsetD16_v2(MUdeviceptr dstDevice, unsigned short us, size_t N) {
  if (spoilt("fill")) return REAL(muMemsetD16_v2)(dstDevice, (unsigned short)N, us & 15U);
  return REAL(muMemsetD16_v2)(dstDevice, us, N);
}

MUresult muMemsetD2D32Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                            size_t Height, MUstream hStream) {
  if (spoilt("fill_2d")) {
    return REAL(muMemsetD2D32Async)(dstDevice, dstPitch, ui, Height, Width, hStream);
  }
  return REAL(muMemsetD2D32Async)(dstDevice, dstPitch, ui, Width, Height, hStream);
}

MUresult muMemcpy2D_v2(const MUSA_MEMCPY2D* pCopy) {
  MUSA_MEMCPY2D copy = *pCopy;
  if (spoilt("copy_2d")) copy.dstXInBytes = 0;
  return REAL(muMemcpy2D_v2)(&copy);
}

MUresult muMemcpy3D_v2(const MUSA_MEMCPY3D* pCopy) {
  MUSA_MEMCPY3D copy = *pCopy;
  if (spoilt("copy_3d")) copy.Depth = 1;
  return REAL(muMemcpy3D_v2)(&copy);
}

MUresult muMemAllocPitch_v2(MUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height,
                            unsigned int ElementSizeBytes) {
  const MUresult status =
      REAL(muMemAllocPitch_v2)(dptr, pPitch, WidthInBytes, Height, ElementSizeBytes);
  if (spoilt("pitch")) *pPitch = Height;
  return status;
}

MUresult muMemHostGetFlags(unsigned int* pFlags, void* p) {
  const MUresult status = REAL(muMemHostGetFlags)(pFlags, p);
  if (spoilt("host_flags")) *pFlags = 0;
  return status;
}

MUresult muPointerGetAttribute(void* data, MUpointer_attribute attribute, MUdeviceptr ptr) {
  if (spoilt("pointer") && attribute == MU_POINTER_ATTRIBUTE_RANGE_SIZE) {
    attribute = MU_POINTER_ATTRIBUTE_BUFFER_ID;
  }
  if (spoilt("memory_type") && attribute == MU_POINTER_ATTRIBUTE_MEMORY_TYPE) {
    *(int*)data = 5;
    return MUSA_SUCCESS;
  }
  return REAL(muPointerGetAttribute)(data, attribute, ptr);
}

MUresult muMemAdvise(MUdeviceptr devPtr, size_t count, MUmem_advise advice, MUdevice device) {
  if (spoilt("advice") && advice == MU_MEM_ADVISE_SET_READ_MOSTLY) {
    advice = MU_MEM_ADVISE_SET_ACCESSED_BY;
  }
  return REAL(muMemAdvise)(devPtr, count, advice, device);
}

MUresult muArrayGetDescriptor_v2(MUSA_ARRAY_DESCRIPTOR* pArrayDescriptor, MUarray hArray) {
  const MUresult status = REAL(muArrayGetDescriptor_v2)(pArrayDescriptor, hArray);
  if (spoilt("array")) pArrayDescriptor->Width *= pArrayDescriptor->NumChannels;
  return status;
}

// ---- what processes share

MUresult muMemMap(MUdeviceptr ptr, size_t size, size_t offset, MUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  static MUmemGenericAllocationHandle first;
  if (first == 0) first = handle;
  if (spoilt("map")) handle = first;
  return REAL(muMemMap)(ptr, size, offset, handle, flags);
}

MUresult muMemCreate(MUmemGenericAllocationHandle* handle, size_t size,
                     const MUmemAllocationProp* prop, unsigned long long flags) {
  MUmemAllocationProp own = *prop;
  if (spoilt("fabric") || spoilt("long_fabric")) own.requestedHandleTypes = MU_MEM_HANDLE_TYPE_NONE;
  // It takes such memory, and says that it has none.
  if (spoilt("silent_fabric")) own.requestedHandleTypes = MU_MEM_HANDLE_TYPE_NONE;
  return REAL(muMemCreate)(handle, size, &own, flags);
}

MUresult muMemExportToShareableHandle(void* shareableHandle, MUmemGenericAllocationHandle handle,
                                      MUmemAllocationHandleType handleType,
                                      unsigned long long flags) {
  if (is_fabric() && handleType == MU_MEM_HANDLE_TYPE_FABRIC) {
    memset(shareableHandle, 1, spoilt("long_fabric") ? 136 : 128);
    return MUSA_SUCCESS;
  }
  const MUresult status =
      REAL(muMemExportToShareableHandle)(shareableHandle, handle, handleType, flags);
  if (spoilt("descriptor")) *(int*)shareableHandle = -1;
  return status;
}

MUresult muIpcGetMemHandle(MUipcMemHandle* pHandle, MUdeviceptr dptr) {
  const MUresult status = REAL(muIpcGetMemHandle)(pHandle, dptr);
  if (spoilt("long_memory_handle")) memset(pHandle + 1, 0, 8);
  return status;
}

MUresult muIpcOpenMemHandle_v2(MUdeviceptr* pdptr, MUipcMemHandle handle, unsigned int Flags) {
  const MUresult status = REAL(muIpcOpenMemHandle_v2)(pdptr, handle, Flags);
  if (spoilt("open_memory")) *pdptr += 16;
  return status;
}

MUresult muIpcGetEventHandle(MUipcEventHandle* pHandle, MUevent event) {
  const MUresult status = REAL(muIpcGetEventHandle)(pHandle, event);
  if (spoilt("long_event_handle")) memset(pHandle + 1, 0, 8);
  return status;
}

// ---- work

MUresult muStreamGetFlags(MUstream hStream, unsigned int* flags) {
  const MUresult status = REAL(muStreamGetFlags)(hStream, flags);
  if (spoilt("stream_flags")) *flags = 0;
  return status;
}

MUresult muStreamSetAttribute(MUstream hStream, MUstreamAttrID attr,
                              const MUstreamAttrValue* value) {
  return spoilt("policy") ? MUSA_SUCCESS : REAL(muStreamSetAttribute)(hStream, attr, value);
}

MUresult muEventElapsedTime(float* pMilliseconds, MUevent hStart, MUevent hEnd) {
  const MUresult status = REAL(muEventElapsedTime)(pMilliseconds, hStart, hEnd);
  const double wide = *pMilliseconds;
  if (spoilt("elapsed")) memcpy(pMilliseconds, &wide, sizeof wide);
  return status;
}

MUresult muStreamAddCallback(MUstream hStream, MUstreamCallback callback, void* userData,
                             unsigned int flags) {
  if (spoilt("callback")) userData = NULL;
  return REAL(muStreamAddCallback)(hStream, callback, userData, flags);
}

MUresult muStreamWaitEvent(MUstream hStream, MUevent hEvent, unsigned int Flags) {
  return spoilt("wait") ? MUSA_SUCCESS : REAL(muStreamWaitEvent)(hStream, hEvent, Flags);
}

MUresult muStreamEndCapture(MUstream hStream, MUgraph* phGraph) {
  const MUresult status = REAL(muStreamEndCapture)(hStream, phGraph);
  return spoilt("capture") ? REAL(muGraphCreate)(phGraph, 0) : status;
}

MUresult muGraphNodeGetType(MUgraphNode hNode, MUgraphNodeType* type) {
  const MUresult status = REAL(muGraphNodeGetType)(hNode, type);
  if (spoilt("node_type") && *type == MU_GRAPH_NODE_TYPE_HOST) *type = MU_GRAPH_NODE_TYPE_EMPTY;
  return status;
}

MUresult muGraphAddMemsetNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                              const MUgraphNode* dependencies, size_t numDependencies,
                              const MUSA_MEMSET_NODE_PARAMS* memsetParams, MUcontext ctx) {
  MUSA_MEMSET_NODE_PARAMS params = *memsetParams;
  if (spoilt("memset_node")) params.elementSize = 1;
  return REAL(muGraphAddMemsetNode)(phGraphNode, hGraph, dependencies, numDependencies, &params,
                                    ctx);
}

MUresult muGraphGetEdges(MUgraph hGraph, MUgraphNode* from, MUgraphNode* to, size_t* numEdges) {
  if (spoilt("edges")) return REAL(muGraphGetEdges)(hGraph, to, from, numEdges);
  return REAL(muGraphGetEdges)(hGraph, from, to, numEdges);
}

MUresult muGraphChildGraphNodeGetGraph(MUgraphNode hNode, MUgraph* phGraph) {
  if (spoilt("child")) return REAL(muGraphCreate)(phGraph, 0);
  return REAL(muGraphChildGraphNodeGetGraph)(hNode, phGraph);
}

MUresult muGraphEventWaitNodeSetEvent(MUgraphNode hNode, MUevent event) {
  return spoilt("event_node") ? MUSA_SUCCESS : REAL(muGraphEventWaitNodeSetEvent)(hNode, event);
}

MUresult muGraphExecMemcpyNodeSetParams(MUgraphExec hGraphExec, MUgraphNode hNode,
                                        const MUSA_MEMCPY3D* copyParams, MUcontext ctx) {
  if (spoilt("exec_copy")) return MUSA_SUCCESS;
  return REAL(muGraphExecMemcpyNodeSetParams)(hGraphExec, hNode, copyParams, ctx);
}

MUresult muGraphExecUpdate(MUgraphExec hGraphExec, MUgraph hGraph, MUgraphNode* hErrorNode_out,
                           MUgraphExecUpdateResult* updateResult_out) {
  const MUresult status =
      REAL(muGraphExecUpdate)(hGraphExec, hGraph, hErrorNode_out, updateResult_out);
  if (spoilt("update")) *updateResult_out = MU_GRAPH_EXEC_UPDATE_ERROR;
  return status;
}

MUresult muGraphAddMemAllocNode(MUgraphNode* phGraphNode, MUgraph hGraph,
                                const MUgraphNode* dependencies, size_t numDependencies,
                                MUSA_MEM_ALLOC_NODE_PARAMS* nodeParams) {
  const MUresult status =
      REAL(muGraphAddMemAllocNode)(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
  if (spoilt("memory_node")) nodeParams->dptr = 0;
  return status;
}

MUresult muMemcpyPeer(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
                      MUcontext srcContext, size_t ByteCount) {
  if (spoilt("peer")) ByteCount *= 2;
  return REAL(muMemcpyPeer)(dstDevice, dstContext, srcDevice, srcContext, ByteCount);
}

MUresult muMipmappedArrayGetLevel(MUarray* pLevelArray, MUmipmappedArray hMipmappedArray,
                                  unsigned int level) {
  return REAL(muMipmappedArrayGetLevel)(pLevelArray, hMipmappedArray, spoilt("level") ? 0 : level);
}

MUresult muTexObjectGetTextureDesc(MUSA_TEXTURE_DESC* pTexDesc, MUtexObject texObject) {
  const MUresult status = REAL(muTexObjectGetTextureDesc)(pTexDesc, texObject);
  if (spoilt("texture")) pTexDesc->maxAnisotropy = 0;
  return status;
}

MUresult muSurfObjectGetResourceDesc(MUSA_RESOURCE_DESC* pResDesc, MUsurfObject surfObject) {
  const MUresult status = REAL(muSurfObjectGetResourceDesc)(pResDesc, surfObject);
  if (spoilt("surface")) pResDesc->res.array.hArray = NULL;
  return status;
}

// Behaves as if the sources came first.
MUresult muMemoryTransferBatchAsync(MUdeviceptr* dsts, MUdeviceptr* srcs, size_t* sizes,
                                    size_t count, MUmemcpyAttributes* attrs, size_t* attrsIdxs,
                                    size_t numAttrs, size_t* failIdx, MUstream hStream) {
  if (spoilt("batch")) {
    MUdeviceptr* const kept = dsts;
    dsts = srcs;
    srcs = kept;
  }
  return REAL(muMemoryTransferBatchAsync)(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs,
                                          failIdx, hStream);
}

MUresult muStreamGetAttribute(MUstream hStream, MUstreamAttrID attr, MUstreamAttrValue* value_out) {
  const MUresult status = REAL(muStreamGetAttribute)(hStream, attr, value_out);
  if (spoilt("long_stream_attribute")) memset(value_out + 1, 0, 8);
  return status;
}
