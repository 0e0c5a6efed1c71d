// Libraries of device code that the program loads itself, and their kernels, as the driver serves
// them (stubs/cuda/library.cpp). One of MUSA's images is a module of the context that is current
// when it is loaded. One of NVIDIA's stands for the names in the kernel libraries, in any context.
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#if TORCHADA_ABI >= 12

#include "stubs/cudart/kernel_code.h"
#include "stubs/kernels/bundle.h"
#include "stubs/kernels/demangled.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/handles.h"
#include "stubs/kernels/nvidia_image.h"
#include "stubs/kernels/refuse_name.h"
#include "stubs/process/peers.h"
#include "stubs/reporting/refusal.h"

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

// Those of MUSA's images that were loaded here, each of which stands for its module. Those of names
// have a table of theirs.
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
  if (!kernels::are_named()) {
    return refuse_argument(function, parameter, found.text, kernels::kNvidiaCode, kNoImage);
  }
  void* const handle = kernels::make_handle(context);
  if (!handle) return fail(static_cast<int>(cuda::cudaErrorMemoryAllocation));
  *library = handle;
  return 0;
}

// Answers with what the kernel libraries have under that name in the current context.
void find_by_name(OfLibrary* question, kernels::Kind kind) {
  void* context = nullptr;
  question->status = muCtxGetCurrent(&context);
  if (question->status == 0 && !context) {
    question->status = static_cast<int>(cuda::cudaErrorDeviceUninitialized);
  }
  if (question->status != 0) return;
  const uint32_t number = kernels::number_of(question->name, kind);
  if (number == 0) {
    question->status = static_cast<int>(cuda::cudaErrorMemoryAllocation);
    return;
  }
  bool exists = true;
  question->status =
      with_number(question->function, number, context, &exists, [=](const kernels::Code& code) {
        question->address = code.address;
        question->bytes = code.bytes;
        return kind == kernels::Kind::kKernel ? kernels::give(code, &question->kernel) : 0;
      });
  question->is_missing = exists ? 0 : 1;
}

void find(OfLibrary* question) {
  void* const module = libraries.value_of(question->library);
  const bool is_kernel = question->what == OfLibrary::kFindKernel;
  if (!module) {
    find_by_name(question, is_kernel ? kernels::Kind::kKernel : kernels::Kind::kVariable);
  } else if (is_kernel) {
    question->module = module;
    question->status = muModuleGetFunction(&question->kernel, module, question->name);
  } else {
    question->status =
        muModuleGetGlobal_v2(&question->address, &question->bytes, module, question->name);
  }
}

// Returns whether there is such a library.
bool unload(OfLibrary* question) {
  if (kernels::drop_handle(question->library)) return true;
  void* const module = libraries.drop(question->library);
  if (!module) return false;
  OfLibrary tell{OfLibrary::kModuleEnds, question->function};
  tell.module = module;
  ask_others_of_library(&tell);
  question->status = muModuleUnload(module);
  return true;
}

// Code from kernel libraries is noted already, with more than the handle.
void note_given(OfLibrary* question) {
  const uint32_t known = kernels::number_of_function(question->kernel);
  if (known != 0 && (known & kernels::kMusas) == 0) return;
  const uint32_t number = kernels::number_of(question->name, kernels::Kind::kKernel);
  if (number != 0) {
    kernels::note_musas(question->kernel, number);
  } else {
    question->status = static_cast<int>(cuda::cudaErrorMemoryAllocation);
  }
}

// Asks for the name. Returns the status to return.
int ask_for_name(OfLibrary* question) {
  if (!ask_of_library(question)) return fail(kInvalidHandle);
  return question->is_missing == 0
             ? told(question->status)
             : kernels::refuse_name(question->function, question->name, kNoImage);
}

}  // namespace

extern "C" {

bool torchada_answer_of_library(OfLibrary* question) {
  void* const asked = question->module;
  switch (question->what) {
    case OfLibrary::kModuleEnds:
      return false;
    case OfLibrary::kKernelIsGiven:
      note_given(question);
      return false;
    case OfLibrary::kFindOwner:
      question->library = libraries.find([asked](const void* value) { return value == asked; });
      return question->library != nullptr;
    case OfLibrary::kUnload:
      return unload(question);
    default:
      break;
  }
  void* const module = libraries.value_of(question->library);
  if (!module && !kernels::context_of_handle(question->library)) return false;
  if (question->what == OfLibrary::kTellModule) question->module = module;
  if (question->what == OfLibrary::kFindKernel || question->what == OfLibrary::kFindVariable) {
    find(question);
  }
  return true;
}

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
  OfLibrary unload{OfLibrary::kUnload, "cudaLibraryUnload", library};
  void* context = nullptr;
  if (const int status = enter_context(unload.function, &context)) return status;
  if (!library) return fail(kInvalidValue);
  return ask_of_library(&unload) ? told(unload.status) : fail(kInvalidHandle);
}

int torchada_adapter_cudaLibraryGetKernel(void** kernel, void* library, const char* name) {
  OfLibrary find{OfLibrary::kFindKernel, "cudaLibraryGetKernel", library, name};
  void* context = nullptr;
  if (const int status = enter_context(find.function, &context)) return status;
  if (!kernel || !library || !name) return fail(kInvalidValue);
  if (const int status = ask_for_name(&find)) return status;
  find.what = OfLibrary::kKernelIsGiven;
  ask_of_library(&find);
  if (find.status != 0) return fail(find.status);
  *kernel = find.kernel;
  return 0;
}

int torchada_adapter_cudaLibraryGetGlobal(void** address, size_t* bytes, void* library,
                                          const char* name) {
  OfLibrary find{OfLibrary::kFindVariable, "cudaLibraryGetGlobal", library, name};
  void* context = nullptr;
  if (const int status = enter_context(find.function, &context)) return status;
  if (!library || !name) return fail(kInvalidValue);
  if (const int status = ask_for_name(&find)) return status;
  if (address) *address = reinterpret_cast<void*>(find.address);
  if (bytes) *bytes = find.bytes;
  return 0;
}

}  // extern "C"

#endif  // TORCHADA_ABI >= 12
