// Access from one device to another. All devices are the same CPU, so access always works; only the
// protocol is checked.
#include "src/host/musa/operations.h"
#include "src/host/musa/runtime.h"

namespace musa {

musaError_t device_can_access_peer(int* canAccessPeer, int device, int peerDevice) {
  return api([&](Runtime& runtime) {
    if (canAccessPeer == nullptr) return musaErrorInvalidValue;
    if (runtime.device(device) == nullptr || runtime.device(peerDevice) == nullptr) {
      return musaErrorInvalidDevice;
    }
    *canAccessPeer = device != peerDevice ? 1 : 0;
    return musaSuccess;
  });
}

musaError_t device_enable_peer_access(int peerDevice, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (flags != 0) return musaErrorInvalidValue;
    Device& device = runtime.current();
    if (runtime.device(peerDevice) == nullptr || peerDevice == device.ordinal) {
      return musaErrorInvalidDevice;
    }
    const std::lock_guard lock(device.settings_mutex);
    return device.peers.insert(peerDevice).second ? musaSuccess : musaErrorPeerAccessAlreadyEnabled;
  });
}

musaError_t device_disable_peer_access(int peerDevice) {
  return api([&](Runtime& runtime) {
    if (runtime.device(peerDevice) == nullptr) return musaErrorInvalidDevice;
    Device& device = runtime.current();
    const std::lock_guard lock(device.settings_mutex);
    return device.peers.erase(peerDevice) != 0 ? musaSuccess : musaErrorPeerAccessNotEnabled;
  });
}

musaError_t device_get_p2p_attribute(int* value, enum musaDeviceP2PAttr attr, int srcDevice,
                                     int dstDevice) {
  return api([&](Runtime& runtime) {
    if (value == nullptr) return musaErrorInvalidValue;
    if (runtime.device(srcDevice) == nullptr || runtime.device(dstDevice) == nullptr ||
        srcDevice == dstDevice) {
      return musaErrorInvalidDevice;
    }
    switch (attr) {
      case musaDevP2PAttrPerformanceRank:
        *value = 0;
        return musaSuccess;
      case musaDevP2PAttrAccessSupported:
      case musaDevP2PAttrNativeAtomicSupported:
        *value = 1;
        return musaSuccess;
      case musaDevP2PAttrMusaArrayAccessSupported:
        *value = 0;
        return musaSuccess;
    }
    return musaErrorInvalidValue;
  });
}

}  // namespace musa
