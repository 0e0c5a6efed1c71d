// Handles and parameter structs of the MUSA driver.
//
// Source, tier decl: b1tg/tinygrad at 134e84a, tinygrad/runtime/autogen/musa.py, made from musa.h
// of SDK 3.1.0. Assumed: the same in later SDKs.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "driver_enums.h"
#include "driver_status.h"

typedef uint32_t muuint32_t;
typedef uint64_t muuint64_t;
typedef unsigned long long MUdeviceptr_v2;
typedef MUdeviceptr_v2 MUdeviceptr;
typedef int MUdevice_v1;
typedef MUdevice_v1 MUdevice;
typedef struct MUctx_st* MUcontext;
typedef struct MUmod_st* MUmodule;
typedef struct MUfunc_st* MUfunction;
typedef struct MUarray_st* MUarray;
typedef struct MUmipmappedArray_st* MUmipmappedArray;
typedef struct MUtexref_st* MUtexref;
typedef struct MUsurfref_st* MUsurfref;
typedef unsigned long long MUtexObject_v1;
typedef MUtexObject_v1 MUtexObject;
typedef unsigned long long MUsurfObject_v1;
typedef MUsurfObject_v1 MUsurfObject;
typedef struct MUevent_st* MUevent;
typedef struct MUstream_st* MUstream;
typedef struct MUgraph_st* MUgraph;
typedef struct MUgraphNode_st* MUgraphNode;
typedef struct MUgraphExec_st* MUgraphExec;
typedef struct MUmemPoolHandle_st* MUmemoryPool;
typedef unsigned long long MUmemGenericAllocationHandle_v1;
typedef MUmemGenericAllocationHandle_v1 MUmemGenericAllocationHandle;

typedef void (*MUhostFn)(void* userData);
typedef void (*MUstreamCallback)(MUstream hStream, MUresult status, void* userData);
typedef size_t (*MUoccupancyB2DSize)(int blockSize);

typedef struct MUuuid_st {
  char bytes[16];
} MUuuid;

typedef struct MUipcEventHandle_st {
  char reserved[64];
} MUipcEventHandle_v1;
typedef MUipcEventHandle_v1 MUipcEventHandle;

typedef struct MUipcMemHandle_st {
  char reserved[64];
} MUipcMemHandle_v1;
typedef MUipcMemHandle_v1 MUipcMemHandle;

typedef struct MUSA_MEMCPY2D_st {
  size_t srcXInBytes;
  size_t srcY;
  MUmemorytype srcMemoryType;
  const void* srcHost;
  MUdeviceptr srcDevice;
  MUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes;
  size_t dstY;
  MUmemorytype dstMemoryType;
  void* dstHost;
  MUdeviceptr dstDevice;
  MUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
} MUSA_MEMCPY2D_v2;
typedef MUSA_MEMCPY2D_v2 MUSA_MEMCPY2D;

typedef struct MUSA_MEMCPY3D_st {
  size_t srcXInBytes;
  size_t srcY;
  size_t srcZ;
  size_t srcLOD;
  MUmemorytype srcMemoryType;
  const void* srcHost;
  MUdeviceptr srcDevice;
  MUarray srcArray;
  void* reserved0;
  size_t srcPitch;
  size_t srcHeight;
  size_t dstXInBytes;
  size_t dstY;
  size_t dstZ;
  size_t dstLOD;
  MUmemorytype dstMemoryType;
  void* dstHost;
  MUdeviceptr dstDevice;
  MUarray dstArray;
  void* reserved1;
  size_t dstPitch;
  size_t dstHeight;
  size_t WidthInBytes;
  size_t Height;
  size_t Depth;
} MUSA_MEMCPY3D_v2;
typedef MUSA_MEMCPY3D_v2 MUSA_MEMCPY3D;

typedef struct MUSA_ARRAY_DESCRIPTOR_st {
  size_t Width;
  size_t Height;
  MUarray_format Format;
  unsigned int NumChannels;
} MUSA_ARRAY_DESCRIPTOR_v2;
typedef MUSA_ARRAY_DESCRIPTOR_v2 MUSA_ARRAY_DESCRIPTOR;

typedef struct MUSA_ARRAY3D_DESCRIPTOR_st {
  size_t Width;
  size_t Height;
  size_t Depth;
  MUarray_format Format;
  unsigned int NumChannels;
  unsigned int Flags;
} MUSA_ARRAY3D_DESCRIPTOR_v2;
typedef MUSA_ARRAY3D_DESCRIPTOR_v2 MUSA_ARRAY3D_DESCRIPTOR;

typedef struct MUSA_RESOURCE_DESC_st {
  MUresourcetype resType;
  union {
    struct {
      MUarray hArray;
    } array;
    struct {
      MUmipmappedArray hMipmappedArray;
    } mipmap;
    struct {
      MUdeviceptr devPtr;
      MUarray_format format;
      unsigned int numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      MUdeviceptr devPtr;
      MUarray_format format;
      unsigned int numChannels;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags;
} MUSA_RESOURCE_DESC_v1;
typedef MUSA_RESOURCE_DESC_v1 MUSA_RESOURCE_DESC;

typedef struct MUSA_TEXTURE_DESC_st {
  MUaddress_mode addressMode[3];
  MUfilter_mode filterMode;
  unsigned int flags;
  unsigned int maxAnisotropy;
  MUfilter_mode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
} MUSA_TEXTURE_DESC_v1;
typedef MUSA_TEXTURE_DESC_v1 MUSA_TEXTURE_DESC;

typedef struct MUSA_RESOURCE_VIEW_DESC_st {
  MUresourceViewFormat format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned int firstMipmapLevel;
  unsigned int lastMipmapLevel;
  unsigned int firstLayer;
  unsigned int lastLayer;
  unsigned int reserved[16];
} MUSA_RESOURCE_VIEW_DESC_v1;
typedef MUSA_RESOURCE_VIEW_DESC_v1 MUSA_RESOURCE_VIEW_DESC;

typedef struct MUaccessPolicyWindow_st {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  MUaccessProperty hitProp;
  MUaccessProperty missProp;
} MUaccessPolicyWindow_v1;
typedef MUaccessPolicyWindow_v1 MUaccessPolicyWindow;

typedef union MUstreamAttrValue_union {
  MUaccessPolicyWindow accessPolicyWindow;
  MUsynchronizationPolicy syncPolicy;
} MUstreamAttrValue_v1;
typedef MUstreamAttrValue_v1 MUstreamAttrValue;

typedef struct MUlaunchMemSyncDomainMap_st {
  unsigned char default_;
  unsigned char remote;
} MUlaunchMemSyncDomainMap;

typedef union MUlaunchAttributeValue_union {
  char pad[64];
  MUaccessPolicyWindow accessPolicyWindow;
  int cooperative;
  MUsynchronizationPolicy syncPolicy;
  struct {
    unsigned int x;
    unsigned int y;
    unsigned int z;
  } clusterDim;
  MUclusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  struct {
    MUevent event;
    int flags;
    int triggerAtBlockStart;
  } programmaticEvent;
  int priority;
  MUlaunchMemSyncDomainMap memSyncDomainMap;
  MUlaunchMemSyncDomain memSyncDomain;
} MUlaunchAttributeValue;

typedef struct MUlaunchAttribute_st {
  MUlaunchAttributeID id;
  char pad[8 - sizeof(MUlaunchAttributeID)];
  MUlaunchAttributeValue value;
} MUlaunchAttribute;

typedef struct MUlaunchConfig_st {
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  MUstream hStream;
  MUlaunchAttribute* attrs;
  unsigned int numAttrs;
} MUlaunchConfig;

typedef struct MUSA_KERNEL_NODE_PARAMS_st {
  MUfunction func;
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  void** kernelParams;
  void** extra;
} MUSA_KERNEL_NODE_PARAMS_v1;
typedef MUSA_KERNEL_NODE_PARAMS_v1 MUSA_KERNEL_NODE_PARAMS;

typedef struct MUSA_MEMSET_NODE_PARAMS_st {
  MUdeviceptr dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
} MUSA_MEMSET_NODE_PARAMS_v1;
typedef MUSA_MEMSET_NODE_PARAMS_v1 MUSA_MEMSET_NODE_PARAMS;

typedef struct MUSA_HOST_NODE_PARAMS_st {
  MUhostFn fn;
  void* userData;
} MUSA_HOST_NODE_PARAMS_v1;
typedef MUSA_HOST_NODE_PARAMS_v1 MUSA_HOST_NODE_PARAMS;

typedef struct MUmemLocation_st {
  MUmemLocationType type;
  int id;
} MUmemLocation_v1;
typedef MUmemLocation_v1 MUmemLocation;

typedef struct MUmemAllocationProp_st {
  MUmemAllocationType type;
  MUmemAllocationHandleType requestedHandleTypes;
  MUmemLocation location;
  void* win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
} MUmemAllocationProp_v1;
typedef MUmemAllocationProp_v1 MUmemAllocationProp;

typedef struct MUmemAccessDesc_st {
  MUmemLocation location;
  MUmemAccess_flags flags;
} MUmemAccessDesc_v1;
typedef MUmemAccessDesc_v1 MUmemAccessDesc;

// The size and the first member are those of programs compiled with 5.2.0; the rest is by analogy.
typedef struct MUmemcpyAttributes_st {
  MUmemcpySrcAccessOrder srcAccessOrder;
  MUmemLocation srcLocHint;
  MUmemLocation dstLocHint;
  unsigned int flags;
} MUmemcpyAttributes;

typedef struct MUmemPoolProps_st {
  MUmemAllocationType allocType;
  MUmemAllocationHandleType handleTypes;
  MUmemLocation location;
  void* win32SecurityAttributes;
  unsigned char reserved[64];
} MUmemPoolProps_v1;
typedef MUmemPoolProps_v1 MUmemPoolProps;

typedef struct MUSA_MEM_ALLOC_NODE_PARAMS_st {
  MUmemPoolProps poolProps;
  const MUmemAccessDesc* accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  MUdeviceptr dptr;
} MUSA_MEM_ALLOC_NODE_PARAMS;

// Tier code: seen by name in wudi0717/xla. Assumed: laid out as musaGraphEdgeData.
typedef struct MUgraphEdgeData_st {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;
  unsigned char reserved[5];
} MUgraphEdgeData;

typedef struct MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_st {
  unsigned long long p2pToken;
  unsigned int vaSpaceToken;
} MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_v1;
typedef MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_v1 MUSA_POINTER_ATTRIBUTE_P2P_TOKENS;
