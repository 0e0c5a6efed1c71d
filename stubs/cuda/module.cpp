// Modules of device code. MUSA's images go to MUSA; NVIDIA's are refused by name.
#include <stddef.h>

#include "facts.h"
#include "stubs/cuda/image.h"
#include "stubs/cuda/refuse_image.h"
#include "stubs/fallback.h"
#include "stubs/outcome.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::kUnknownSize;
using torchada::driver::name_of_nvidia_file;
using torchada::driver::name_of_nvidia_image;
using torchada::driver::refuse_image;
namespace cuda = torchada::cuda;

// 0 if MUSA knows the function.
int require_function(const char* name, void* function) {
  int threads = 0;
  return outcome(
      {name, "muFuncGetAttribute"},
      muFuncGetAttribute(&threads, static_cast<int>(cuda::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
                         function));
}

}  // namespace

extern "C" {

int torchada_adapter_cuModuleLoad(void** module, const char* path) {
  if (const char* const kind = name_of_nvidia_file(path)) {
    return refuse_image("cuModuleLoad", "fname", kind);
  }
  return outcome({"cuModuleLoad", "muModuleLoad"}, muModuleLoad(module, path));
}

int torchada_adapter_cuModuleLoadData(void** module, const void* image) {
  if (const char* const kind = name_of_nvidia_image(image, kUnknownSize)) {
    return refuse_image("cuModuleLoadData", "image", kind);
  }
  return outcome({"cuModuleLoadData", "muModuleLoadData"}, muModuleLoadData(module, image));
}

int torchada_adapter_cuModuleLoadDataEx(void** module, const void* image, unsigned count,
                                        int* options, void** values) {
  if (const char* const kind = name_of_nvidia_image(image, kUnknownSize)) {
    return refuse_image("cuModuleLoadDataEx", "image", kind);
  }
  return outcome({"cuModuleLoadDataEx", "muModuleLoadDataEx"},
                 muModuleLoadDataEx(module, image, count, options, values));
}

int torchada_adapter_cuModuleLoadFatBinary(void** module, const void* image) {
  if (const char* const kind = name_of_nvidia_image(image, kUnknownSize)) {
    return refuse_image("cuModuleLoadFatBinary", "fatCubin", kind);
  }
  return outcome({"cuModuleLoadFatBinary", "muModuleLoadFatBinary"},
                 muModuleLoadFatBinary(module, image));
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
  if (const int status = require_function("cuFuncIsLoaded", function)) return status;
  *state = static_cast<int>(cuda::CU_FUNCTION_LOADING_STATE_LOADED);
  return 0;
}

int torchada_adapter_cuFuncLoad(void* function) { return require_function("cuFuncLoad", function); }

}  // extern "C"
