#include "src/host/musa/device_properties.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace musa {
namespace {

// The offsets that facts/musa.md section 4 measured on a copy of the vendor's header.
static_assert(sizeof(musaDeviceProp) == 728);
static_assert(offsetof(musaDeviceProp, totalGlobalMem) == 288);
static_assert(offsetof(musaDeviceProp, warpSize) == 308);
static_assert(offsetof(musaDeviceProp, major) == 360);
static_assert(offsetof(musaDeviceProp, multiProcessorCount) == 388);
static_assert(offsetof(musaDeviceProp, reservedSharedMemPerBlock) == 720);

// No hardware uses this PCI domain, so nobody mistakes this for a device in that slot.
constexpr int kPciDomain = 0xffff;
constexpr int kSharedMemoryPerBlock = 48 << 10;
constexpr int kRegisters = 65536;
constexpr int kMaxThreads = 1024;
constexpr int kMaxPitch = INT_MAX;

int usable_cpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

int l2_cache_size() {
  const long size = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return size > 0 ? static_cast<int>(std::min<long>(size, INT_MAX)) : 0;
}

// Attributes without a field in the properties.
int attribute_only(musaDeviceAttr attribute) {
  switch (attribute) {
    case musaDevAttrCanFlushRemoteWrites:
    case musaDevAttrHostRegisterSupported:
    case musaDevAttrHostRegisterReadOnlySupported:
    case musaDevAttrMemoryPoolsSupported:
      return 1;
    case musaDevAttrMemoryPoolSupportedHandleTypes:
      return musaMemHandleTypePosixFileDescriptor;
    default:
      // Textures, surfaces, persisting caches, direct access by other hardware: a CPU has none of
      // them.
      return 0;
  }
}

bool is_attribute(musaDeviceAttr attribute) {
  if (attribute < musaDevAttrMaxThreadsPerBlock || attribute >= musaDevAttrMax) return false;
  switch (static_cast<int>(attribute)) {
    case 44:
    case 102:
    case 103:
    case 104:
    case 105:
    case 107:
    case 110:
      return false;
    default:
      return true;
  }
}

// The attribute as a field of the properties; false if it has none.
bool read_field(const musaDeviceProp& prop, musaDeviceAttr attribute, std::size_t* value) {
  const auto give = [&](auto field) {
    *value = static_cast<std::size_t>(field);
    return true;
  };
  switch (attribute) {
    case musaDevAttrMaxThreadsPerBlock:
      return give(prop.maxThreadsPerBlock);
    case musaDevAttrMaxBlockDimX:
      return give(prop.maxThreadsDim[0]);
    case musaDevAttrMaxBlockDimY:
      return give(prop.maxThreadsDim[1]);
    case musaDevAttrMaxBlockDimZ:
      return give(prop.maxThreadsDim[2]);
    case musaDevAttrMaxGridDimX:
      return give(prop.maxGridSize[0]);
    case musaDevAttrMaxGridDimY:
      return give(prop.maxGridSize[1]);
    case musaDevAttrMaxGridDimZ:
      return give(prop.maxGridSize[2]);
    case musaDevAttrMaxSharedMemoryPerBlock:
      return give(prop.sharedMemPerBlock);
    case musaDevAttrTotalConstantMemory:
      return give(prop.totalConstMem);
    case musaDevAttrWarpSize:
      return give(prop.warpSize);
    case musaDevAttrMaxPitch:
      return give(prop.memPitch);
    case musaDevAttrMaxRegistersPerBlock:
      return give(prop.regsPerBlock);
    case musaDevAttrClockRate:
      return give(prop.clockRate);
    case musaDevAttrTextureAlignment:
      return give(prop.textureAlignment);
    case musaDevAttrGpuOverlap:
      return give(prop.deviceOverlap);
    case musaDevAttrMultiProcessorCount:
      return give(prop.multiProcessorCount);
    case musaDevAttrKernelExecTimeout:
      return give(prop.kernelExecTimeoutEnabled);
    case musaDevAttrIntegrated:
      return give(prop.integrated);
    case musaDevAttrCanMapHostMemory:
      return give(prop.canMapHostMemory);
    case musaDevAttrComputeMode:
      return give(prop.computeMode);
    case musaDevAttrSurfaceAlignment:
      return give(prop.surfaceAlignment);
    case musaDevAttrConcurrentKernels:
      return give(prop.concurrentKernels);
    case musaDevAttrEccEnabled:
      return give(prop.ECCEnabled);
    case musaDevAttrPciBusId:
      return give(prop.pciBusID);
    case musaDevAttrPciDeviceId:
      return give(prop.pciDeviceID);
    case musaDevAttrPciDomainId:
      return give(prop.pciDomainID);
    case musaDevAttrTccDriver:
      return give(prop.tccDriver);
    case musaDevAttrMemoryClockRate:
      return give(prop.memoryClockRate);
    case musaDevAttrGlobalMemoryBusWidth:
      return give(prop.memoryBusWidth);
    case musaDevAttrL2CacheSize:
      return give(prop.l2CacheSize);
    case musaDevAttrMaxThreadsPerMultiProcessor:
      return give(prop.maxThreadsPerMultiProcessor);
    case musaDevAttrAsyncEngineCount:
      return give(prop.asyncEngineCount);
    case musaDevAttrUnifiedAddressing:
      return give(prop.unifiedAddressing);
    case musaDevAttrTexturePitchAlignment:
      return give(prop.texturePitchAlignment);
    case musaDevAttrComputeCapabilityMajor:
      return give(prop.major);
    case musaDevAttrComputeCapabilityMinor:
      return give(prop.minor);
    case musaDevAttrStreamPrioritiesSupported:
      return give(prop.streamPrioritiesSupported);
    case musaDevAttrGlobalL1CacheSupported:
      return give(prop.globalL1CacheSupported);
    case musaDevAttrLocalL1CacheSupported:
      return give(prop.localL1CacheSupported);
    case musaDevAttrMaxSharedMemoryPerMultiprocessor:
      return give(prop.sharedMemPerMultiprocessor);
    case musaDevAttrMaxRegistersPerMultiprocessor:
      return give(prop.regsPerMultiprocessor);
    case musaDevAttrManagedMemory:
      return give(prop.managedMemory);
    case musaDevAttrIsMultiGpuBoard:
      return give(prop.isMultiGpuBoard);
    case musaDevAttrMultiGpuBoardGroupID:
      return give(prop.multiGpuBoardGroupID);
    case musaDevAttrHostNativeAtomicSupported:
      return give(prop.hostNativeAtomicSupported);
    case musaDevAttrSingleToDoublePrecisionPerfRatio:
      return give(prop.singleToDoublePrecisionPerfRatio);
    case musaDevAttrPageableMemoryAccess:
      return give(prop.pageableMemoryAccess);
    case musaDevAttrConcurrentManagedAccess:
      return give(prop.concurrentManagedAccess);
    case musaDevAttrComputePreemptionSupported:
      return give(prop.computePreemptionSupported);
    case musaDevAttrCanUseHostPointerForRegisteredMem:
      return give(prop.canUseHostPointerForRegisteredMem);
    case musaDevAttrCooperativeLaunch:
      return give(prop.cooperativeLaunch);
    case musaDevAttrCooperativeMultiDeviceLaunch:
      return give(prop.cooperativeMultiDeviceLaunch);
    case musaDevAttrMaxSharedMemoryPerBlockOptin:
      return give(prop.sharedMemPerBlockOptin);
    case musaDevAttrPageableMemoryAccessUsesHostPageTables:
      return give(prop.pageableMemoryAccessUsesHostPageTables);
    case musaDevAttrDirectManagedMemAccessFromHost:
      return give(prop.directManagedMemAccessFromHost);
    case musaDevAttrMaxBlocksPerMultiprocessor:
      return give(prop.maxBlocksPerMultiProcessor);
    case musaDevAttrMaxPersistingL2CacheSize:
      return give(prop.persistingL2CacheMaxSize);
    case musaDevAttrMaxAccessPolicyWindowSize:
      return give(prop.accessPolicyMaxWindowSize);
    case musaDevAttrReservedSharedMemoryPerBlock:
      return give(prop.reservedSharedMemPerBlock);
    default:
      return false;
  }
}

}  // namespace

musaDeviceProp describe(const Device& device) {
  musaDeviceProp prop{};
  std::snprintf(prop.name, sizeof(prop.name), "torchada host (CPU)");
  std::memcpy(prop.uuid.bytes, "torchada-host", 13);
  prop.uuid.bytes[15] = static_cast<unsigned char>(device.physical_index);
  prop.totalGlobalMem = device.memory;
  prop.sharedMemPerBlock = kSharedMemoryPerBlock;
  prop.regsPerBlock = kRegisters;
  prop.warpSize = 32;
  prop.memPitch = kMaxPitch;
  prop.maxThreadsPerBlock = kMaxThreads;
  std::copy_n(std::begin({kMaxThreads, kMaxThreads, 64}), 3, prop.maxThreadsDim);
  std::copy_n(std::begin({INT_MAX, 65535, 65535}), 3, prop.maxGridSize);
  prop.totalConstMem = 64 << 10;
  prop.major = 3;
  prop.minor = 1;
  prop.textureAlignment = 512;
  prop.texturePitchAlignment = 32;
  prop.deviceOverlap = 1;
  prop.multiProcessorCount = usable_cpus();
  prop.integrated = 1;
  prop.canMapHostMemory = 1;
  prop.surfaceAlignment = 512;
  prop.concurrentKernels = 1;
  prop.pciDomainID = kPciDomain;
  prop.pciBusID = device.physical_index;
  prop.asyncEngineCount = 1;
  prop.unifiedAddressing = 1;
  prop.l2CacheSize = l2_cache_size();
  prop.maxThreadsPerMultiProcessor = kMaxThreads;
  prop.streamPrioritiesSupported = 1;
  prop.sharedMemPerMultiprocessor = kSharedMemoryPerBlock;
  prop.regsPerMultiprocessor = kRegisters;
  prop.managedMemory = 1;
  prop.multiGpuBoardGroupID = device.ordinal;
  prop.hostNativeAtomicSupported = 1;
  prop.singleToDoublePrecisionPerfRatio = 2;
  prop.pageableMemoryAccess = 1;
  prop.concurrentManagedAccess = 1;
  prop.computePreemptionSupported = 1;
  prop.canUseHostPointerForRegisteredMem = 1;
  prop.sharedMemPerBlockOptin = kSharedMemoryPerBlock;
  prop.pageableMemoryAccessUsesHostPageTables = 1;
  prop.directManagedMemAccessFromHost = 1;
  prop.maxBlocksPerMultiProcessor = 1;
  return prop;
}

musaError_t read_attribute(const Device& device, musaDeviceAttr attribute, int* value) {
  if (!is_attribute(attribute)) return musaErrorInvalidValue;
  std::size_t field = 0;
  if (read_field(describe(device), attribute, &field)) {
    *value = static_cast<int>(std::min<std::size_t>(field, INT_MAX));
  } else {
    *value = attribute_only(attribute);
  }
  return musaSuccess;
}

}  // namespace musa
