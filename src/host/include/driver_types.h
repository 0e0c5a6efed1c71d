// Types of the MUSA runtime API.
//
// Sources: gumblex/ollama:discover/gpu_info_musa.h (errors, attributes, properties; see
// musa_types/); ZhaoShanBiounite/musapy:musa_ffi.rs and zml/xla musa_runtime.h (musaMemcpyKind
// 0..3); MooreThreads/tensorflow_musa_extension (names of the pool properties); the manual
// (docs.mthreads.com, MUSA Graphs: capture modes); MooreThreads/MT-DeepEP:csrc/kernels/launch.muh
// (launch configuration); flag names from torch_musa, Mooncake and
// MooreThreads/gpu-compute-driver-bench. Assumed, as in the 12.x-generation API of the same shape:
// musaMemoryType, musaPointerAttributes, the numbers of stream/event/host/occupancy flags,
// limits, capture modes and statuses, advice, pool attributes, memory locations, function
// attributes and launch attributes; the members of the 2D/3D copy structs, of musaFuncAttributes,
// and the trailing members of musaMemPoolProps; the size of musaIpcEventHandle_t; everything about
// arrays, batches of copies, stream attributes, libraries, notifications and exported pool
// pointers.
#pragma once

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

#define musaArrayDefault 0x00
#define musaArrayLayered 0x01
#define musaArraySurfaceLoadStore 0x02
#define musaArrayCubemap 0x04
#define musaArrayTextureGather 0x08
#define musaArrayColorAttachment 0x20
#define musaArraySparse 0x40
#define musaArrayDeferredMapping 0x80

#define musaEnableDefault 0x0
#define musaEnableLegacyStream 0x1
#define musaEnablePerThreadDefaultStream 0x2

#define musaCooperativeLaunchMultiDeviceNoPreSync 0x01
#define musaCooperativeLaunchMultiDeviceNoPostSync 0x02

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
typedef const struct musaArray* musaArray_const_t;
typedef struct musaMipmappedArray* musaMipmappedArray_t;
typedef const struct musaMipmappedArray* musaMipmappedArray_const_t;
typedef struct MUfunc_st* musaFunction_t;
typedef struct MUkern_st* musaKernel_t;
typedef struct MUlib_st* musaLibrary_t;
typedef struct musaAsyncCallbackEntry* musaAsyncCallbackHandle_t;

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
// Programs compiled with 5.2.0 have 88 bytes (mooncake-transfer-engine-musa 0.3.13.post1 on PyPI).
#if MUSA_RESERVED_OF_POINTERS
  long reserved[MUSA_RESERVED_OF_POINTERS];
#endif
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

typedef enum musaChannelFormatKind {
  musaChannelFormatKindSigned = 0,
  musaChannelFormatKindUnsigned = 1,
  musaChannelFormatKindFloat = 2,
  musaChannelFormatKindNone = 3
} musaChannelFormatKind;

typedef struct musaChannelFormatDesc {
  int x;
  int y;
  int z;
  int w;
  enum musaChannelFormatKind f;
} musaChannelFormatDesc;

#include "musa_types/texture_types.h"

typedef struct musaArraySparseProperties {
  struct {
    unsigned int width;
    unsigned int height;
    unsigned int depth;
  } tileExtent;
  unsigned int miptailFirstLevel;
  unsigned long long miptailSize;
  unsigned int flags;
  unsigned int reserved[4];
} musaArraySparseProperties;

typedef struct musaArrayMemoryRequirements {
  size_t size;
  size_t alignment;
  unsigned int reserved[4];
} musaArrayMemoryRequirements;

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
  musaMemRangeAttributeLastPrefetchLocation = 4,
  musaMemRangeAttributePreferredLocationType = 5,
  musaMemRangeAttributePreferredLocationId = 6,
  musaMemRangeAttributeLastPrefetchLocationType = 7,
  musaMemRangeAttributeLastPrefetchLocationId = 8
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
  musaMemLocationTypeDevice = 1,
  musaMemLocationTypeHost = 2,
  musaMemLocationTypeHostNuma = 3,
  musaMemLocationTypeHostNumaCurrent = 4
} musaMemLocationType;

typedef struct musaMemLocation {
  enum musaMemLocationType type;
  int id;
} musaMemLocation;

typedef enum musaMemcpySrcAccessOrder {
  musaMemcpySrcAccessOrderInvalid = 0x0,
  musaMemcpySrcAccessOrderStream = 0x1,
  musaMemcpySrcAccessOrderDuringApiCall = 0x2,
  musaMemcpySrcAccessOrderAny = 0x3,
  musaMemcpySrcAccessOrderMax = 0x7FFFFFFF
} musaMemcpySrcAccessOrder;

typedef enum musaMemcpyFlags {
  musaMemcpyFlagDefault = 0x0,
  musaMemcpyFlagPreferOverlapWithCompute = 0x1
} musaMemcpyFlags;

typedef struct musaMemcpyAttributes {
  enum musaMemcpySrcAccessOrder srcAccessOrder;
  struct musaMemLocation srcLocHint;
  struct musaMemLocation dstLocHint;
  unsigned int flags;
} musaMemcpyAttributes;

typedef enum musaMemcpy3DOperandType {
  musaMemcpyOperandTypePointer = 0x1,
  musaMemcpyOperandTypeArray = 0x2,
  musaMemcpyOperandTypeMax = 0x7FFFFFFF
} musaMemcpy3DOperandType;

typedef struct musaOffset3D {
  size_t x;
  size_t y;
  size_t z;
} musaOffset3D;

typedef struct musaMemcpy3DOperand {
  enum musaMemcpy3DOperandType type;
  union {
    struct {
      void* ptr;
      size_t rowLength;
      size_t layerHeight;
      struct musaMemLocation locHint;
    } ptr;
    struct {
      musaArray_t array;
      struct musaOffset3D offset;
    } array;
  } op;
} musaMemcpy3DOperand;

typedef struct musaMemcpy3DBatchOp {
  struct musaMemcpy3DOperand src;
  struct musaMemcpy3DOperand dst;
  struct musaExtent extent;
  enum musaMemcpySrcAccessOrder srcAccessOrder;
  unsigned int flags;
} musaMemcpy3DBatchOp;

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

typedef struct musaMemPoolPtrExportData {
  unsigned char reserved[64];
} musaMemPoolPtrExportData;

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

typedef enum musaAccessProperty {
  musaAccessPropertyNormal = 0,
  musaAccessPropertyStreaming = 1,
  musaAccessPropertyPersisting = 2
} musaAccessProperty;

typedef struct musaAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  enum musaAccessProperty hitProp;
  enum musaAccessProperty missProp;
} musaAccessPolicyWindow;

typedef enum musaSynchronizationPolicy {
  musaSyncPolicyAuto = 1,
  musaSyncPolicySpin = 2,
  musaSyncPolicyYield = 3,
  musaSyncPolicyBlockingSync = 4
} musaSynchronizationPolicy;

typedef union musaLaunchAttributeValue {
  char pad[64];
  struct musaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  enum musaSynchronizationPolicy syncPolicy;
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

typedef struct musaLaunchParams {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  void** args;
  size_t sharedMem;
  musaStream_t stream;
} musaLaunchParams;

typedef enum musaJitOption {
  musaJitMaxRegisters = 0,
  musaJitThreadsPerBlock = 1,
  musaJitWallTime = 2,
  musaJitInfoLogBuffer = 3,
  musaJitInfoLogBufferSizeBytes = 4,
  musaJitErrorLogBuffer = 5,
  musaJitErrorLogBufferSizeBytes = 6,
  musaJitOptimizationLevel = 7
} musaJitOption;

typedef enum musaLibraryOption {
  musaLibraryHostUniversalFunctionAndDataTable = 0,
  musaLibraryBinaryIsPreserved = 1
} musaLibraryOption;

typedef enum musaDriverEntryPointQueryResult {
  musaDriverEntryPointSuccess = 0,
  musaDriverEntryPointSymbolNotFound = 1,
  musaDriverEntryPointVersionNotSufficent = 2
} musaDriverEntryPointQueryResult;

typedef enum musaFlushGPUDirectRDMAWritesTarget {
  musaFlushGPUDirectRDMAWritesTargetCurrentDevice = 0
} musaFlushGPUDirectRDMAWritesTarget;

typedef enum musaFlushGPUDirectRDMAWritesScope {
  musaFlushGPUDirectRDMAWritesToOwner = 100,
  musaFlushGPUDirectRDMAWritesToAllDevices = 200
} musaFlushGPUDirectRDMAWritesScope;

typedef enum musaAsyncNotificationType {
  musaAsyncNotificationTypeOverBudget = 0x1
} musaAsyncNotificationType;

typedef struct musaAsyncNotificationInfo {
  enum musaAsyncNotificationType type;
  union {
    struct {
      unsigned long long bytesOverBudget;
    } overBudget;
  } info;
} musaAsyncNotificationInfo_t;

typedef void (*musaAsyncCallback)(musaAsyncNotificationInfo_t* notificationInfo, void* userData,
                                  musaAsyncCallbackHandle_t handle);
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
  musaGraphNodeTypeExtSemaphoreSignal = 0x08,
  musaGraphNodeTypeExtSemaphoreWait = 0x09,
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
  musaGraphExecUpdateErrorNotSupported = 0x6,
  musaGraphExecUpdateErrorUnsupportedFunctionChange = 0x7
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
