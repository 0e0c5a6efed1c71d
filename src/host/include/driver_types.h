// Types of the MUSA runtime API.
//
// Sources: MooreThreads/ollama-musa:discover/gpu_info_musart.h (errors, attributes, properties; see
// musa_types/); ZhaoShanBiounite/musapy:musa_ffi.rs and zml/xla musa_runtime.h (musaMemcpyKind
// 0..3); index documents 71365972724 (musaMemoryType 1..3, musaPointerAttributes,
// musaIpcMemHandle_t), 66402098057 (64-byte IPC handle on a real libmusart), 54831886813 (pool
// properties, capture modes), 52152161653 (launch configuration), 57537938511
// (musaHostRegisterMapped 2); flag names from torch_musa, Mooncake and
// MooreThreads/gpu-compute-driver-bench. Assumed, as in the 12.x-generation API of the same shape:
// musaMemcpyDefault 4, musaMemoryTypeUnregistered 0, numbers of stream/event/host/occupancy flags,
// limits, capture modes and statuses, advice, pool attributes, memory locations, function
// attributes and launch attributes; the members of the 2D/3D copy structs, of musaFuncAttributes,
// and the trailing members of musaMemPoolProps; the size of musaIpcEventHandle_t.
#ifndef TORCHADA_HOST_DRIVER_TYPES_H_
#define TORCHADA_HOST_DRIVER_TYPES_H_

#include <stddef.h>

#include "musa_types/device_types.h"
#include "musa_types/error_types.h"
#include "vector_types.h"

#define MUSA_IPC_HANDLE_SIZE 64

#define musaHostAllocDefault 0x00
#define musaHostAllocPortable 0x01
#define musaHostAllocMapped 0x02
#define musaHostAllocWriteCombined 0x04

#define musaHostRegisterDefault 0x00
#define musaHostRegisterPortable 0x01
#define musaHostRegisterMapped 0x02
#define musaHostRegisterIoMemory 0x04
#define musaHostRegisterReadOnly 0x08

#define musaPeerAccessDefault 0x00

#define musaStreamDefault 0x00
#define musaStreamNonBlocking 0x01
#define musaStreamLegacy ((musaStream_t)0x1)
#define musaStreamPerThread ((musaStream_t)0x2)

#define musaEventDefault 0x00
#define musaEventBlockingSync 0x01
#define musaEventDisableTiming 0x02
#define musaEventInterprocess 0x04

#define musaEventRecordDefault 0x00
#define musaEventRecordExternal 0x01

#define musaEventWaitDefault 0x00
#define musaEventWaitExternal 0x01

#define musaDeviceScheduleAuto 0x00
#define musaDeviceScheduleSpin 0x01
#define musaDeviceScheduleYield 0x02
#define musaDeviceScheduleBlockingSync 0x04
#define musaDeviceScheduleMask 0x07
#define musaDeviceMapHost 0x08
#define musaDeviceLmemResizeToMax 0x10
#define musaDeviceMask 0xff

#define musaMemAttachGlobal 0x01
#define musaMemAttachHost 0x02
#define musaMemAttachSingle 0x04

#define musaOccupancyDefault 0x00
#define musaOccupancyDisableCachingOverride 0x01

#define musaIpcMemLazyEnablePeerAccess 0x01

#define musaCpuDeviceId ((int)-1)
#define musaInvalidDeviceId ((int)-2)

typedef struct MUstream_st* musaStream_t;
typedef struct MUevent_st* musaEvent_t;
typedef struct MUmemPoolHandle_st* musaMemPool_t;
typedef struct MUgraph_st* musaGraph_t;
typedef struct MUgraphNode_st* musaGraphNode_t;
typedef struct MUgraphExec_st* musaGraphExec_t;
typedef struct MUuserObject_st* musaUserObject_t;
typedef struct musaArray* musaArray_t;

typedef enum musaMemcpyKind {
  musaMemcpyHostToHost = 0,
  musaMemcpyHostToDevice = 1,
  musaMemcpyDeviceToHost = 2,
  musaMemcpyDeviceToDevice = 3,
  musaMemcpyDefault = 4
} musaMemcpyKind;

typedef enum musaMemoryType {
  musaMemoryTypeUnregistered = 0,
  musaMemoryTypeHost = 1,
  musaMemoryTypeDevice = 2,
  musaMemoryTypeManaged = 3
} musaMemoryType;

typedef struct musaPointerAttributes {
  enum musaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
} musaPointerAttributes;

typedef struct musaPitchedPtr {
  void* ptr;
  size_t pitch;
  size_t xsize;
  size_t ysize;
} musaPitchedPtr;

typedef struct musaExtent {
  size_t width;
  size_t height;
  size_t depth;
} musaExtent;

typedef struct musaPos {
  size_t x;
  size_t y;
  size_t z;
} musaPos;

typedef struct musaMemcpy3DParms {
  musaArray_t srcArray;
  struct musaPos srcPos;
  struct musaPitchedPtr srcPtr;
  musaArray_t dstArray;
  struct musaPos dstPos;
  struct musaPitchedPtr dstPtr;
  struct musaExtent extent;
  enum musaMemcpyKind kind;
} musaMemcpy3DParms;

typedef struct musaMemcpy3DPeerParms {
  musaArray_t srcArray;
  struct musaPos srcPos;
  struct musaPitchedPtr srcPtr;
  int srcDevice;
  musaArray_t dstArray;
  struct musaPos dstPos;
  struct musaPitchedPtr dstPtr;
  int dstDevice;
  struct musaExtent extent;
} musaMemcpy3DPeerParms;

typedef enum musaFuncCache {
  musaFuncCachePreferNone = 0,
  musaFuncCachePreferShared = 1,
  musaFuncCachePreferL1 = 2,
  musaFuncCachePreferEqual = 3
} musaFuncCache;

typedef enum musaSharedMemConfig {
  musaSharedMemBankSizeDefault = 0,
  musaSharedMemBankSizeFourByte = 1,
  musaSharedMemBankSizeEightByte = 2
} musaSharedMemConfig;

typedef enum musaLimit {
  musaLimitStackSize = 0x00,
  musaLimitPrintfFifoSize = 0x01,
  musaLimitMallocHeapSize = 0x02,
  musaLimitDevRuntimeSyncDepth = 0x03,
  musaLimitDevRuntimePendingLaunchCount = 0x04,
  musaLimitMaxL2FetchGranularity = 0x05,
  musaLimitPersistingL2CacheSize = 0x06
} musaLimit;

typedef enum musaMemoryAdvise {
  musaMemAdviseSetReadMostly = 1,
  musaMemAdviseUnsetReadMostly = 2,
  musaMemAdviseSetPreferredLocation = 3,
  musaMemAdviseUnsetPreferredLocation = 4,
  musaMemAdviseSetAccessedBy = 5,
  musaMemAdviseUnsetAccessedBy = 6
} musaMemoryAdvise;

typedef enum musaMemRangeAttribute {
  musaMemRangeAttributeReadMostly = 1,
  musaMemRangeAttributePreferredLocation = 2,
  musaMemRangeAttributeAccessedBy = 3,
  musaMemRangeAttributeLastPrefetchLocation = 4
} musaMemRangeAttribute;

typedef enum musaDeviceP2PAttr {
  musaDevP2PAttrPerformanceRank = 1,
  musaDevP2PAttrAccessSupported = 2,
  musaDevP2PAttrNativeAtomicSupported = 3,
  musaDevP2PAttrMusaArrayAccessSupported = 4
} musaDeviceP2PAttr;

typedef enum musaStreamCaptureStatus {
  musaStreamCaptureStatusNone = 0,
  musaStreamCaptureStatusActive = 1,
  musaStreamCaptureStatusInvalidated = 2
} musaStreamCaptureStatus;

typedef enum musaStreamCaptureMode {
  musaStreamCaptureModeGlobal = 0,
  musaStreamCaptureModeThreadLocal = 1,
  musaStreamCaptureModeRelaxed = 2
} musaStreamCaptureMode;

typedef enum musaMemPoolAttr {
  musaMemPoolReuseFollowEventDependencies = 0x1,
  musaMemPoolReuseAllowOpportunistic = 0x2,
  musaMemPoolReuseAllowInternalDependencies = 0x3,
  musaMemPoolAttrReleaseThreshold = 0x4,
  musaMemPoolAttrReservedMemCurrent = 0x5,
  musaMemPoolAttrReservedMemHigh = 0x6,
  musaMemPoolAttrUsedMemCurrent = 0x7,
  musaMemPoolAttrUsedMemHigh = 0x8
} musaMemPoolAttr;

typedef enum musaMemLocationType {
  musaMemLocationTypeInvalid = 0,
  musaMemLocationTypeDevice = 1
} musaMemLocationType;

typedef struct musaMemLocation {
  enum musaMemLocationType type;
  int id;
} musaMemLocation;

typedef enum musaMemAccessFlags {
  musaMemAccessFlagsProtNone = 0,
  musaMemAccessFlagsProtRead = 1,
  musaMemAccessFlagsProtReadWrite = 3
} musaMemAccessFlags;

typedef struct musaMemAccessDesc {
  struct musaMemLocation location;
  enum musaMemAccessFlags flags;
} musaMemAccessDesc;

typedef enum musaMemAllocationType {
  musaMemAllocationTypeInvalid = 0x0,
  musaMemAllocationTypePinned = 0x1,
  musaMemAllocationTypeMax = 0x7FFFFFFF
} musaMemAllocationType;

typedef enum musaMemAllocationHandleType {
  musaMemHandleTypeNone = 0x0,
  musaMemHandleTypePosixFileDescriptor = 0x1,
  musaMemHandleTypeWin32 = 0x2,
  musaMemHandleTypeWin32Kmt = 0x4
} musaMemAllocationHandleType;

typedef struct musaMemPoolProps {
  enum musaMemAllocationType allocType;
  enum musaMemAllocationHandleType handleTypes;
  struct musaMemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned char reserved[56];
} musaMemPoolProps;

typedef struct musaIpcMemHandle_st {
  char reserved[MUSA_IPC_HANDLE_SIZE];
} musaIpcMemHandle_t;

typedef struct musaIpcEventHandle_st {
  char reserved[MUSA_IPC_HANDLE_SIZE];
} musaIpcEventHandle_t;

typedef struct musaFuncAttributes {
  size_t sharedSizeBytes;
  size_t constSizeBytes;
  size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
  int clusterDimMustBeSet;
  int requiredClusterWidth;
  int requiredClusterHeight;
  int requiredClusterDepth;
  int clusterSchedulingPolicyAllowed;
  int nonPortableClusterSizeAllowed;
  int reserved[16];
} musaFuncAttributes;

typedef enum musaFuncAttribute {
  musaFuncAttributeMaxDynamicSharedMemorySize = 8,
  musaFuncAttributePreferredSharedMemoryCarveout = 9,
  musaFuncAttributeClusterDimMustBeSet = 10,
  musaFuncAttributeRequiredClusterWidth = 11,
  musaFuncAttributeRequiredClusterHeight = 12,
  musaFuncAttributeRequiredClusterDepth = 13,
  musaFuncAttributeNonPortableClusterSizeAllowed = 14,
  musaFuncAttributeClusterSchedulingPolicyPreference = 15,
  musaFuncAttributeMax
} musaFuncAttribute;

typedef enum musaLaunchAttributeID {
  musaLaunchAttributeIgnore = 0,
  musaLaunchAttributeAccessPolicyWindow = 1,
  musaLaunchAttributeCooperative = 2,
  musaLaunchAttributeSynchronizationPolicy = 3,
  musaLaunchAttributeClusterDimension = 4,
  musaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  musaLaunchAttributeProgrammaticStreamSerialization = 6,
  musaLaunchAttributeProgrammaticEvent = 7,
  musaLaunchAttributePriority = 8
} musaLaunchAttributeID;

typedef union musaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  struct {
    unsigned int x;
    unsigned int y;
    unsigned int z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
} musaLaunchAttributeValue;

typedef struct musaLaunchAttribute_st {
  musaLaunchAttributeID id;
  char pad[8 - sizeof(musaLaunchAttributeID)];
  musaLaunchAttributeValue val;
} musaLaunchAttribute;

typedef struct musaLaunchConfig_st {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  musaStream_t stream;
  musaLaunchAttribute* attrs;
  unsigned int numAttrs;
} musaLaunchConfig_t;

typedef void (*musaStreamCallback_t)(musaStream_t stream, musaError_t status, void* userData);
typedef void (*musaHostFn_t)(void* userData);

// Graphs.
//
// docs.mthreads.com, musa-sdk-doc-online/programming_guide/features/musa_graphs: the names of the
// node types, results 0..4 of an instantiation and 0..7 of an update, musaKernelNodeParams and
// musaGraphExecUpdateResultInfo. Assumed, as in the 12.x-generation API of the same shape: the
// numbers of the node types, memory attributes (the manual prints 1..4) and flags; all other
// structs (the manual prints musaMemsetParams with value before pitch, and
// musaGraphInstantiateParams without uploadStream).
typedef enum musaGraphNodeType {
  musaGraphNodeTypeKernel = 0x00,
  musaGraphNodeTypeMemcpy = 0x01,
  musaGraphNodeTypeMemset = 0x02,
  musaGraphNodeTypeHost = 0x03,
  musaGraphNodeTypeChildGraph = 0x04,
  musaGraphNodeTypeEmpty = 0x05,
  musaGraphNodeTypeEventWait = 0x06,
  musaGraphNodeTypeEventRecord = 0x07,
  musaGraphNodeTypeMemAlloc = 0x0a,
  musaGraphNodeTypeMemFree = 0x0b
} musaGraphNodeType;

typedef struct musaKernelNodeParams {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  unsigned int sharedMemBytes;
  void** kernelParams;
  void** extra;
} musaKernelNodeParams;

typedef struct musaMemsetParams {
  void* dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
} musaMemsetParams;

typedef struct musaHostNodeParams {
  musaHostFn_t fn;
  void* userData;
} musaHostNodeParams;

typedef struct musaMemAllocNodeParams {
  struct musaMemPoolProps poolProps;
  const struct musaMemAccessDesc* accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void* dptr;
} musaMemAllocNodeParams;

typedef struct musaGraphEdgeData {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;
  unsigned char reserved[5];
} musaGraphEdgeData;

typedef enum musaGraphMemAttributeType {
  musaGraphMemAttrUsedMemCurrent = 0x0,
  musaGraphMemAttrUsedMemHigh = 0x1,
  musaGraphMemAttrReservedMemCurrent = 0x2,
  musaGraphMemAttrReservedMemHigh = 0x3
} musaGraphMemAttributeType;

typedef enum musaGraphInstantiateFlags {
  musaGraphInstantiateFlagAutoFreeOnLaunch = 1,
  musaGraphInstantiateFlagUpload = 2,
  musaGraphInstantiateFlagDeviceLaunch = 4,
  musaGraphInstantiateFlagUseNodePriority = 8
} musaGraphInstantiateFlags;

typedef enum musaGraphInstantiateResult {
  musaGraphInstantiateSuccess = 0,
  musaGraphInstantiateError = 1,
  musaGraphInstantiateInvalidStructure = 2,
  musaGraphInstantiateNodeOperationNotSupported = 3,
  musaGraphInstantiateMultipleDevicesNotSupported = 4
} musaGraphInstantiateResult;

typedef struct musaGraphInstantiateParams {
  unsigned long long flags;
  musaStream_t uploadStream;
  musaGraphNode_t errNode_out;
  musaGraphInstantiateResult result_out;
} musaGraphInstantiateParams;

typedef enum musaGraphExecUpdateResult {
  musaGraphExecUpdateSuccess = 0x0,
  musaGraphExecUpdateError = 0x1,
  musaGraphExecUpdateErrorTopologyChanged = 0x2,
  musaGraphExecUpdateErrorNodeTypeChanged = 0x3,
  musaGraphExecUpdateErrorFunctionChanged = 0x4,
  musaGraphExecUpdateErrorParametersChanged = 0x5,
  musaGraphExecUpdateErrorAttributesChanged = 0x6,
  musaGraphExecUpdateErrorNotSupported = 0x7
} musaGraphExecUpdateResult;

typedef struct musaGraphExecUpdateResultInfo {
  enum musaGraphExecUpdateResult result;
  musaGraphNode_t errorNode;
  musaGraphNode_t errorFromNode;
} musaGraphExecUpdateResultInfo;

typedef enum musaGraphDebugDotFlags {
  musaGraphDebugDotFlagsVerbose = 1 << 0,
  musaGraphDebugDotFlagsKernelNodeParams = 1 << 2,
  musaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
  musaGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
  musaGraphDebugDotFlagsHostNodeParams = 1 << 5,
  musaGraphDebugDotFlagsEventNodeParams = 1 << 6,
  musaGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
  musaGraphDebugDotFlagsHandles = 1 << 10
} musaGraphDebugDotFlags;

typedef enum musaStreamUpdateCaptureDependenciesFlags {
  musaStreamAddCaptureDependencies = 0x0,
  musaStreamSetCaptureDependencies = 0x1
} musaStreamUpdateCaptureDependenciesFlags;

typedef enum musaUserObjectFlags { musaUserObjectNoDestructorSync = 0x1 } musaUserObjectFlags;
typedef enum musaUserObjectRetainFlags { musaGraphUserObjectMove = 0x1 } musaUserObjectRetainFlags;

#endif  // TORCHADA_HOST_DRIVER_TYPES_H_
