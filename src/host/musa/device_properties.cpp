#include "src/host/musa/device_properties.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iterator>

#include "src/host/kernels/engine/grid.h"
#include "src/host/musa/config.h"
#include "src/host/musa/device_clock.h"
#include "src/host/shared/variables.h"

namespace musa {
namespace {

// The offsets in MooreThreads/ollama-musa:discover/gpu_info_musart.h at f3286e4, and the size of
// objects of mcc 4.3.5.
static_assert(sizeof(musaDeviceProp) == 1032);
static_assert(offsetof(musaDeviceProp, totalGlobalMem) == 288);
static_assert(offsetof(musaDeviceProp, warpSize) == 308);
static_assert(offsetof(musaDeviceProp, major) == 360);
static_assert(offsetof(musaDeviceProp, multiProcessorCount) == 388);
static_assert(offsetof(musaDeviceProp, reservedSharedMemPerBlock) == 720);
static_assert(offsetof(musaDeviceProp, hostRegisterSupported) == 728);
static_assert(offsetof(musaDeviceProp, reserved) == 780);

// No hardware uses this PCI domain, so nobody mistakes this for a device in that slot.
constexpr int kPciDomain = 0xffff;
constexpr int kRegisters = 65536;
constexpr int kMaxThreads = 1024;
constexpr int kMaxPitch = INT_MAX;
constexpr int kChannelBits = 64;

int usable_cpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

// Programs size their grids by it, and so deal out random numbers.
int processors() {
  static const auto told =
      static_cast<int>(host::number_variable("TORCHADA_HOST_PROCESSORS", 1, 1024, 0));
  return told != 0 ? told : usable_cpus();
}

int l2_cache_size() {
  const long size = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return size > 0 ? static_cast<int>(std::min<long>(size, INT_MAX)) : 0;
}

// Attributes without a field in the fixed properties.
int attribute_only(musaDeviceAttr attribute) {
  switch (attribute) {
    case musaDevAttrCanFlushRemoteWrites:
      return 1;
    case musaDevAttrMultiProcessorCount:
      return processors();
    default:
      // Persisting caches, direct access by other hardware: a CPU has none of them.
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

// Attributes that are fields of the fixed properties.
struct Field {
  musaDeviceAttr attribute;
  std::size_t offset;
  std::size_t size;
};

#define FIELD(attribute, member) \
  { musaDevAttr##attribute, offsetof(musaDeviceProp, member), sizeof(musaDeviceProp::member) }
// `member` names a part of a structure, which cannot stand in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define PLANE(attribute, member) \
  FIELD(attribute##Width, member[0]), FIELD(attribute##Height, member[1])
#define LAYERS(attribute, member) \
  FIELD(attribute##Width, member[0]), FIELD(attribute##Layers, member[1])
#define XYZ(attribute, member) \
  FIELD(attribute##X, member[0]), FIELD(attribute##Y, member[1]), FIELD(attribute##Z, member[2])
// NOLINTEND(bugprone-macro-parentheses)
constexpr Field kFields[] = {
    FIELD(MaxThreadsPerBlock, maxThreadsPerBlock),
    XYZ(MaxBlockDim, maxThreadsDim),
    XYZ(MaxGridDim, maxGridSize),
    FIELD(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    FIELD(TotalConstantMemory, totalConstMem),
    FIELD(WarpSize, warpSize),
    FIELD(MaxPitch, memPitch),
    FIELD(MaxRegistersPerBlock, regsPerBlock),
    FIELD(ClockRate, clockRate),
    FIELD(TextureAlignment, textureAlignment),
    FIELD(GpuOverlap, deviceOverlap),
    FIELD(KernelExecTimeout, kernelExecTimeoutEnabled),
    FIELD(Integrated, integrated),
    FIELD(CanMapHostMemory, canMapHostMemory),
    FIELD(ComputeMode, computeMode),
    FIELD(SurfaceAlignment, surfaceAlignment),
    FIELD(ConcurrentKernels, concurrentKernels),
    FIELD(EccEnabled, ECCEnabled),
    FIELD(PciBusId, pciBusID),
    FIELD(PciDeviceId, pciDeviceID),
    FIELD(PciDomainId, pciDomainID),
    FIELD(TccDriver, tccDriver),
    FIELD(MemoryClockRate, memoryClockRate),
    FIELD(GlobalMemoryBusWidth, memoryBusWidth),
    FIELD(L2CacheSize, l2CacheSize),
    FIELD(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    FIELD(AsyncEngineCount, asyncEngineCount),
    FIELD(UnifiedAddressing, unifiedAddressing),
    FIELD(TexturePitchAlignment, texturePitchAlignment),
    FIELD(ComputeCapabilityMajor, major),
    FIELD(ComputeCapabilityMinor, minor),
    FIELD(StreamPrioritiesSupported, streamPrioritiesSupported),
    FIELD(GlobalL1CacheSupported, globalL1CacheSupported),
    FIELD(LocalL1CacheSupported, localL1CacheSupported),
    FIELD(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    FIELD(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    FIELD(ManagedMemory, managedMemory),
    FIELD(IsMultiGpuBoard, isMultiGpuBoard),
    FIELD(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    FIELD(HostNativeAtomicSupported, hostNativeAtomicSupported),
    FIELD(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    FIELD(PageableMemoryAccess, pageableMemoryAccess),
    FIELD(ConcurrentManagedAccess, concurrentManagedAccess),
    FIELD(ComputePreemptionSupported, computePreemptionSupported),
    FIELD(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    FIELD(CooperativeLaunch, cooperativeLaunch),
    FIELD(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    FIELD(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    FIELD(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    FIELD(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    FIELD(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    FIELD(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    FIELD(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    FIELD(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    FIELD(MaxTexture1DWidth, maxTexture1D),
    PLANE(MaxTexture2D, maxTexture2D),
    PLANE(MaxTexture3D, maxTexture3D),
    FIELD(MaxTexture3DDepth, maxTexture3D[2]),
    PLANE(MaxTexture2DLayered, maxTexture2DLayered),
    FIELD(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
    LAYERS(MaxTexture1DLayered, maxTexture1DLayered),
    PLANE(MaxTexture2DGather, maxTexture2DGather),
    FIELD(MaxTexture3DWidthAlt, maxTexture3DAlt[0]),
    FIELD(MaxTexture3DHeightAlt, maxTexture3DAlt[1]),
    FIELD(MaxTexture3DDepthAlt, maxTexture3DAlt[2]),
    FIELD(MaxTextureCubemapWidth, maxTextureCubemap),
    LAYERS(MaxTextureCubemapLayered, maxTextureCubemapLayered),
    FIELD(MaxSurface1DWidth, maxSurface1D),
    PLANE(MaxSurface2D, maxSurface2D),
    PLANE(MaxSurface3D, maxSurface3D),
    FIELD(MaxSurface3DDepth, maxSurface3D[2]),
    LAYERS(MaxSurface1DLayered, maxSurface1DLayered),
    PLANE(MaxSurface2DLayered, maxSurface2DLayered),
    FIELD(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]),
    FIELD(MaxSurfaceCubemapWidth, maxSurfaceCubemap),
    LAYERS(MaxSurfaceCubemapLayered, maxSurfaceCubemapLayered),
    FIELD(MaxTexture1DLinearWidth, maxTexture1DLinear),
    PLANE(MaxTexture2DLinear, maxTexture2DLinear),
    FIELD(MaxTexture2DLinearPitch, maxTexture2DLinear[2]),
    PLANE(MaxTexture2DMipmapped, maxTexture2DMipmap),
    FIELD(MaxTexture1DMipmappedWidth, maxTexture1DMipmap),
    FIELD(HostRegisterSupported, hostRegisterSupported),
    FIELD(SparseMusaArraySupported, sparseMusaArraySupported),
    FIELD(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
    FIELD(MaxTimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported),
    FIELD(MemoryPoolsSupported, memoryPoolsSupported),
    FIELD(GPUDirectRDMASupported, gpuDirectRDMASupported),
    FIELD(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions),
    FIELD(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering),
    FIELD(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
};
#undef FIELD

// False if the attribute is no field.
bool read_field(const musaDeviceProp& prop, musaDeviceAttr attribute, std::size_t* value) {
  const auto* const found = std::ranges::find(kFields, attribute, &Field::attribute);
  if (found == std::end(kFields)) return false;
  const char* const from = reinterpret_cast<const char*>(&prop) + found->offset;
  int narrow = 0;
  if (found->size == sizeof(narrow)) {
    std::memcpy(&narrow, from, sizeof(narrow));
    *value = static_cast<std::size_t>(narrow);
  } else {
    std::memcpy(value, from, sizeof(*value));
  }
  return true;
}

// What arrays are checked against. They lie in ordinary memory, so the numbers are our choice:
// those that programs for recent devices expect.
void describe_arrays(musaDeviceProp* prop) {
  constexpr int kFlat = 131072;
  constexpr int kDeep = 16384;
  constexpr int kSide = 32768;
  constexpr int kLayers = 2048;
  constexpr int kCubeLayers = 2046;  // whole cubes
  const auto set = [](auto& field, std::initializer_list<int> values) {
    std::ranges::copy(values, field);
  };
  prop->maxTexture1D = prop->maxSurface1D = kFlat;
  prop->maxTexture1DMipmap = kSide;
  prop->maxTexture1DLinear = 1 << 28;
  set(prop->maxTexture2D, {kFlat, kFlat / 2});
  set(prop->maxTexture2DMipmap, {kSide, kSide});
  set(prop->maxTexture2DLinear, {kFlat, kFlat / 2, 1 << 21});
  set(prop->maxTexture2DGather, {kSide, kSide});
  set(prop->maxTexture3D, {kDeep, kDeep, kDeep});
  set(prop->maxTexture3DAlt, {kDeep / 2, kDeep / 2, kDeep * 2});
  set(prop->maxTexture1DLayered, {kSide, kLayers});
  set(prop->maxTexture2DLayered, {kSide, kSide, kLayers});
  prop->maxTextureCubemap = prop->maxSurfaceCubemap = kSide;
  set(prop->maxTextureCubemapLayered, {kSide, kCubeLayers});
  set(prop->maxSurface2D, {kFlat, kFlat / 2});
  set(prop->maxSurface3D, {kDeep, kDeep, kDeep});
  set(prop->maxSurface1DLayered, {kSide, kLayers});
  set(prop->maxSurface2DLayered, {kSide, kSide, kLayers});
  set(prop->maxSurfaceCubemapLayered, {kSide, kCubeLayers});
}

bool is_property(musaAccessProperty property) {
  return property >= musaAccessPropertyNormal && property <= musaAccessPropertyPersisting;
}

}  // namespace

musaDeviceProp fixed_properties(const DeviceIdentity& device) {
  musaDeviceProp prop{};
  std::snprintf(prop.name, sizeof(prop.name), "torchada host (CPU)");
  std::memcpy(prop.uuid.bytes, "torchada-host", 13);
  prop.uuid.bytes[15] = static_cast<unsigned char>(device.physical_index);
  prop.totalGlobalMem = device.memory;
  prop.sharedMemPerBlock = kSharedMemoryPerBlock;
  prop.regsPerBlock = kRegisters;
  prop.warpSize = architecture().warp_size;
  prop.memPitch = kMaxPitch;
  prop.maxThreadsPerBlock = kMaxThreads;
  std::copy_n(std::begin({kMaxThreads, kMaxThreads, 64}), 3, prop.maxThreadsDim);
  prop.maxGridSize[0] = INT_MAX;
  prop.totalConstMem = 64 << 10;
  prop.major = architecture().major;
  prop.minor = architecture().minor;
  prop.clockRate = kClockKilohertz;
  // A CPU does not say what its memory runs at, nor how many channels of 64 bits it has. Programs
  // divide by these numbers and print them.
  prop.memoryClockRate = kClockKilohertz;
  prop.memoryBusWidth = kChannelBits;
  prop.textureAlignment = 512;
  prop.texturePitchAlignment = 32;
  prop.deviceOverlap = 1;
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
  prop.cooperativeLaunch = 1;
  prop.canUseHostPointerForRegisteredMem = 1;
  prop.sharedMemPerBlockOptin = kSharedMemoryPerBlock;
  prop.pageableMemoryAccessUsesHostPageTables = 1;
  prop.directManagedMemAccessFromHost = 1;
  prop.maxBlocksPerMultiProcessor = 1;
  prop.hostRegisterSupported = 1;
  prop.hostRegisterReadOnlySupported = 1;
  prop.memoryPoolsSupported = 1;
  prop.memoryPoolSupportedHandleTypes = musaMemHandleTypePosixFileDescriptor;
  prop.ipcEventSupported = 1;
  describe_arrays(&prop);
  return prop;
}

musaDeviceProp with_processors(const musaDeviceProp& fixed) {
  musaDeviceProp prop = fixed;
  prop.multiProcessorCount = processors();
  return prop;
}

musaError_t check_window(const musaDeviceProp& properties, const musaAccessPolicyWindow& window) {
  const auto largest = static_cast<std::size_t>(properties.accessPolicyMaxWindowSize);
  const bool good = window.num_bytes <= largest && window.hitRatio >= 0.0F &&
                    window.hitRatio <= 1.0F && is_property(window.hitProp) &&
                    is_property(window.missProp) && window.missProp != musaAccessPropertyPersisting;
  return good ? musaSuccess : musaErrorInvalidValue;
}

musaError_t read_attribute(const musaDeviceProp& fixed, musaDeviceAttr attribute, int* value) {
  if (!is_attribute(attribute)) return musaErrorInvalidValue;
  std::size_t field = 0;
  if (read_field(fixed, attribute, &field)) {
    *value = static_cast<int>(std::min<std::size_t>(field, INT_MAX));
  } else {
    *value = attribute_only(attribute);
  }
  return musaSuccess;
}

}  // namespace musa
