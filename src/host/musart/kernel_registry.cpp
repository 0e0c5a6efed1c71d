#include "src/host/musart/kernel_registry.h"

#include <memory>
#include <unordered_map>

#include "src/host/musart/error.h"

namespace musart {
namespace {

class KernelRegistry {
 public:
  // Made by the first registration, before main, and never destroyed.
  static KernelRegistry& get() {
    static auto* const registry = new KernelRegistry;
    return *registry;
  }
  void add(const void* function, const char* name, int thread_limit) {
    auto kernel = std::make_unique<KernelFunction>(name, thread_limit > 0 ? thread_limit : 0);
    const std::lock_guard lock(mutex_);
    // Registering a function again changes nothing, so the first handles stay valid.
    if (by_address_.count(function) != 0) return;
    KernelFunction* const added = kernel.get();
    kernels_[added] = std::move(kernel);
    by_address_[function] = added;
  }
  KernelFunction* find(const void* function) {
    const std::lock_guard lock(mutex_);
    const auto by_address = by_address_.find(function);
    if (by_address != by_address_.end()) return by_address->second;
    const auto by_handle = kernels_.find(function);
    return by_handle == kernels_.end() ? nullptr : by_handle->second.get();
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, std::unique_ptr<KernelFunction>> kernels_;
  std::unordered_map<const void*, KernelFunction*> by_address_;
};

// The handle that programs get for their image and pass with every function. Nothing reads it.
void* registered_image = nullptr;

}  // namespace

KernelFunction* find_kernel(const void* function) { return KernelRegistry::get().find(function); }

}  // namespace musart

extern "C" {

// Names from a mechanical rename table
// (MooreThreads/torch_musa:torch_musa/utils/mapping/general.json at 8b583b3), arguments by analogy
// with CUDA. Only the tree "assumed" exports them.
MUSARTAPI void** __musaRegisterFatBinary(void* fatBinary);
MUSARTAPI void __musaRegisterFunction(void** fatBinaryHandle, const char* hostFunction,
                                      char* deviceFunction, const char* deviceName, int threadLimit,
                                      uint3* threadIds, uint3* blockIds, dim3* blockDim,
                                      dim3* gridDim, int* warpSize);

void** __musaRegisterFatBinary(void*) { return &musart::registered_image; }

void __musaRegisterFunction(void**, const char* hostFunction, char* deviceFunction,
                            const char* deviceName, int threadLimit, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  const char* name = deviceName != nullptr ? deviceName : deviceFunction;
  if (hostFunction == nullptr || name == nullptr) return;
  // Before main nobody can receive an error. A function that could not be stored stays unknown.
  try {
    musart::KernelRegistry::get().add(hostFunction, name, threadLimit);
  } catch (...) {
    return;
  }
}

}  // extern "C"
