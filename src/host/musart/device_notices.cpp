// What a device would tell a program or do for it unasked: memory pressure, caches, writes of other
// hardware, profiling. A CPU has nothing to tell or to do.
#include "src/host/musart/device_properties.h"
#include "src/host/musart/handles.h"

struct musaAsyncCallbackEntry {};

namespace musart {
namespace {

// A program that registered for notifications. None ever arrives.
struct Listener : musaAsyncCallbackEntry {
  explicit Listener(int ordinal) : on_device(ordinal) {}
  const int on_device;
};

HandleTable<Listener>& listeners() {
  static auto* const table = new HandleTable<Listener>;
  return *table;
}

musaError_t nothing_to_do() {
  return api([](Runtime&) { return musaSuccess; });
}

}  // namespace
}  // namespace musart

using musart::api;
using musart::Runtime;

musaError_t musaDeviceRegisterAsyncNotification(int device, musaAsyncCallback callbackFunc, void*,
                                                musaAsyncCallbackHandle_t* callback) {
  return api([&](Runtime& runtime) {
    if (callbackFunc == nullptr || callback == nullptr) return musaErrorInvalidValue;
    if (runtime.device(device) == nullptr) return musaErrorInvalidDevice;
    auto listener = std::make_shared<musart::Listener>(device);
    *callback =
        static_cast<musaAsyncCallbackHandle_t>(musart::listeners().add(std::move(listener)));
    return musaSuccess;
  });
}

musaError_t musaDeviceUnregisterAsyncNotification(int device, musaAsyncCallbackHandle_t callback) {
  return api([&](Runtime& runtime) {
    if (runtime.device(device) == nullptr) return musaErrorInvalidDevice;
    const auto found = musart::listeners().find(callback);
    if (found == nullptr || found->on_device != device) return musaErrorInvalidValue;
    return musart::listeners().remove(callback) != nullptr ? musaSuccess : musaErrorInvalidValue;
  });
}

musaError_t musaDeviceFlushGPUDirectRDMAWrites(enum musaFlushGPUDirectRDMAWritesTarget target,
                                               enum musaFlushGPUDirectRDMAWritesScope scope) {
  return api([&](Runtime&) {
    const bool known = target == musaFlushGPUDirectRDMAWritesTargetCurrentDevice &&
                       (scope == musaFlushGPUDirectRDMAWritesToOwner ||
                        scope == musaFlushGPUDirectRDMAWritesToAllDevices);
    // The device's attributes announce that it cannot.
    return known ? musaErrorNotSupported : musaErrorInvalidValue;
  });
}

// 0, as in the properties: the device has no textures.
musaError_t musaDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements,
                                                 const struct musaChannelFormatDesc* fmtDesc,
                                                 int device) {
  return api([&](Runtime& runtime) {
    if (maxWidthInElements == nullptr || fmtDesc == nullptr) return musaErrorInvalidValue;
    const musart::Device* found = runtime.device(device);
    if (found == nullptr) return musaErrorInvalidDevice;
    *maxWidthInElements = static_cast<size_t>(musart::describe(*found).maxTexture1DLinear);
    return musaSuccess;
  });
}

musaError_t musaCtxResetPersistingL2Cache() { return musart::nothing_to_do(); }

musaError_t musaProfilerStart() { return musart::nothing_to_do(); }

musaError_t musaProfilerStop() { return musart::nothing_to_do(); }
