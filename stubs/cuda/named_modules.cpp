#include "stubs/cuda/named_modules.h"

#include <stdint.h>
#include <sys/mman.h>

#include "facts.h"
#include "stubs/cuda/in_context.h"
#include "stubs/cuda/refuse_image.h"
#include "stubs/fallback.h"
#include "stubs/kernels/code.h"
#include "stubs/kernels/files.h"
#include "stubs/outcome.h"
#include "stubs/refusal.h"

namespace torchada {

bool kernels::says_not_found(int musa_status) {
  return status_to_cuda(musa_status) == static_cast<int>(cuda::CUDA_ERROR_NOT_FOUND);
}

namespace driver {
namespace {

// The context of each module, null where there is none. A module's handle is its place.
constexpr size_t kMost = size_t{1} << 17;
void** places;
size_t next_place;  // Places are used in turn, so that a handle is not used again at once.

// Null without memory.
void** reserve_places() {
  void** known = __atomic_load_n(&places, __ATOMIC_ACQUIRE);
  if (known) return known;
  void* const memory = mmap(nullptr, kMost * sizeof(void*), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (__atomic_compare_exchange_n(&places, &known, static_cast<void**>(memory), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return static_cast<void**>(memory);
  }
  munmap(memory, kMost * sizeof(void*));
  return known;
}

// Null without memory, or if all places are taken.
void* take_place(void* context) {
  void** const all = reserve_places();
  for (size_t tried = 0; all && tried < kMost; ++tried) {
    void** const place = all + __atomic_fetch_add(&next_place, 1, __ATOMIC_RELAXED) % kMost;
    void* present = nullptr;
    if (__atomic_compare_exchange_n(place, &present, context, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      return place;
    }
  }
  return nullptr;
}

// The module's context. Null if there is no such module.
void* context_of(const void* module) {
  void** const all = __atomic_load_n(&places, __ATOMIC_ACQUIRE);
  const uintptr_t offset = reinterpret_cast<uintptr_t>(module) - reinterpret_cast<uintptr_t>(all);
  if (!all || offset >= kMost * sizeof(void*) || offset % sizeof(void*) != 0) return nullptr;
  return __atomic_load_n(all + offset / sizeof(void*), __ATOMIC_ACQUIRE);
}

int require_context(const char* function, void** context) {
  const int status = outcome({function, "muCtxGetCurrent"}, muCtxGetCurrent(context));
  if (status != 0) return status;
  return *context ? 0 : fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_CONTEXT));
}

int refuse_name(const char* function, const char* name) {
  Text<500> shown;
  shown << name;
  if (shown.truncated()) {
    shown.clear();
    shown.append(name, 490);
    shown << "...";
  }
  Text<150> reason;
  reason << "it is in none of the " << static_cast<int64_t>(kernels::file_count())
         << " kernel libraries of TORCHADA_KERNELS; compile its source for MUSA with mcc";
  return refuse_argument(function, "name", shown.c_str(), reason.c_str(),
                         static_cast<int>(cuda::CUDA_ERROR_NO_BINARY_FOR_GPU));
}

template <typename Use>
int find(const Function& function, void* context, kernels::Kind kind, const char* name, Use use) {
  const uint32_t number = kernels::number_of(name, kind);
  if (number == 0) return fail(static_cast<int>(cuda::CUDA_ERROR_OUT_OF_MEMORY));
  bool exists = true;
  const int status = kernels::with_code(number, context, &exists, use);
  return exists ? outcome(function, status) : refuse_name(function.cuda, name);
}

// In the module's context, which may not be the current one.
template <typename Use>
int find_in_module(const Function& function, void* module, kernels::Kind kind, const char* name,
                   Use use) {
  void* current = nullptr;
  if (const int status = require_context(function.cuda, &current)) return status;
  void* const context = context_of(module);
  if (!context || !name) return fail(kInvalid);
  return in_context(function.cuda, context == current ? nullptr : context,
                    [&] { return find(function, context, kind, name, use); });
}

}  // namespace

int load_names(const char* function, const char* parameter, const char* kind, void** module) {
  if (!kernels::are_given()) return refuse_image(function, parameter, kind);
  void* context = nullptr;
  if (const int status = require_context(function, &context)) return status;
  if (!module) return fail(kInvalid);
  void* const place = take_place(context);
  if (!place) return fail(static_cast<int>(cuda::CUDA_ERROR_OUT_OF_MEMORY));
  *module = place;
  return 0;
}

bool is_named(const void* module) { return context_of(module) != nullptr; }

int unload_names(void* module) {
  void* context = context_of(module);
  // Of two threads that unload it, one finds it gone.
  return context && __atomic_compare_exchange_n(static_cast<void**>(module), &context, nullptr,
                                                false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)
             ? 0
             : fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_HANDLE));
}

int find_kernel(const char* function, void* module, const char* name, void** out) {
  if (!out) return fail(kInvalid);
  return find_in_module({function, "muModuleGetFunction"}, module, kernels::Kind::kKernel, name,
                        [=](const kernels::Code& code) { return kernels::give(code, out); });
}

int find_variable(const char* function, void* module, const char* name, unsigned long long* address,
                  size_t* bytes) {
  return find_in_module({function, "muModuleGetGlobal_v2"}, module, kernels::Kind::kVariable, name,
                        [=](const kernels::Code& code) {
                          if (address) *address = code.address;
                          if (bytes) *bytes = code.bytes;
                          return 0;
                        });
}

bool is_from_kernel_library(const void* kernel) { return kernels::number_of_function(kernel) != 0; }

int refuse_names(const char* function, const char* parameter) {
  return refuse_argument(function, parameter, "(from a kernel library)",
                         "the module of it is torchada's own, and holds other code as well",
                         kUnsupported);
}

}  // namespace driver
}  // namespace torchada
