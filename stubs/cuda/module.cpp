// Modules and libraries of device code. MUSA's images go to MUSA; NVIDIA's are refused by name.
#include <stddef.h>

#include "facts.h"
#include "stubs/cuda/image.h"
#include "stubs/fallback.h"
#include "stubs/outcome.h"
#include "stubs/refusal.h"

namespace {

using torchada::fail;
using torchada::Function;
using torchada::outcome;
using torchada::cuda_driver::kUnknownSize;
using torchada::cuda_driver::name_of_nvidia_file;
using torchada::cuda_driver::name_of_nvidia_image;
namespace cuda = torchada::cuda;

// What MUSA says about the caller comes before what is wrong with the image: a driver that is not
// initialised, a thread without a context.
int refuse_image(const char* function, const char* parameter, const char* kind) {
  int device = 0;
  if (const int status = outcome({function, "muCtxGetDevice"}, muCtxGetDevice(&device))) {
    return status;
  }
  return torchada::refuse_argument(
      function, parameter, kind,
      "NVIDIA's device code does not run on MUSA; compile its source for MUSA with mcc",
      static_cast<int>(cuda::CUDA_ERROR_NO_BINARY_FOR_GPU));
}

// No function of MUSA is known that makes a library, which serves every context.
int refuse_library(const char* function, const char* parameter, const char* kind) {
  if (kind) return refuse_image(function, parameter, kind);
  return torchada::refuse({function, ""},
                          "no MUSA counterpart of CUDA's libraries is publicly known; load the "
                          "image with cuModuleLoadData");
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
                                        void* options, void** values) {
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

int torchada_adapter_cuLibraryLoadData(void** library, const void* code, void*, void**, unsigned,
                                       void*, void**, unsigned) {
  if (!library || !code) return fail(torchada::kInvalid);
  return refuse_library("cuLibraryLoadData", "code", name_of_nvidia_image(code, kUnknownSize));
}

int torchada_adapter_cuLibraryLoadFromFile(void** library, const char* path, void*, void**,
                                           unsigned, void*, void**, unsigned) {
  if (!library || !path) return fail(torchada::kInvalid);
  return refuse_library("cuLibraryLoadFromFile", "fileName", name_of_nvidia_file(path));
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

}  // extern "C"
