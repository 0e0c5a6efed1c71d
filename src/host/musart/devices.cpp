#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaGetDeviceCount(int* count) { return recorded(musa::get_device_count(count)); }

musaError_t musaGetDevice(int* device) { return recorded(musa::get_device(device)); }

musaError_t musaSetDevice(int device) { return recorded(musa::set_device(device)); }

musaError_t musaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return recorded(musa::init_device(device, deviceFlags, flags));
}

musaError_t musaDeviceGetAttribute(int* value, enum musaDeviceAttr attr, int device) {
  return recorded(musa::device_get_attribute(value, attr, device));
}

musaError_t musaGetDeviceProperties(struct musaDeviceProp* prop, int device) {
  return recorded(musa::get_device_properties(prop, device));
}

musaError_t musaGetDeviceProperties_v2(struct musaDeviceProp* prop, int device) {
  return recorded(musa::get_device_properties_v2(prop, device));
}

musaError_t musaChooseDevice(int* device, const struct musaDeviceProp* prop) {
  return recorded(musa::choose_device(device, prop));
}

musaError_t musaSetValidDevices(int* devices, int len) {
  return recorded(musa::set_valid_devices(devices, len));
}

musaError_t musaDeviceSynchronize() { return recorded(musa::device_synchronize()); }

musaError_t musaDeviceReset() { return recorded(musa::device_reset()); }

musaError_t musaDeviceGetLimit(size_t* value, enum musaLimit limit) {
  return recorded(musa::device_get_limit(value, limit));
}

musaError_t musaDeviceSetLimit(enum musaLimit limit, size_t value) {
  return recorded(musa::device_set_limit(limit, value));
}

musaError_t musaDeviceGetCacheConfig(enum musaFuncCache* cacheConfig) {
  return recorded(musa::device_get_cache_config(cacheConfig));
}

musaError_t musaDeviceSetCacheConfig(enum musaFuncCache cacheConfig) {
  return recorded(musa::device_set_cache_config(cacheConfig));
}

musaError_t musaDeviceGetSharedMemConfig(enum musaSharedMemConfig* config) {
  return recorded(musa::device_get_shared_mem_config(config));
}

musaError_t musaDeviceSetSharedMemConfig(enum musaSharedMemConfig config) {
  return recorded(musa::device_set_shared_mem_config(config));
}

musaError_t musaGetDeviceFlags(unsigned int* flags) {
  return recorded(musa::get_device_flags(flags));
}

musaError_t musaSetDeviceFlags(unsigned int flags) {
  return recorded(musa::set_device_flags(flags));
}

musaError_t musaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  return recorded(musa::device_get_pci_bus_id(pciBusId, len, device));
}

musaError_t musaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  return recorded(musa::device_get_by_pci_bus_id(device, pciBusId));
}

musaError_t musaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  return recorded(musa::device_can_access_peer(canAccessPeer, device, peerDevice));
}

musaError_t musaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  return recorded(musa::device_enable_peer_access(peerDevice, flags));
}

musaError_t musaDeviceDisablePeerAccess(int peerDevice) {
  return recorded(musa::device_disable_peer_access(peerDevice));
}

musaError_t musaDeviceGetP2PAttribute(int* value, enum musaDeviceP2PAttr attr, int srcDevice,
                                      int dstDevice) {
  return recorded(musa::device_get_p2p_attribute(value, attr, srcDevice, dstDevice));
}

musaError_t musaDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements,
                                                 const struct musaChannelFormatDesc* fmtDesc,
                                                 int device) {
  return recorded(
      musa::device_get_texture_1d_linear_max_width(maxWidthInElements, fmtDesc, device));
}

musaError_t musaDeviceFlushGPUDirectRDMAWrites(enum musaFlushGPUDirectRDMAWritesTarget target,
                                               enum musaFlushGPUDirectRDMAWritesScope scope) {
  return recorded(musa::device_flush_gpu_direct_rdma_writes(target, scope));
}

musaError_t musaDeviceRegisterAsyncNotification(int device, musaAsyncCallback callbackFunc,
                                                void* userData,
                                                musaAsyncCallbackHandle_t* callback) {
  return recorded(
      musa::device_register_async_notification(device, callbackFunc, userData, callback));
}

musaError_t musaDeviceUnregisterAsyncNotification(int device, musaAsyncCallbackHandle_t callback) {
  return recorded(musa::device_unregister_async_notification(device, callback));
}

musaError_t musaCtxResetPersistingL2Cache() {
  return recorded(musa::ctx_reset_persisting_l2_cache());
}

musaError_t musaProfilerStart() { return recorded(musa::profiler_start()); }

musaError_t musaProfilerStop() { return recorded(musa::profiler_stop()); }
