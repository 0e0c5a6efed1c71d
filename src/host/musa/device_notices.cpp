// What a device would tell a program or do for it unasked: memory pressure, caches, writes of other
// hardware, profiling. A CPU has nothing to tell or to do.
#include "src/host/musa/device_properties.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/runtime.h"
#include "src/host/shared/handle_table.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

// A program that registered for notifications. None ever arrives.
struct Listener {
  explicit Listener(int ordinal) : on_device(ordinal) {}
  const int on_device;
};

using Listeners =
    host::HandleTable<host::HandleKind::kListener, musaAsyncCallbackHandle_t, Listener>;

Listeners& listeners() { return host::never_destroyed<Listeners>(); }

musaError_t nothing_to_do() {
  return api([](Runtime&) { return musaSuccess; });
}

}  // namespace

musaError_t device_register_async_notification(int device, musaAsyncCallback callbackFunc, void*,
                                               musaAsyncCallbackHandle_t* callback) {
  return api([&](Runtime& runtime) {
    if (callbackFunc == nullptr || callback == nullptr) return musaErrorInvalidValue;
    if (runtime.device(device) == nullptr) return musaErrorInvalidDevice;
    auto listener = std::make_shared<Listener>(device);
    *callback = listeners().insert(listener);
    return musaSuccess;
  });
}

musaError_t device_unregister_async_notification(int device, musaAsyncCallbackHandle_t callback) {
  return api([&](Runtime& runtime) {
    if (runtime.device(device) == nullptr) return musaErrorInvalidDevice;
    const auto found = listeners().find(callback);
    if (found == nullptr || found->on_device != device) return musaErrorInvalidValue;
    return listeners().remove(callback) != nullptr ? musaSuccess : musaErrorInvalidValue;
  });
}

musaError_t device_flush_gpu_direct_rdma_writes(enum musaFlushGPUDirectRDMAWritesTarget target,
                                                enum musaFlushGPUDirectRDMAWritesScope scope) {
  return api([&](Runtime&) {
    const bool known = target == musaFlushGPUDirectRDMAWritesTargetCurrentDevice &&
                       (scope == musaFlushGPUDirectRDMAWritesToOwner ||
                        scope == musaFlushGPUDirectRDMAWritesToAllDevices);
    // The device's attributes announce that it cannot.
    return known ? musaErrorNotSupported : musaErrorInvalidValue;
  });
}

musaError_t device_get_texture_1d_linear_max_width(size_t* maxWidthInElements,
                                                   const struct musaChannelFormatDesc* fmtDesc,
                                                   int device) {
  return api([&](Runtime& runtime) {
    if (maxWidthInElements == nullptr || fmtDesc == nullptr) return musaErrorInvalidValue;
    const Device* found = runtime.device(device);
    if (found == nullptr) return musaErrorInvalidDevice;
    *maxWidthInElements = static_cast<size_t>(found->properties.maxTexture1DLinear);
    return musaSuccess;
  });
}

musaError_t ctx_reset_persisting_l2_cache() { return nothing_to_do(); }

musaError_t profiler_start() { return nothing_to_do(); }

musaError_t profiler_stop() { return nothing_to_do(); }

}  // namespace musa
