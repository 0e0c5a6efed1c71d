// Handles and parameter structs of the MUSA driver.
//
// Source, tier decl: b1tg/tinygrad at 134e84a, tinygrad/runtime/autogen/musa.py, made from musa.h
// of SDK 3.1.0. Assumed: the same in later SDKs.
#ifndef TORCHADA_HOST_MUSA_TYPES_DRIVER_STRUCTS_H_
#define TORCHADA_HOST_MUSA_TYPES_DRIVER_STRUCTS_H_

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

typedef struct MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_st {
  unsigned long long p2pToken;
  unsigned int vaSpaceToken;
} MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_v1;
typedef MUSA_POINTER_ATTRIBUTE_P2P_TOKENS_v1 MUSA_POINTER_ATTRIBUTE_P2P_TOKENS;

#endif  // TORCHADA_HOST_MUSA_TYPES_DRIVER_STRUCTS_H_
