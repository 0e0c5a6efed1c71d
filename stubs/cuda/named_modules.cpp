#include "stubs/cuda/named_modules.h"

#include <stdint.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/in_context.h"
#include "stubs/cuda/refuse_image.h"
#include "stubs/kernels/code.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/handles.h"
#include "stubs/kernels/refuse_name.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace torchada {

bool kernels::says_not_found(int musa_status) {
  return status_to_cuda(musa_status) == static_cast<int>(cuda::CUDA_ERROR_NOT_FOUND);
}

namespace driver {
namespace {

int require_context(const char* function, void** context) {
  const int status = outcome({function, "muCtxGetCurrent"}, muCtxGetCurrent(context));
  if (status != 0) return status;
  return *context ? 0 : fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_CONTEXT));
}

template <typename Use>
int find(const Function& function, void* context, kernels::Kind kind, const char* name, Use use) {
  const uint32_t number = kernels::number_of(name, kind);
  if (number == 0) return fail(static_cast<int>(cuda::CUDA_ERROR_OUT_OF_MEMORY));
  bool exists = true;
  const int status = kernels::with_code(number, context, &exists, use);
  return exists ? outcome(function, status)
                : kernels::refuse_name(function.cuda, name,
                                       static_cast<int>(cuda::CUDA_ERROR_NO_BINARY_FOR_GPU));
}

// In the module's context, which may not be the current one.
template <typename Use>
int find_in_module(const Function& function, void* module, kernels::Kind kind, const char* name,
                   Use use) {
  void* current = nullptr;
  if (const int status = require_context(function.cuda, &current)) return status;
  void* const context = kernels::context_of_handle(module);
  if (!context || !name) return fail(kInvalid);
  return in_context(function.cuda, context == current ? nullptr : context,
                    [&] { return find(function, context, kind, name, use); });
}

}  // namespace

int load_names(const char* function, const char* parameter, const kernels::ImageFinding& found,
               void** module) {
  if (found.kind != kernels::ImageFinding::kNvidia || !kernels::are_named()) {
    return refuse_image(function, parameter, found);
  }
  void* context = nullptr;
  if (const int status = require_context(function, &context)) return status;
  if (!module) return fail(kInvalid);
  void* const handle = kernels::make_handle(context);
  if (!handle) return fail(static_cast<int>(cuda::CUDA_ERROR_OUT_OF_MEMORY));
  *module = handle;
  return 0;
}

bool is_named(const void* module) { return kernels::context_of_handle(module) != nullptr; }

int unload_names(void* module) {
  return kernels::drop_handle(module) ? 0 : fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_HANDLE));
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
