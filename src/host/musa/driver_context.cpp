#include "src/host/musa/device.h"
#include "src/host/musa/driver_call.h"
#include "src/host/musa/functions.h"

namespace musa {
namespace {

constexpr unsigned int kApiVersion = 3020;  // assumed, as CUDA's since 3.2

bool are_context_flags(unsigned int flags) {
  const unsigned int schedule = flags & MU_CTX_SCHED_MASK;
  return (flags & ~static_cast<unsigned int>(MU_CTX_FLAGS_MASK)) == 0 &&
         (schedule & (schedule - 1)) == 0;
}

template <typename Body>
MUresult primary_call(MUdevice ordinal, Body&& body) noexcept {
  return driver_call([&](Runtime& runtime) -> musaError_t {
    Device* device = runtime.device(ordinal);
    return device == nullptr ? musaErrorInvalidDevice : body(runtime, *device);
  });
}

// A context that can be made current. A dead primary context can: it may come to life again.
std::shared_ptr<Context> usable_context(MUcontext handle) {
  return handle == nullptr ? nullptr : find_context(handle);
}

musaError_t create(Runtime& runtime, MUcontext* result, unsigned int flags, MUdevice device) {
  if (runtime.device(device) == nullptr) return musaErrorInvalidDevice;
  if (result == nullptr || !are_context_flags(flags)) return musaErrorInvalidValue;
  auto context = create_context(device, flags);
  *result = context->handle;
  push_context(std::move(context));
  return musaSuccess;
}

musaError_t destroy(Runtime& runtime, MUcontext handle) {
  const auto context = usable_context(handle);
  if (context == nullptr || context->primary) return musaErrorDeviceUninitialized;
  Device& device = *runtime.device(context->device);
  MUSA_RETURN_IF_ERROR(wait_all(device, device.pending_everywhere()));
  forget_modules(context.get());
  return destroy_context(handle) ? musaSuccess : musaErrorDeviceUninitialized;
}

musaError_t with_peer(MUcontext peer, musaError_t (*use)(int device)) {
  const auto context = usable_context(peer);
  if (context == nullptr) return musaErrorDeviceUninitialized;
  return use(context->device);
}

}  // namespace
}  // namespace musa

using musa::Context;
using musa::context_call;
using musa::Device;
using musa::driver_call;
using musa::primary_call;
using musa::Runtime;

MUresult muDevicePrimaryCtxRetain(MUcontext* pctx, MUdevice dev) {
  return primary_call(dev, [&](Runtime&, Device&) {
    if (pctx == nullptr) return musaErrorInvalidValue;
    *pctx = musa::retain_primary(dev)->handle;
    return musaSuccess;
  });
}

MUresult muDevicePrimaryCtxRelease_v2(MUdevice dev) {
  return primary_call(dev, [&](Runtime& runtime, Device& device) {
    bool last = false;
    if (!musa::release_primary(dev, &last)) return musaErrorDeviceUninitialized;
    return last ? musa::reset(runtime, device) : musaSuccess;
  });
}

MUresult muDevicePrimaryCtxSetFlags_v2(MUdevice dev, unsigned int flags) {
  return primary_call(dev, [&](Runtime&, Device& device) {
    if (!musa::are_context_flags(flags)) return musaErrorInvalidValue;
    const std::lock_guard lock(device.settings_mutex);
    device.flags = flags;
    return musaSuccess;
  });
}

MUresult muDevicePrimaryCtxGetState(MUdevice dev, unsigned int* flags, int* active) {
  return primary_call(dev, [&](Runtime&, Device& device) {
    if (flags == nullptr || active == nullptr) return musaErrorInvalidValue;
    *active = musa::primary_context(dev)->alive.load() ? 1 : 0;
    const std::lock_guard lock(device.settings_mutex);
    *flags = device.flags;
    return musaSuccess;
  });
}

MUresult muDevicePrimaryCtxReset_v2(MUdevice dev) {
  return primary_call(
      dev, [&](Runtime& runtime, Device& device) { return musa::reset(runtime, device); });
}

MUresult muCtxCreate_v2(MUcontext* pctx, unsigned int flags, MUdevice dev) {
  return driver_call([&](Runtime& runtime) { return musa::create(runtime, pctx, flags, dev); });
}

MUresult muCtxDestroy_v2(MUcontext ctx) {
  return driver_call([&](Runtime& runtime) { return musa::destroy(runtime, ctx); });
}

MUresult muCtxPushCurrent_v2(MUcontext ctx) {
  return driver_call([&](Runtime&) {
    auto context = musa::usable_context(ctx);
    if (context == nullptr) return musaErrorDeviceUninitialized;
    musa::push_context(std::move(context));
    return musaSuccess;
  });
}

MUresult muCtxPopCurrent_v2(MUcontext* pctx) {
  return driver_call([&](Runtime&) {
    const auto popped = musa::pop_context();
    if (popped == nullptr) return musaErrorDeviceUninitialized;
    // The result is optional.
    if (pctx != nullptr) *pctx = popped->handle;
    return musaSuccess;
  });
}

MUresult muCtxSetCurrent(MUcontext ctx) {
  return driver_call([&](Runtime&) {
    auto context = musa::usable_context(ctx);
    if (ctx != nullptr && context == nullptr) return musaErrorDeviceUninitialized;
    musa::set_context(std::move(context));
    return musaSuccess;
  });
}

MUresult muCtxGetCurrent(MUcontext* pctx) {
  return driver_call([&](Runtime&) {
    if (pctx == nullptr) return musaErrorInvalidValue;
    const Context* context = musa::current_context();
    *pctx = context != nullptr ? context->handle : nullptr;
    return musaSuccess;
  });
}

MUresult muCtxGetDevice(MUdevice* device) {
  return context_call([&](Runtime&) {
    if (device == nullptr) return musaErrorInvalidValue;
    *device = musa::current_context()->device;
    return musaSuccess;
  });
}

MUresult muCtxGetFlags(unsigned int* flags) {
  return context_call([&](Runtime& runtime) {
    if (flags == nullptr) return musaErrorInvalidValue;
    const Context& context = *musa::current_context();
    if (!context.primary) {
      *flags = context.flags;
      return musaSuccess;
    }
    Device& device = runtime.chosen();
    const std::lock_guard lock(device.settings_mutex);
    *flags = device.flags;
    return musaSuccess;
  });
}

MUresult muCtxGetApiVersion(MUcontext ctx, unsigned int* version) {
  return driver_call([&](Runtime&) {
    if (version == nullptr) return musaErrorInvalidValue;
    const bool known =
        ctx == nullptr ? musa::current_context() != nullptr : musa::find_context(ctx) != nullptr;
    if (!known) return musaErrorDeviceUninitialized;
    *version = musa::kApiVersion;
    return musaSuccess;
  });
}

MUresult muCtxSynchronize() {
  return context_call([](Runtime& runtime) { return musa::synchronize(runtime.current()); });
}

IN_CONTEXT(2, muCtxSetLimit, device_set_limit)
IN_CONTEXT(2, muCtxGetLimit, device_get_limit)
IN_CONTEXT(1, muCtxGetCacheConfig, device_get_cache_config)
IN_CONTEXT(1, muCtxSetCacheConfig, device_set_cache_config)
IN_CONTEXT(1, muCtxGetSharedMemConfig, device_get_shared_mem_config)
IN_CONTEXT(1, muCtxSetSharedMemConfig, device_set_shared_mem_config)
IN_CONTEXT(2, muCtxGetStreamPriorityRange, device_get_stream_priority_range)
IN_CONTEXT(0, muCtxResetPersistingL2Cache, ctx_reset_persisting_l2_cache)

MUresult muCtxEnablePeerAccess(MUcontext peerContext, unsigned int Flags) {
  return context_call([&](Runtime&) {
    if (Flags != 0) return musaErrorInvalidValue;
    return musa::with_peer(peerContext,
                           [](int device) { return musa::device_enable_peer_access(device, 0); });
  });
}

MUresult muCtxDisablePeerAccess(MUcontext peerContext) {
  return context_call([&](Runtime&) {
    return musa::with_peer(peerContext,
                           [](int device) { return musa::device_disable_peer_access(device); });
  });
}
