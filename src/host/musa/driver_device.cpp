#include <cstring>

#include "src/host/musa/device_properties.h"
#include "src/host/musa/driver_call.h"

namespace musa {
namespace {

// A function about a device, with its object.
template <typename Body>
MUresult device_call(const void* result, MUdevice ordinal, Body&& body) noexcept {
  return driver_call([&](Runtime& runtime) -> musaError_t {
    const Device* device = runtime.device(ordinal);
    if (device == nullptr) return musaErrorInvalidDevice;
    if (result == nullptr) return musaErrorInvalidValue;
    return body(*device);
  });
}

// Attributes that only the driver has. The others have the runtime's numbers.
bool read_own_attribute(MUdevice_attribute attribute, int* value) {
  switch (attribute) {
    case MU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case MU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
      *value = 1;
      return true;
    case MU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER:
    case MU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
    case MU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
    case MU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
    case MU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_MUSA_VMM_SUPPORTED:
    case MU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED:
    case MU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V2:
    case MU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V2:
    case MU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
    case MU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
      *value = 0;
      return true;
    default:
      return false;
  }
}

musaError_t read_driver_attribute(const Device& device, MUdevice_attribute attribute, int* value) {
  constexpr int kMissing = 120;  // CUDA has one there
  if (attribute < MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK ||
      attribute >= MU_DEVICE_ATTRIBUTE_MAX || attribute == kMissing) {
    return musaErrorInvalidValue;
  }
  if (read_own_attribute(attribute, value)) return musaSuccess;
  return read_attribute(device.properties, static_cast<musaDeviceAttr>(attribute), value);
}

void fill_properties(const musaDeviceProp& prop, MUdevprop* result) {
  *result = {};
  result->maxThreadsPerBlock = prop.maxThreadsPerBlock;
  std::memcpy(result->maxThreadsDim, prop.maxThreadsDim, sizeof(result->maxThreadsDim));
  std::memcpy(result->maxGridSize, prop.maxGridSize, sizeof(result->maxGridSize));
  result->sharedMemPerBlock = static_cast<int>(prop.sharedMemPerBlock);
  result->totalConstantMemory = static_cast<int>(prop.totalConstMem);
  result->SIMDWidth = prop.warpSize;
  result->memPitch = static_cast<int>(prop.memPitch);
  result->regsPerBlock = prop.regsPerBlock;
  result->clockRate = prop.clockRate;
  result->textureAlign = static_cast<int>(prop.textureAlignment);
}

}  // namespace
}  // namespace musa

using musa::Device;
using musa::device_call;

MUresult muDeviceGet(MUdevice* device, int ordinal) {
  return device_call(device, ordinal, [&](const Device&) {
    *device = ordinal;
    return musaSuccess;
  });
}

AFTER_INIT(1, muDeviceGetCount, get_device_count)

MUresult muDeviceGetName(char* name, int len, MUdevice dev) {
  return device_call(name, dev, [&](const Device& device) {
    if (len <= 0) return musaErrorInvalidValue;
    const musaDeviceProp& prop = device.properties;
    const auto room = static_cast<size_t>(len) - 1;
    name[std::string_view(prop.name).copy(name, room)] = '\0';
    return musaSuccess;
  });
}

MUresult muDeviceGetUuid_v2(MUuuid* uuid, MUdevice dev) {
  return device_call(uuid, dev, [&](const Device& device) {
    const musaDeviceProp& prop = device.properties;
    std::memcpy(uuid->bytes, prop.uuid.bytes, sizeof(uuid->bytes));
    return musaSuccess;
  });
}

MUresult muDeviceTotalMem_v2(size_t* bytes, MUdevice dev) {
  return device_call(bytes, dev, [&](const Device& device) {
    *bytes = device.memory;
    return musaSuccess;
  });
}

MUresult muDeviceGetAttribute(int* pi, MUdevice_attribute attrib, MUdevice dev) {
  return device_call(pi, dev, [&](const Device& device) {
    return musa::read_driver_attribute(device, attrib, pi);
  });
}

MUresult muDeviceGetProperties(MUdevprop* prop, MUdevice dev) {
  return device_call(prop, dev, [&](const Device& device) {
    musa::fill_properties(device.properties, prop);
    return musaSuccess;
  });
}

MUresult muDeviceComputeCapability(int* major, int* minor, MUdevice dev) {
  return device_call(major, dev, [&](const Device& device) {
    if (minor == nullptr) return musaErrorInvalidValue;
    const musaDeviceProp& prop = device.properties;
    *major = prop.major;
    *minor = prop.minor;
    return musaSuccess;
  });
}

AFTER_INIT(2, muDeviceGetByPCIBusId, device_get_by_pci_bus_id)
AFTER_INIT(3, muDeviceGetPCIBusId, device_get_pci_bus_id)
AFTER_INIT(3, muDeviceCanAccessPeer, device_can_access_peer)
AFTER_INIT(4, muDeviceGetP2PAttribute, device_get_p2p_attribute)
