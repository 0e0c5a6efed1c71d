// Modules of device code. MUSA's images go to MUSA. NVIDIA's are names for what kernel libraries
// have, or refused.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/given_functions.h"
#include "stubs/cuda/jit_log.h"
#include "stubs/cuda/library.h"
#include "stubs/cuda/modules.h"
#include "stubs/cuda/named_modules.h"
#include "stubs/kernels/bundle.h"
#include "stubs/kernels/nvidia_image.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::is_library;
using torchada::driver::is_named;
using torchada::driver::JitLogs;
using torchada::driver::load_bundle;
using torchada::driver::load_names;
using torchada::driver::module_get_function;
using torchada::driver::module_get_global;
using torchada::driver::note_given;
using torchada::driver::passes_as;
using torchada::driver::require_function;
using torchada::driver::Role;
using torchada::driver::with_jit_logs;
using torchada::kernels::examine_file;
using torchada::kernels::examine_image;
using torchada::kernels::is_bundle;
namespace cuda = torchada::cuda;

constexpr int kInvalidHandle = static_cast<int>(cuda::CUDA_ERROR_INVALID_HANDLE);

}  // namespace

int torchada::driver::require_musas(const char* function, void* module) {
  if (is_library(module)) return fail(kInvalidHandle);
  if (is_named(module)) return refuse_names(function, "hmod");
  return is_bundle_module(module) ? fail(static_cast<int>(cuda::CUDA_ERROR_NOT_FOUND)) : 0;
}

extern "C" {

int torchada_adapter_cuModuleLoad(void** module, const char* path) {
  if (const auto found = examine_file(path)) {
    return load_names("cuModuleLoad", "fname", found, module);
  }
  return outcome({"cuModuleLoad", "muModuleLoad"}, muModuleLoad(module, path));
}

int torchada_adapter_cuModuleLoadDataEx(void** module, const void* image, unsigned count,
                                        int* options, void** values) {
  constexpr const char* kName = "cuModuleLoadDataEx";
  return with_jit_logs(count, options, values, [=](JitLogs* logs) {
    if (const auto found = examine_image(image)) {
      const int status = load_names(kName, "image", found, module);
      if (status != 0) logs->say_refused(found);
      return status;
    }
    if (is_bundle(image)) return load_bundle(kName, module, image);
    return outcome({kName, "muModuleLoadDataEx"},
                   muModuleLoadDataEx(module, image, count, options, values));
  });
}

int torchada_adapter_cuModuleUnload(void* module) {
  if (is_library(module)) return fail(kInvalidHandle);
  return torchada::driver::unload_module("cuModuleUnload", module);
}

int torchada_adapter_cuModuleGetFunction(void** function, void* module, const char* name) {
  constexpr const char* kName = "cuModuleGetFunction";
  if (is_library(module)) return fail(kInvalidHandle);
  const bool by_name = is_named(module);
  const int status = by_name ? torchada::driver::find_kernel(kName, module, name, function)
                             : module_get_function(kName, function, module, name);
  if (status == 0) note_given(*function, Role::kFunction, by_name ? nullptr : module, name);
  return status;
}

int torchada_adapter_cuModuleGetGlobal_v2(unsigned long long* address, size_t* bytes, void* module,
                                          const char* name) {
  constexpr const char* kName = "cuModuleGetGlobal_v2";
  if (is_library(module)) return fail(kInvalidHandle);
  if (is_named(module)) {
    return torchada::driver::find_variable(kName, module, name, address, bytes);
  }
  return module_get_global(kName, address, bytes, module, name);
}

int torchada_adapter_cuFuncGetModule(void** module, void* function) {
  constexpr const char* kName = "cuFuncGetModule";
  if (!passes_as(function, Role::kFunction)) return fail(kInvalidHandle);
  if (torchada::driver::is_from_kernel_library(function)) {
    return torchada::driver::refuse_names(kName, "hfunc");
  }
  const int status = outcome({kName, "muFuncGetModule"}, muFuncGetModule(module, function));
  if (status == 0) *module = torchada::driver::handle_of_part(*module);
  return status;
}

// MUSA's modules are loaded as a whole, as CUDA's before 11.7.
int torchada_adapter_cuModuleGetLoadingMode(int* mode) {
  int device = 0;
  const int status =
      outcome({"cuModuleGetLoadingMode", "muDeviceGetCount"}, muDeviceGetCount(&device));
  if (status != 0) return status;
  if (!mode) return fail(torchada::kInvalid);
  *mode = static_cast<int>(cuda::CU_MODULE_EAGER_LOADING);
  return 0;
}

int torchada_adapter_cuFuncIsLoaded(int* state, void* function) {
  if (!state) return fail(torchada::kInvalid);
  if (!passes_as(function, Role::kFunction)) return fail(kInvalidHandle);
  if (const int status = require_function("cuFuncIsLoaded", function)) return status;
  *state = static_cast<int>(cuda::CU_FUNCTION_LOADING_STATE_LOADED);
  return 0;
}

int torchada_adapter_cuFuncLoad(void* function) {
  if (!passes_as(function, Role::kFunction)) return fail(kInvalidHandle);
  return require_function("cuFuncLoad", function);
}

}  // extern "C"
