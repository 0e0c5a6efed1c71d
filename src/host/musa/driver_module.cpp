// Images of device code: modules, the functions and the variables in them.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "src/host/musa/config.h"
#include "src/host/musa/device_properties.h"
#include "src/host/musa/driver_call.h"
#include "src/host/musa/functions.h"
#include "src/host/shared/handle_table.h"
#include "src/host/shared/image_file.h"
#include "src/host/shared/never_destroyed.h"
#include "src/host/shared/own_descriptor.h"
#include "src/host/shared/say.h"

namespace musa {
namespace {

struct LoadedModule {
  std::shared_ptr<Module> module;
  std::shared_ptr<Context> context;
  // Asking for a function twice gives the same handle.
  std::map<std::string, MUfunction> functions;
};

std::mutex& modules_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

// Guarded by the mutex, with what is in them.
std::map<MUmodule, LoadedModule>& modules() {
  return host::never_destroyed<std::map<MUmodule, LoadedModule>>();
}

using Functions = host::HandleTable<host::HandleKind::kFunction, MUfunction, Function>;

Functions& functions() { return host::never_destroyed<Functions>(); }

MUmodule new_handle() {
  static host::HandleNumbers<host::HandleKind::kModule> numbers;
  return reinterpret_cast<MUmodule>(numbers.next());
}

// The variables are memory of the device: copies and fills know them.
void note_variables(const LoadedModule& loaded) {
  for (const auto& [name, variable] : loaded.module->variables()) {
    Allocation allocation;
    allocation.base = reinterpret_cast<std::uintptr_t>(variable->address);
    allocation.size = variable->size;
    allocation.kind = MemoryKind::kVariable;
    allocation.device = loaded.context->device;
    Runtime::get().allocations.insert(allocation);
  }
}

void forget(const LoadedModule& loaded) {
  for (const auto& [name, function] : loaded.functions) functions().remove(function);
  for (const auto& [name, variable] : loaded.module->variables()) {
    Runtime::get().allocations.take(variable->address, [](const Allocation& allocation) {
      return allocation.kind == MemoryKind::kVariable;
    });
  }
}

// `image`: what load_module() takes.
template <typename Image>
MUresult load(MUmodule* module, bool arguments_good, Image image) {
  return context_call([&](Runtime& runtime) {
    if (module == nullptr || !arguments_good) return musaErrorInvalidValue;
    MUSA_RETURN_IF_ERROR(runtime.current().fault.load());
    LoadedModule loaded;
    MUSA_RETURN_IF_ERROR(load_module(image, &loaded.module));
    loaded.context = find_context(current_context()->handle);
    note_variables(loaded);
    const std::lock_guard lock(modules_mutex());
    *module = new_handle();
    modules().emplace(*module, std::move(loaded));
    return musaSuccess;
  });
}

// `use` gets the module, with the lock held.
template <typename Use>
MUresult with_module(bool arguments_good, MUmodule handle, Use&& use) {
  return context_call([&](Runtime&) -> musaError_t {
    if (!arguments_good) return musaErrorInvalidValue;
    const std::lock_guard lock(modules_mutex());
    const auto found = modules().find(handle);
    return found == modules().end() ? musaErrorInvalidResourceHandle : use(found->second);
  });
}

template <typename Use>
MUresult with_function(bool arguments_good, MUfunction handle, Use&& use) {
  return context_call([&](Runtime& runtime) -> musaError_t {
    if (!arguments_good) return musaErrorInvalidValue;
    const auto function = functions().find(handle);
    return function == nullptr ? musaErrorInvalidResourceHandle
                               : use(*function, with_processors(runtime.current().properties));
  });
}

// The constants of an image lie together, and every function of it can reach them all.
std::uint64_t constant_bytes(const Module& module) {
  std::uint64_t bytes = 0;
  for (const auto& [name, variable] : module.variables()) {
    if (variable->is_constant != 0) bytes += variable->size;
  }
  return bytes;
}

musaError_t read_function_attribute(const Function& function, MUfunction_attribute attribute,
                                    int* value) {
  switch (attribute) {
    case MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = static_cast<int>(function.most_threads());
      return musaSuccess;
    case MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(function.kernel.shared_size);
      return musaSuccess;
    case MU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(constant_bytes(*function.module));
      return musaSuccess;
    case MU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    case MU_FUNC_ATTRIBUTE_NUM_REGS:
    case MU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = 0;  // A CPU has nothing that corresponds.
      return musaSuccess;
    case MU_FUNC_ATTRIBUTE_PTX_VERSION:
    case MU_FUNC_ATTRIBUTE_BINARY_VERSION:
      // CUB chooses by it how many threads it launches.
      *value = static_cast<int>(function.module->image().cuda_arch / 10);
      if (*value == 0) *value = architecture().major * 10 + architecture().minor;
      return musaSuccess;
    case MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = function.most_dynamic_shared.load();
      return musaSuccess;
    case MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = function.carveout.load();
      return musaSuccess;
    default:
      return musaErrorInvalidValue;
  }
}

musaError_t set_attribute(Function& function, MUfunction_attribute attribute, int value) {
  if (attribute == MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    const int most = static_cast<int>(kSharedMemoryPerBlock - function.kernel.shared_size);
    if (value < 0 || value > most) return musaErrorInvalidValue;
    function.most_dynamic_shared.store(value);
    return musaSuccess;
  }
  if (attribute != MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT || value < -1 ||
      value > 100) {
    return musaErrorInvalidValue;
  }
  function.carveout.store(value);
  return musaSuccess;
}

MUresult count_blocks(int* blocks, MUfunction handle, int threads, std::size_t dynamic_shared,
                      unsigned int flags) {
  const bool good =
      blocks != nullptr && threads > 0 &&
      (flags & ~static_cast<unsigned int>(MU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)) == 0;
  return with_function(good, handle, [&](const Function& function, const musaDeviceProp&) {
    *blocks = function.active_blocks(static_cast<unsigned int>(threads), dynamic_shared);
    return musaSuccess;
  });
}

MUresult best_block(int* grid, int* block, MUfunction handle, MUoccupancyB2DSize dynamic_shared_of,
                    std::size_t dynamic_shared, int limit, unsigned int flags) {
  const bool good =
      grid != nullptr && block != nullptr && limit >= 0 &&
      (flags & ~static_cast<unsigned int>(MU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)) == 0;
  return with_function(good, handle, [&](const Function& function, const musaDeviceProp& prop) {
    int threads = static_cast<int>(function.most_threads());
    if (limit != 0) threads = std::min(threads, limit);
    for (; threads > 0; threads = (threads - 1) / prop.warpSize * prop.warpSize) {
      const std::size_t shared =
          dynamic_shared_of != nullptr ? dynamic_shared_of(threads) : dynamic_shared;
      if (function.active_blocks(static_cast<unsigned int>(threads), shared) == 0) continue;
      *grid = prop.multiProcessorCount;
      *block = threads;
      return musaSuccess;
    }
    return musaErrorInvalidValue;
  });
}

}  // namespace

Function::Function(std::shared_ptr<Module> owner, const torchada_kernel& found, MUmodule in_module,
                   const Context* where)
    : module(std::move(owner)),
      kernel(found),
      module_handle(in_module),
      context(where),
      most_dynamic_shared(static_cast<int>(kSharedMemoryPerBlock - found.shared_size)) {}

unsigned int Function::most_threads() const {
  constexpr unsigned int kDevice = 1024;
  return kernel.max_threads == 0 ? kDevice : std::min<unsigned int>(kernel.max_threads, kDevice);
}

int Function::active_blocks(std::uint64_t threads, std::size_t dynamic_shared) const {
  const bool fits = threads <= most_threads() &&
                    dynamic_shared <= static_cast<std::size_t>(most_dynamic_shared.load());
  return fits ? 1 : 0;
}

std::shared_ptr<Function> loaded_function(const void* handle) {
  return functions().find(static_cast<MUfunction>(const_cast<void*>(handle)));
}

void forget_modules(const Context* context) {
  std::vector<LoadedModule> ended;  // closed after the lock
  const std::lock_guard lock(modules_mutex());
  for (auto each = modules().begin(); each != modules().end();) {
    if (each->second.context.get() == context) {
      forget(each->second);
      ended.push_back(std::move(each->second));
      each = modules().erase(each);
    } else {
      ++each;
    }
  }
}

}  // namespace musa

using musa::with_function;
using musa::with_module;

MUresult muModuleLoad(MUmodule* module, const char* fname) {
  if (module == nullptr || fname == nullptr)
    return musa::load(module, false, static_cast<const void*>(nullptr));
  // A FIFO has perhaps no writer, and a terminal must not become the program's.
  const int file = host::above_standard(open(fname, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  std::string why;
  if (file < 0 || !host::is_trusted(file, &why)) {
    if (file >= 0) {
      close(file);
      host::say(std::string(fname) + " is refused as device code: " + why);
    }
    return musa::context_call([](musa::Runtime&) { return musaErrorFileNotFound; });
  }
  const MUresult loaded = musa::load(module, true, file);
  close(file);
  return loaded;
}

MUresult muModuleLoadData(MUmodule* module, const void* image) {
  return musa::load(module, image != nullptr, image);
}

MUresult muModuleLoadDataEx(MUmodule* module, const void* image, unsigned int numOptions,
                            MUjit_option* options, void** optionValues) {
  const bool good = numOptions == 0 || (options != nullptr && optionValues != nullptr);
  return musa::load(module, good && image != nullptr, image);
}

MUresult muModuleLoadFatBinary(MUmodule* module, const void* fatMubin) {
  return musa::load(module, fatMubin != nullptr, fatMubin);
}

MUresult muModuleUnload(MUmodule hmod) {
  const MUresult known = with_module(true, hmod, [](musa::LoadedModule&) { return musaSuccess; });
  if (known != MUSA_SUCCESS) return known;
  // Work that has been submitted may use its functions and variables.
  const MUresult waited = musa::context_call([](musa::Runtime& runtime) {
    musa::Device& device = runtime.current();
    const musaError_t status = musa::wait_all(device, device.pending_everywhere());
    return status == musaErrorNotPermitted ? status : musaSuccess;
  });
  if (waited != MUSA_SUCCESS) return waited;
  musa::LoadedModule unloaded;  // closed after the lock
  return with_module(true, hmod, [&](musa::LoadedModule& loaded) {
    musa::forget(loaded);
    unloaded = std::move(loaded);
    musa::modules().erase(hmod);
    return musaSuccess;
  });
}

MUresult muModuleGetFunction(MUfunction* hfunc, MUmodule hmod, const char* name) {
  return with_module(hfunc != nullptr && name != nullptr, hmod, [&](musa::LoadedModule& loaded) {
    const torchada_kernel* const kernel = loaded.module->kernel(name);
    if (kernel == nullptr) return musaErrorSymbolNotFound;
    MUfunction& handle = loaded.functions[name];
    if (handle == nullptr) {
      auto made =
          std::make_shared<musa::Function>(loaded.module, *kernel, hmod, loaded.context.get());
      handle = musa::functions().insert(made);
    }
    *hfunc = handle;
    return musaSuccess;
  });
}

// Either result is optional, but not both.
MUresult muModuleGetGlobal_v2(MUdeviceptr* dptr, size_t* bytes, MUmodule hmod, const char* name) {
  const bool good = (dptr != nullptr || bytes != nullptr) && name != nullptr;
  return with_module(good, hmod, [&](musa::LoadedModule& loaded) {
    const torchada_variable* const variable = loaded.module->variable(name);
    if (variable == nullptr) return musaErrorSymbolNotFound;
    if (dptr != nullptr) *dptr = reinterpret_cast<MUdeviceptr>(variable->address);
    if (bytes != nullptr) *bytes = variable->size;
    return musaSuccess;
  });
}

// No image has references of textures or surfaces.
#define NO_REFERENCE(function)                                \
  HOST_ANSWER(MUresult, 3, function,                          \
              with_module(a0 != nullptr && a2 != nullptr, a1, \
                          [](musa::LoadedModule&) { return musaErrorSymbolNotFound; }))
NO_REFERENCE(muModuleGetTexRef)
NO_REFERENCE(muModuleGetSurfRef)

MUresult muFuncGetAttribute(int* pi, MUfunction_attribute attrib, MUfunction hfunc) {
  return with_function(pi != nullptr, hfunc,
                       [&](const musa::Function& function, const musaDeviceProp&) {
                         return musa::read_function_attribute(function, attrib, pi);
                       });
}

MUresult muFuncSetAttribute(MUfunction hfunc, MUfunction_attribute attrib, int value) {
  return with_function(true, hfunc, [&](musa::Function& function, const musaDeviceProp&) {
    return musa::set_attribute(function, attrib, value);
  });
}

MUresult muFuncGetModule(MUmodule* hmod, MUfunction hfunc) {
  return with_function(hmod != nullptr, hfunc,
                       [&](const musa::Function& function, const musaDeviceProp&) {
                         *hmod = function.module_handle;
                         return musaSuccess;
                       });
}

// The CPU's caches have no settings.
#define NO_SETTING(function, last)                                                        \
  HOST_ANSWER(MUresult, 2, function,                                                      \
              with_function(true, a0, [&](const musa::Function&, const musaDeviceProp&) { \
                return a1 >= 0 && a1 <= (last) ? musaSuccess : musaErrorInvalidValue;     \
              }))
NO_SETTING(muFuncSetCacheConfig, MU_FUNC_CACHE_PREFER_EQUAL)
NO_SETTING(muFuncSetSharedMemConfig, MU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)

HOST_ANSWER(MUresult, 4, muOccupancyMaxActiveBlocksPerMultiprocessor,
            musa::count_blocks(a0, a1, a2, a3, 0))
HOST_ANSWER(MUresult, 5, muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
            musa::count_blocks(a0, a1, a2, a3, a4))
HOST_ANSWER(MUresult, 6, muOccupancyMaxPotentialBlockSize,
            musa::best_block(a0, a1, a2, a3, a4, a5, 0))
HOST_ANSWER(MUresult, 7, muOccupancyMaxPotentialBlockSizeWithFlags,
            musa::best_block(a0, a1, a2, a3, a4, a5, a6))
