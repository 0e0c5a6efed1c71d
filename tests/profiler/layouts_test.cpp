// The witness's records beside CUDA's headers, which this program may see and nothing else does.
#include <cupti.h>

#include "tests/profiler/records.h"

#define SAME(record, member, type, cupti) \
  static_assert(offsetof(witness::record, member) == offsetof(type, cupti))
#define NUMBER(name, cupti) \
  static_assert(static_cast<int>(witness::name) == static_cast<int>(cupti))

SAME(Api, cbid, CUpti_ActivityAPI, cbid);
SAME(Api, start, CUpti_ActivityAPI, start);
SAME(Api, process, CUpti_ActivityAPI, processId);
SAME(Api, result, CUpti_ActivityAPI, returnValue);
SAME(Copy, direction, CUpti_ActivityMemcpy6, copyKind);
SAME(Copy, to, CUpti_ActivityMemcpy6, dstKind);
SAME(Copy, bytes, CUpti_ActivityMemcpy6, bytes);
SAME(Copy, start, CUpti_ActivityMemcpy6, start);
SAME(Copy, correlation, CUpti_ActivityMemcpy6, correlationId);
SAME(Peer, direction, CUpti_ActivityMemcpyPtoP4, copyKind);
SAME(Peer, bytes, CUpti_ActivityMemcpyPtoP4, bytes);
SAME(Peer, stream, CUpti_ActivityMemcpyPtoP4, streamId);
SAME(Peer, from_device, CUpti_ActivityMemcpyPtoP4, srcDeviceId);
SAME(Peer, from_context, CUpti_ActivityMemcpyPtoP4, srcContextId);
SAME(Peer, to_device, CUpti_ActivityMemcpyPtoP4, dstDeviceId);
SAME(Peer, to_context, CUpti_ActivityMemcpyPtoP4, dstContextId);
SAME(Peer, correlation, CUpti_ActivityMemcpyPtoP4, correlationId);
SAME(ResourceData, stream, CUpti_ResourceData, resourceHandle);
SAME(ResourceData, descriptor, CUpti_ResourceData, resourceDescriptor);
SAME(Set, value, CUpti_ActivityMemset4, value);
SAME(Set, bytes, CUpti_ActivityMemset4, bytes);
SAME(Set, correlation, CUpti_ActivityMemset4, correlationId);
SAME(Kernel, start, CUpti_ActivityKernel10, start);
SAME(Kernel, stream, CUpti_ActivityKernel10, streamId);
SAME(Kernel, grid, CUpti_ActivityKernel10, gridX);
SAME(Kernel, block, CUpti_ActivityKernel10, blockX);
SAME(Kernel, dynamic_shared, CUpti_ActivityKernel10, dynamicSharedMemory);
SAME(Kernel, correlation, CUpti_ActivityKernel10, correlationId);
SAME(Kernel, name, CUpti_ActivityKernel10, name);
SAME(External, id, CUpti_ActivityExternalCorrelation, externalId);
SAME(External, correlation, CUpti_ActivityExternalCorrelation, correlationId);
SAME(Synchronization, start, CUpti_ActivitySynchronization2, start);
SAME(Synchronization, event, CUpti_ActivitySynchronization2, cudaEventId);
SAME(CallbackData, site, CUpti_CallbackData, callbackSite);
SAME(CallbackData, parameters, CUpti_CallbackData, functionParams);
SAME(CallbackData, result, CUpti_CallbackData, functionReturnValue);
SAME(CallbackData, symbol, CUpti_CallbackData, symbolName);
SAME(CallbackData, own, CUpti_CallbackData, correlationData);
SAME(CallbackData, correlation, CUpti_CallbackData, correlationId);
NUMBER(kMemcpy, CUPTI_ACTIVITY_KIND_MEMCPY);
NUMBER(kMemcpyPeer, CUPTI_ACTIVITY_KIND_MEMCPY2);
NUMBER(kConcurrentKernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
NUMBER(kSynchronization, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
NUMBER(kExternalCorrelation, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
NUMBER(kMarker, CUPTI_ACTIVITY_KIND_MARKER);
NUMBER(kMemory2, CUPTI_ACTIVITY_KIND_MEMORY2);
NUMBER(kCustomExternal, CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0);
NUMBER(kResource, CUPTI_CB_DOMAIN_RESOURCE);
NUMBER(kNvtx, CUPTI_CB_DOMAIN_NVTX);
NUMBER(kContextCreated, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
NUMBER(kContextDestroying, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
NUMBER(kStreamCreated, CUPTI_CBID_RESOURCE_STREAM_CREATED);
NUMBER(kStreamDestroying, CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING);
NUMBER(kModuleLoaded, CUPTI_CBID_RESOURCE_MODULE_LOADED);
NUMBER(kSynchronize, CUPTI_CB_DOMAIN_SYNCHRONIZE);
NUMBER(kDeviceToDevice, CUPTI_ACTIVITY_MEMCPY_KIND_DTOD);
NUMBER(kBetweenDevices, CUPTI_ACTIVITY_MEMCPY_KIND_PTOP);
NUMBER(kMaxLimitReached, CUPTI_ERROR_MAX_LIMIT_REACHED);
NUMBER(kNotCompatible, CUPTI_ERROR_NOT_COMPATIBLE);
NUMBER(kInvalidKind, CUPTI_ERROR_INVALID_KIND);
NUMBER(kNotSupported, CUPTI_ERROR_NOT_SUPPORTED);
NUMBER(kQueueEmpty, CUPTI_ERROR_QUEUE_EMPTY);
NUMBER(kSubscribedAlready, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
