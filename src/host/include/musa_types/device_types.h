// musaDeviceAttr and musaDeviceProp.
//
// Transcribed from gumblex/ollama:discover/gpu_info_musa.h at 6f1c88e, a copy of the vendor's
// header. MooreThreads/ollama-musa:discover/gpu_info_musart.h at f3286e4 has the same
// musaDeviceProp. From 4.3 on it is longer: googs1025/musa-learning-notes:
// code/gpu-architecture-practice/Chapter6/6_1_musaDevicePropDefinition.cpp at f238c08.
#pragma once

#include <stddef.h>

#include "internal/sdk.h"

typedef enum musaDeviceAttr {
  musaDevAttrMaxThreadsPerBlock = 1,
  musaDevAttrMaxBlockDimX = 2,
  musaDevAttrMaxBlockDimY = 3,
  musaDevAttrMaxBlockDimZ = 4,
  musaDevAttrMaxGridDimX = 5,
  musaDevAttrMaxGridDimY = 6,
  musaDevAttrMaxGridDimZ = 7,
  musaDevAttrMaxSharedMemoryPerBlock = 8,
  musaDevAttrTotalConstantMemory = 9,
  musaDevAttrWarpSize = 10,
  musaDevAttrMaxPitch = 11,
  musaDevAttrMaxRegistersPerBlock = 12,
  musaDevAttrClockRate = 13,
  musaDevAttrTextureAlignment = 14,
  musaDevAttrGpuOverlap = 15,
  musaDevAttrMultiProcessorCount = 16,
  musaDevAttrKernelExecTimeout = 17,
  musaDevAttrIntegrated = 18,
  musaDevAttrCanMapHostMemory = 19,
  musaDevAttrComputeMode = 20,
  musaDevAttrMaxTexture1DWidth = 21,
  musaDevAttrMaxTexture2DWidth = 22,
  musaDevAttrMaxTexture2DHeight = 23,
  musaDevAttrMaxTexture3DWidth = 24,
  musaDevAttrMaxTexture3DHeight = 25,
  musaDevAttrMaxTexture3DDepth = 26,
  musaDevAttrMaxTexture2DLayeredWidth = 27,
  musaDevAttrMaxTexture2DLayeredHeight = 28,
  musaDevAttrMaxTexture2DLayeredLayers = 29,
  musaDevAttrSurfaceAlignment = 30,
  musaDevAttrConcurrentKernels = 31,
  musaDevAttrEccEnabled = 32,
  musaDevAttrPciBusId = 33,
  musaDevAttrPciDeviceId = 34,
  musaDevAttrTccDriver = 35,
  musaDevAttrMemoryClockRate = 36,
  musaDevAttrGlobalMemoryBusWidth = 37,
  musaDevAttrL2CacheSize = 38,
  musaDevAttrMaxThreadsPerMultiProcessor = 39,
  musaDevAttrAsyncEngineCount = 40,
  musaDevAttrUnifiedAddressing = 41,
  musaDevAttrMaxTexture1DLayeredWidth = 42,
  musaDevAttrMaxTexture1DLayeredLayers = 43,
  musaDevAttrMaxTexture2DGatherWidth = 45,
  musaDevAttrMaxTexture2DGatherHeight = 46,
  musaDevAttrMaxTexture3DWidthAlt = 47,
  musaDevAttrMaxTexture3DHeightAlt = 48,
  musaDevAttrMaxTexture3DDepthAlt = 49,
  musaDevAttrPciDomainId = 50,
  musaDevAttrTexturePitchAlignment = 51,
  musaDevAttrMaxTextureCubemapWidth = 52,
  musaDevAttrMaxTextureCubemapLayeredWidth = 53,
  musaDevAttrMaxTextureCubemapLayeredLayers = 54,
  musaDevAttrMaxSurface1DWidth = 55,
  musaDevAttrMaxSurface2DWidth = 56,
  musaDevAttrMaxSurface2DHeight = 57,
  musaDevAttrMaxSurface3DWidth = 58,
  musaDevAttrMaxSurface3DHeight = 59,
  musaDevAttrMaxSurface3DDepth = 60,
  musaDevAttrMaxSurface1DLayeredWidth = 61,
  musaDevAttrMaxSurface1DLayeredLayers = 62,
  musaDevAttrMaxSurface2DLayeredWidth = 63,
  musaDevAttrMaxSurface2DLayeredHeight = 64,
  musaDevAttrMaxSurface2DLayeredLayers = 65,
  musaDevAttrMaxSurfaceCubemapWidth = 66,
  musaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
  musaDevAttrMaxSurfaceCubemapLayeredLayers = 68,
  musaDevAttrMaxTexture1DLinearWidth = 69,
  musaDevAttrMaxTexture2DLinearWidth = 70,
  musaDevAttrMaxTexture2DLinearHeight = 71,
  musaDevAttrMaxTexture2DLinearPitch = 72,
  musaDevAttrMaxTexture2DMipmappedWidth = 73,
  musaDevAttrMaxTexture2DMipmappedHeight = 74,
  musaDevAttrComputeCapabilityMajor = 75,
  musaDevAttrComputeCapabilityMinor = 76,
  musaDevAttrMaxTexture1DMipmappedWidth = 77,
  musaDevAttrStreamPrioritiesSupported = 78,
  musaDevAttrGlobalL1CacheSupported = 79,
  musaDevAttrLocalL1CacheSupported = 80,
  musaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  musaDevAttrMaxRegistersPerMultiprocessor = 82,
  musaDevAttrManagedMemory = 83,
  musaDevAttrIsMultiGpuBoard = 84,
  musaDevAttrMultiGpuBoardGroupID = 85,
  musaDevAttrHostNativeAtomicSupported = 86,
  musaDevAttrSingleToDoublePrecisionPerfRatio = 87,
  musaDevAttrPageableMemoryAccess = 88,
  musaDevAttrConcurrentManagedAccess = 89,
  musaDevAttrComputePreemptionSupported = 90,
  musaDevAttrCanUseHostPointerForRegisteredMem = 91,
  musaDevAttrReserved92 = 92,
  musaDevAttrReserved93 = 93,
  musaDevAttrReserved94 = 94,
  musaDevAttrCooperativeLaunch = 95,
  musaDevAttrCooperativeMultiDeviceLaunch = 96,
  musaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  musaDevAttrCanFlushRemoteWrites = 98,
  musaDevAttrHostRegisterSupported = 99,
  musaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
  musaDevAttrDirectManagedMemAccessFromHost = 101,
  musaDevAttrMaxBlocksPerMultiprocessor = 106,
  musaDevAttrMaxPersistingL2CacheSize = 108,
  musaDevAttrMaxAccessPolicyWindowSize = 109,
  musaDevAttrReservedSharedMemoryPerBlock = 111,
  musaDevAttrSparseMusaArraySupported = 112,
  musaDevAttrHostRegisterReadOnlySupported = 113,
  musaDevAttrMaxTimelineSemaphoreInteropSupported = 114,
  musaDevAttrMemoryPoolsSupported = 115,
  musaDevAttrGPUDirectRDMASupported = 116,
  musaDevAttrGPUDirectRDMAFlushWritesOptions = 117,
  musaDevAttrGPUDirectRDMAWritesOrdering = 118,
  musaDevAttrMemoryPoolSupportedHandleTypes = 119,
  musaDevAttrMax
} musaDeviceAttr_t;

typedef struct musaUUID {
  unsigned char bytes[16];
} musaUUID_t;

typedef struct musaDeviceProp {
  char name[256];
  musaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;
  size_t totalConstMem;
  int major;
  int minor;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  int maxTexture1D;
  int maxTexture1DMipmap;
  int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DMipmap[2];
  int maxTexture2DLinear[3];
  int maxTexture2DGather[2];
  int maxTexture3D[3];
  int maxTexture3DAlt[3];
  int maxTextureCubemap;
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2];
  int maxSurface1D;
  int maxSurface2D[2];
  int maxSurface3D[3];
  int maxSurface1DLayered[2];
  int maxSurface2DLayered[3];
  int maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate;
  int memoryBusWidth;
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
#if MUSA_GETS_PROPERTIES_BY_V2
  int hostRegisterSupported;
  int sparseMusaArraySupported;
  int hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported;
  int memoryPoolsSupported;
  int gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned int memoryPoolSupportedHandleTypes;
  int deferredMappingMusaArraySupported;
  int ipcEventSupported;
  int clusterLaunch;
  int unifiedFunctionPointers;
  int reserved[63];
#endif
} musaDeviceProp_t;

typedef enum musaComputeMode {
  musaComputeModeDefault = 0,
  musaComputeModeExclusive = 1,
  musaComputeModeProhibited = 2,
  musaComputeModeExclusiveProcess = 3
} musaComputeMode;
