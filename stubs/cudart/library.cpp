// Libraries of device code that the program loads itself, and their kernels, as the driver serves
// them (stubs/cuda/library.cpp). One of MUSA's images is a module of the context that is current
// when it is loaded. One of NVIDIA's stands for the names in the kernel libraries, in any context.
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#if TORCHADA_ABI >= 12

#include "stubs/cudart/kernel_code.h"
#include "stubs/kernels/bundle.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/handles.h"
#include "stubs/kernels/nvidia_image.h"
#include "stubs/kernels/refuse_name.h"
#include "stubs/refusal.h"

using namespace torchada;

namespace {

constexpr int kInvalidHandle = static_cast<int>(cuda::cudaErrorInvalidResourceHandle);
constexpr int kNoImage = static_cast<int>(cuda::cudaErrorNoKernelImageForDevice);

// 0, or the status to return because a library cannot be loaded in this way. That the caller keeps
// the image changes nothing: MUSA takes what it needs at once.
int check_options(const char* function, const int* options, unsigned count) {
  if (count > 0 && !options) return fail(kInvalidValue);
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == cuda::cudaLibraryBinaryIsPreserved) continue;
    if (options[i] != cuda::cudaLibraryHostUniversalFunctionAndDataTable) {
      return fail(kInvalidValue);
    }
    return refuse_argument(function, "libraryOptions",
                           "cudaLibraryHostUniversalFunctionAndDataTable",
                           "MUSA's modules have no such option", kNotSupported);
  }
  return 0;
}

// Those of MUSA's images, each of which stands for its module. Those of names have a table of
// theirs.
kernels::HandleTable libraries;

// A library of the module that load(&module) loads.
template <typename Load>
int make_library(void** library, Load load) {
  void* module = nullptr;
  if (const int status = load(&module)) return told(status);
  void* const handle = libraries.make(module);
  if (!handle) {
    muModuleUnload(module);
    return fail(static_cast<int>(cuda::cudaErrorMemoryAllocation));
  }
  *library = handle;
  return 0;
}

int load_names(const char* function, const char* parameter, const kernels::ImageFinding& found,
               void* context, void** library) {
  if (found.kind != kernels::ImageFinding::kNvidia) {
    return kernels::refuse_wrong_image(function, parameter, found);
  }
  if (!kernels::are_given()) {
    return refuse_argument(
        function, parameter, found.text,
        "NVIDIA's device code does not run on MUSA; compile its source for MUSA with mcc",
        kNoImage);
  }
  void* const handle = kernels::make_handle(context);
  if (!handle) return fail(static_cast<int>(cuda::cudaErrorMemoryAllocation));
  *library = handle;
  return 0;
}

bool is_named(const void* library) { return kernels::context_of_handle(library) != nullptr; }

// Calls use(code) with what the kernel libraries have under that name.
template <typename Use>
int find(const char* function, void* context, kernels::Kind kind, const char* name, Use use) {
  const uint32_t number = kernels::number_of(name, kind);
  if (number == 0) return fail(static_cast<int>(cuda::cudaErrorMemoryAllocation));
  bool exists = true;
  const int status = with_number(function, number, context, &exists, use);
  return exists ? told(status) : kernels::refuse_name(function, name, kNoImage);
}

}  // namespace

extern "C" {

int torchada_adapter_cudaLibraryLoadData(void** library, const void* code, int* jit_options,
                                         void** jit_values, unsigned jit_count, const int* options,
                                         void**, unsigned count) {
  constexpr const char* kName = "cudaLibraryLoadData";
  void* context = nullptr;
  if (const int status = enter_context(kName, &context)) return status;
  if (!library || !code) return fail(kInvalidValue);
  const auto found = kernels::examine_image(code);
  if (const int status = check_options(kName, options, count)) return status;
  if (found) return load_names(kName, "code", found, context, library);
  if (kernels::is_bundle(code)) {
    return refuse_argument(kName, "code", "(several linked images)",
                           "load what cuLinkComplete made of several images by cuModuleLoadData",
                           kNotSupported);
  }
  return make_library(library, [=](void** module) {
    return muModuleLoadDataEx(module, code, jit_count, jit_options, jit_values);
  });
}

// MUSA's files hold machine code, for which there is nothing to choose while it is loaded.
int torchada_adapter_cudaLibraryLoadFromFile(void** library, const char* path, int*, void**,
                                             unsigned, const int* options, void**, unsigned count) {
  constexpr const char* kName = "cudaLibraryLoadFromFile";
  void* context = nullptr;
  if (const int status = enter_context(kName, &context)) return status;
  if (!library || !path) return fail(kInvalidValue);
  const auto found = kernels::examine_file(path);
  if (const int status = check_options(kName, options, count)) return status;
  if (found) return load_names(kName, "fileName", found, context, library);
  return make_library(library, [=](void** module) { return muModuleLoad(module, path); });
}

int torchada_adapter_cudaLibraryUnload(void* library) {
  void* context = nullptr;
  if (const int status = enter_context("cudaLibraryUnload", &context)) return status;
  if (!library) return fail(kInvalidValue);
  if (kernels::drop_handle(library)) return 0;
  void* const module = libraries.drop(library);
  return module ? told(muModuleUnload(module)) : fail(kInvalidHandle);
}

int torchada_adapter_cudaLibraryGetKernel(void** kernel, void* library, const char* name) {
  constexpr const char* kName = "cudaLibraryGetKernel";
  void* context = nullptr;
  if (const int status = enter_context(kName, &context)) return status;
  if (!kernel || !library || !name) return fail(kInvalidValue);
  if (is_named(library)) {
    return find(kName, context, kernels::Kind::kKernel, name,
                [=](const kernels::Code& code) { return kernels::give(code, kernel); });
  }
  void* const module = libraries.value_of(library);
  if (!module) return fail(kInvalidHandle);
  void* function = nullptr;
  if (const int status = muModuleGetFunction(&function, module, name)) return told(status);
  const uint32_t number = kernels::number_of(name, kernels::Kind::kKernel);
  if (number == 0) return fail(static_cast<int>(cuda::cudaErrorMemoryAllocation));
  kernels::note_musas(function, number);
  *kernel = function;
  return 0;
}

int torchada_adapter_cudaLibraryGetGlobal(void** address, size_t* bytes, void* library,
                                          const char* name) {
  constexpr const char* kName = "cudaLibraryGetGlobal";
  void* context = nullptr;
  if (const int status = enter_context(kName, &context)) return status;
  if (!library || !name) return fail(kInvalidValue);
  kernels::Code found;
  const auto take = [&](const kernels::Code& code) {
    found = code;
    return 0;
  };
  int status = 0;
  if (is_named(library)) {
    status = find(kName, context, kernels::Kind::kVariable, name, take);
  } else {
    void* const module = libraries.value_of(library);
    if (!module) return fail(kInvalidHandle);
    status = told(muModuleGetGlobal_v2(&found.address, &found.bytes, module, name));
  }
  if (status != 0) return status;
  if (address) *address = reinterpret_cast<void*>(found.address);
  if (bytes) *bytes = found.bytes;
  return 0;
}

}  // extern "C"

#endif  // TORCHADA_ABI >= 12
