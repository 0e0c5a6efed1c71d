#include "stubs/cuda/modules.h"

#include <stdint.h>
#include <sys/mman.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/given_functions.h"
#include "stubs/cuda/named_modules.h"
#include "stubs/cuda/old_launch.h"
#include "stubs/kernels/any_clang_name.h"
#include "stubs/kernels/bundle.h"
#include "stubs/kernels/code.h"
#include "stubs/kernels/handles.h"
#include "stubs/kernels/whole_image.h"
#include "stubs/reporting/fallback.h"

namespace torchada::driver {
namespace {

using kernels::BundleHeader;
using kernels::BundlePart;

// What a handle stands for, in memory of its own.
struct Modules {
  size_t bytes;  // Of this memory.
  size_t count;
  void* module[];
};

kernels::HandleTable bundles;

Modules* modules_of(const void* handle) { return static_cast<Modules*>(bundles.value_of(handle)); }

Modules* make_modules(size_t count) {
  const size_t bytes = sizeof(Modules) + count * sizeof(void*);
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const made = static_cast<Modules*>(memory);
  made->bytes = bytes;
  return made;
}

// Returns MUSA's first failure, and goes on.
int end(Modules* modules) {
  int first = 0;
  for (size_t i = 0; i < modules->count; ++i) {
    const int status = muModuleUnload(modules->module[i]);
    if (first == 0) first = status;
  }
  munmap(modules, modules->bytes);
  return first;
}

// Calls use(image) with each image until one fails. The bundle may come from a file that somebody
// changed: nothing beyond the size that it states is read.
template <typename Use>
int for_each_image(const void* bundle, const BundleHeader& header, Use use) {
  constexpr int kDamaged = static_cast<int>(cuda::CUDA_ERROR_INVALID_IMAGE);
  const char* const start = static_cast<const char*>(bundle);
  uint64_t at = sizeof header;
  for (uint64_t i = 0; i < header.count; ++i) {
    BundlePart part;
    if (at > header.size || header.size - at < sizeof part) return fail(kDamaged);
    memcpy(&part, start + at, sizeof part);
    at += sizeof part;
    if (part.size == 0 || part.size > header.size - at) return fail(kDamaged);
    if (kernels::padded(part.size) > header.size - at) return fail(kDamaged);
    if (kernels::is_cut_off(start + at, part.size)) return fail(kDamaged);
    if (const int status = use(start + at)) return status;
    at += kernels::padded(part.size);
  }
  return at == header.size ? 0 : fail(kDamaged);
}

// Calls use(part) with the modules until one has what is asked for. Returns MUSA's status.
template <typename Use>
int in_any(void* module, Use use) {
  const Modules* const modules = modules_of(module);
  if (!modules) return use(module);
  int status = 0;
  for (size_t i = 0; i < modules->count; ++i) {
    status = use(modules->module[i]);
    if (status == 0 || !kernels::says_not_found(status)) break;
  }
  return status;
}

// Calls use(part, name) likewise, and if nothing has that name, with those that clang may have for
// it.
template <typename Use>
int named_in_any(void* module, const char* name, Use use) {
  const auto ask = [&](const char* text) {
    return in_any(module, [&](void* part) { return use(part, text); });
  };
  int status = ask(name);
  if (!name || !kernels::says_not_found(status)) return status;
  kernels::any_clang_name(name, 0, [&](const char* text, size_t) {
    status = ask(text);
    return !kernels::says_not_found(status);
  });
  return status;
}

}  // namespace

int load_bundle(const char* function, void** module, const void* image) {
  if (!module) return fail(kInvalid);
  BundleHeader header;
  memcpy(&header, image, sizeof header);
  // No more than the stated size has room for.
  if (header.count == 0 || header.count > header.size / sizeof(BundlePart)) {
    return fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_IMAGE));
  }
  Modules* const modules = make_modules(header.count);
  if (!modules) return fail(static_cast<int>(cuda::CUDA_ERROR_OUT_OF_MEMORY));
  const int status = for_each_image(image, header, [=](const void* part) {
    const int loaded = outcome({function, "muModuleLoadData"},
                               muModuleLoadData(&modules->module[modules->count], part));
    if (loaded == 0) ++modules->count;
    return loaded;
  });
  void* const handle = status == 0 ? bundles.make(modules) : nullptr;
  if (handle) {
    *module = handle;
    return 0;
  }
  end(modules);
  return status != 0 ? status : fail(static_cast<int>(cuda::CUDA_ERROR_OUT_OF_MEMORY));
}

bool is_bundle_module(const void* module) { return modules_of(module) != nullptr; }

int unload_bundle(const char* function, void* module) {
  auto* const modules = static_cast<Modules*>(bundles.drop(module));
  if (!modules) return fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_HANDLE));
  return outcome({function, "muModuleUnload"}, end(modules));
}

void forget_functions_of(const void* module) {
  forget_given_of(module);
  forget_set_of(module);
}

int unload_module(const char* function, void* module) {
  if (is_named(module)) return unload_names(module);
  forget_functions_of(module);
  if (is_bundle_module(module)) return unload_bundle(function, module);
  return outcome({function, "muModuleUnload"}, muModuleUnload(module));
}

int module_get_function(const char* function, void** out, void* module, const char* name) {
  return outcome({function, "muModuleGetFunction"},
                 named_in_any(module, name, [=](void* part, const char* text) {
                   return muModuleGetFunction(out, part, text);
                 }));
}

int module_get_global(const char* function, unsigned long long* address, size_t* bytes,
                      void* module, const char* name) {
  return outcome({function, "muModuleGetGlobal_v2"},
                 named_in_any(module, name, [=](void* part, const char* text) {
                   return muModuleGetGlobal_v2(address, bytes, part, text);
                 }));
}

void* handle_of_part(void* module) {
  void* const handle = bundles.find([module](const void* value) {
    const auto* const modules = static_cast<const Modules*>(value);
    for (size_t i = 0; i < modules->count; ++i) {
      if (modules->module[i] == module) return true;
    }
    return false;
  });
  return handle ? handle : module;
}

}  // namespace torchada::driver
