// The attributes of a registered function, and the settings that a program makes for it on a
// device.
#include <string>

#include "src/host/musart/call.h"
#include "src/host/musart/kernel_registry.h"

namespace musart {
namespace {

constexpr int kLargestCarveout = 100;  // percent
constexpr int kLargestSchedulingPolicy = 2;

bool is_between(int value, int least, int greatest) { return value >= least && value <= greatest; }

musaError_t set_attribute(KernelSettings& settings, const musaDeviceProp& prop,
                          musaFuncAttribute attribute, int value) {
  const auto set = [&](int* field, int least, int greatest) {
    if (!is_between(value, least, greatest)) return musaErrorInvalidValue;
    *field = value;
    return musaSuccess;
  };
  switch (static_cast<int>(attribute)) {
    case musaFuncAttributeMaxDynamicSharedMemorySize:
      return set(&settings.max_dynamic_shared, 0, static_cast<int>(prop.sharedMemPerBlockOptin));
    case musaFuncAttributePreferredSharedMemoryCarveout:
      return set(&settings.carveout, -1, kLargestCarveout);
    case musaFuncAttributeRequiredClusterWidth:
    case musaFuncAttributeRequiredClusterHeight:
    case musaFuncAttributeRequiredClusterDepth:
      return set(&settings.cluster[attribute - musaFuncAttributeRequiredClusterWidth], 0,
                 prop.maxThreadsPerBlock);
    case musaFuncAttributeNonPortableClusterSizeAllowed:
      return set(&settings.nonportable_cluster, 0, 1);
    case musaFuncAttributeClusterSchedulingPolicyPreference:
      return set(&settings.scheduling_policy, 0, kLargestSchedulingPolicy);
    default:
      // The other attributes are read-only.
      return musaErrorInvalidValue;
  }
}

template <typename Use>
musaError_t with_kernel(const void* function, Use&& use) {
  return call([&](int device) {
    KernelFunction* kernel = find_kernel(function);
    return kernel == nullptr ? musaErrorInvalidDeviceFunction : use(device, *kernel);
  });
}

musaError_t set_on_device(KernelFunction& kernel, int device, musaFuncAttribute attribute,
                          int value) {
  const std::lock_guard lock(kernel.mutex);
  return set_attribute(kernel.settings[device], properties_of(device), attribute, value);
}

template <typename Handle>
musaError_t give_handle(Handle* handle, const void* function) {
  return call([&](int) {
    if (handle == nullptr || function == nullptr) return musaErrorInvalidValue;
    KernelFunction* kernel = find_kernel(function);
    if (kernel == nullptr) return musaErrorInvalidDeviceFunction;
    *handle = reinterpret_cast<Handle>(kernel);
    return musaSuccess;
  });
}

}  // namespace
}  // namespace musart

using musart::call;
using musart::KernelFunction;
using musart::with_kernel;

musaError_t musaFuncGetAttributes(struct musaFuncAttributes* attr, const void* func) {
  return call([&](int device) {
    if (attr == nullptr) return musaErrorInvalidValue;
    KernelFunction* kernel = musart::find_kernel(func);
    if (kernel == nullptr) return musaErrorInvalidDeviceFunction;
    const musaDeviceProp prop = musart::properties_of(device);
    const std::lock_guard lock(kernel->mutex);
    const musart::KernelSettings& settings = kernel->settings[device];
    // Without an image for this device, the function has no registers, no constants and no code.
    *attr = {};
    attr->maxThreadsPerBlock =
        kernel->thread_limit > 0 ? kernel->thread_limit : prop.maxThreadsPerBlock;
    attr->maxDynamicSharedSizeBytes = settings.max_dynamic_shared > 0
                                          ? settings.max_dynamic_shared
                                          : static_cast<int>(prop.sharedMemPerBlock);
    attr->preferredShmemCarveout = settings.carveout;
    attr->requiredClusterWidth = settings.cluster[0];
    attr->requiredClusterHeight = settings.cluster[1];
    attr->requiredClusterDepth = settings.cluster[2];
    attr->clusterSchedulingPolicyAllowed = settings.scheduling_policy;
    attr->nonPortableClusterSizeAllowed = settings.nonportable_cluster;
    return musaSuccess;
  });
}

musaError_t musaFuncSetAttribute(const void* func, enum musaFuncAttribute attr, int value) {
  return with_kernel(func, [&](int device, KernelFunction& kernel) {
    return musart::set_on_device(kernel, device, attr, value);
  });
}

musaError_t musaKernelSetAttributeForDevice(musaKernel_t kernel, enum musaFuncAttribute attr,
                                            int value, int device) {
  return call([&](int) {
    KernelFunction* found = musart::find_kernel(kernel);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    int count = 0;
    static_cast<void>(musa::get_device_count(&count));
    if (device < 0 || device >= count) return musaErrorInvalidDevice;
    return musart::set_on_device(*found, device, attr, value);
  });
}

musaError_t musaFuncSetCacheConfig(const void* func, enum musaFuncCache cacheConfig) {
  return with_kernel(func, [&](int device, KernelFunction& kernel) {
    if (cacheConfig < musaFuncCachePreferNone || cacheConfig > musaFuncCachePreferEqual) {
      return musaErrorInvalidValue;
    }
    const std::lock_guard lock(kernel.mutex);
    kernel.settings[device].cache = cacheConfig;
    return musaSuccess;
  });
}

musaError_t musaFuncSetSharedMemConfig(const void* func, enum musaSharedMemConfig config) {
  return with_kernel(func, [&](int device, KernelFunction& kernel) {
    if (config < musaSharedMemBankSizeDefault || config > musaSharedMemBankSizeEightByte) {
      return musaErrorInvalidValue;
    }
    const std::lock_guard lock(kernel.mutex);
    kernel.settings[device].shared_banks = config;
    return musaSuccess;
  });
}

musaError_t musaFuncGetName(const char** name, const void* func) {
  return call([&](int) {
    if (name == nullptr || func == nullptr) return musaErrorInvalidValue;
    const KernelFunction* kernel = musart::find_kernel(func);
    if (kernel == nullptr) return musaErrorInvalidDeviceFunction;
    *name = kernel->name.c_str();
    return musaSuccess;
  });
}

// The image holds the offsets and sizes of parameters. This device has no image.
musaError_t musaFuncGetParamInfo(const void* func, size_t, size_t* paramOffset, size_t* paramSize) {
  return with_kernel(func, [&](int, KernelFunction&) {
    return paramOffset == nullptr || paramSize == nullptr ? musaErrorInvalidValue
                                                          : musaErrorNoKernelImageForDevice;
  });
}

musaError_t musaGetFuncBySymbol(musaFunction_t* functionPtr, const void* symbolPtr) {
  return musart::give_handle(functionPtr, symbolPtr);
}

musaError_t musaGetKernel(musaKernel_t* kernelPtr, const void* entryFuncAddr) {
  return musart::give_handle(kernelPtr, entryFuncAddr);
}
