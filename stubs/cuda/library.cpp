// Libraries of device code and their kernels. No function of MUSA is publicly known that makes one,
// so behind a library is a module of the context that is current when it is loaded, and its kernels
// are that module's functions. Launches take both, as CUDA's do.
#include "stubs/cuda/library.h"

#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/given_functions.h"
#include "stubs/cuda/jit_log.h"
#include "stubs/cuda/modules.h"
#include "stubs/cuda/named_modules.h"
#include "stubs/kernels/bundle.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/handles.h"
#include "stubs/kernels/nvidia_image.h"
#include "stubs/kernels/refuse_name.h"
#include "stubs/process/peers.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::ask_of_library;
using torchada::ask_others_of_library;
using torchada::fail;
using torchada::OfLibrary;
using torchada::outcome;
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
using torchada::driver::unload_module;
using torchada::driver::with_jit_logs;
using torchada::kernels::examine_file;
using torchada::kernels::examine_image;
namespace cuda = torchada::cuda;
namespace kernels = torchada::kernels;

constexpr int kInvalidHandle = static_cast<int>(cuda::CUDA_ERROR_INVALID_HANDLE);
constexpr int kOutOfMemory = static_cast<int>(cuda::CUDA_ERROR_OUT_OF_MEMORY);

kernels::HandleTable libraries;

// A library of the module that load(&module) loads.
template <typename Load>
int make_library(const char* function, void** library, Load load) {
  void* module = nullptr;
  if (const int status = load(&module)) return status;
  void* const handle = libraries.make(module);
  if (!handle) {
    unload_module(function, module);
    return fail(kOutOfMemory);
  }
  *library = handle;
  return 0;
}

// 0, or the status to return because a library cannot be loaded in this way. That the caller keeps
// the image changes nothing: MUSA takes what it needs at once.
int check_options(const char* function, const int* options, unsigned count) {
  if (count > 0 && !options) return fail(torchada::kInvalid);
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == cuda::CU_LIBRARY_BINARY_IS_PRESERVED) continue;
    if (options[i] != cuda::CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE) {
      return fail(torchada::kInvalid);
    }
    return torchada::refuse_argument(function, "libraryOptions",
                                     "CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE",
                                     "MUSA's modules have no such option", torchada::kUnsupported);
  }
  return 0;
}

// For an answer that MUSA is not asked for: 0, or the status because the driver is not initialised.
int require_driver(const char* function) {
  void* context = nullptr;
  return outcome({function, "muCtxGetCurrent"}, muCtxGetCurrent(&context));
}

// A kernel belongs to one context, so only its device can be asked about.
int require_device(const char* function, int device) {
  int current = 0;
  if (const int status = outcome({function, "muCtxGetDevice"}, muCtxGetDevice(&current))) {
    return status;
  }
  if (device == current) return 0;
  torchada::ValueText text;
  text << device;
  return torchada::refuse_argument(
      function, "dev", text.c_str(),
      "a library serves the context in which it was loaded; load it again for this device",
      torchada::kUnsupported);
}

// Answers with what the module of a library has.
void find_kernel(OfLibrary* question, void* module) {
  const bool by_name = is_named(module);
  question->status =
      by_name ? torchada::driver::find_kernel(question->function, module, question->name,
                                              &question->kernel)
              : module_get_function(question->function, &question->kernel, module, question->name);
  question->module = by_name ? nullptr : module;
}

void find_variable(OfLibrary* question, void* module) {
  question->status =
      is_named(module) ? torchada::driver::find_variable(question->function, module, question->name,
                                                         &question->address, &question->bytes)
                       : module_get_global(question->function, &question->address, &question->bytes,
                                           module, question->name);
}

// The status to return for a name that was asked for, after the question was answered.
int status_of(const OfLibrary& question) {
  if (question.is_missing == 0) return question.status;
  return kernels::refuse_name(question.function, question.name,
                              static_cast<int>(cuda::CUDA_ERROR_NO_BINARY_FOR_GPU));
}

}  // namespace

extern "C" {

bool torchada_answer_of_library(OfLibrary* question) {
  if (question->what == OfLibrary::kModuleEnds) {
    torchada::driver::forget_functions_of(question->module);
    return false;
  }
  if (question->what == OfLibrary::kKernelIsGiven) {
    // By the runtime, which gives the same handle as a function's.
    if (question->module) {
      note_given(question->kernel, Role::kKernel, question->module, question->name);
      torchada::driver::note_also_given(question->kernel, Role::kFunction);
    }
    return false;
  }
  if (question->what == OfLibrary::kFindOwner) {
    const void* const of = question->module;
    question->library = libraries.find([of](const void* value) { return value == of; });
    return question->library != nullptr;
  }
  void* const module = question->what == OfLibrary::kUnload ? libraries.drop(question->library)
                                                            : libraries.value_of(question->library);
  if (!module) return false;
  if (question->what == OfLibrary::kFindKernel) find_kernel(question, module);
  if (question->what == OfLibrary::kFindVariable) find_variable(question, module);
  if (question->what == OfLibrary::kTellModule) question->module = module;
  if (question->what == OfLibrary::kUnload) {
    question->status = unload_module(question->function, module);
  }
  return true;
}

int torchada_adapter_cuLibraryLoadData(void** library, const void* code, int* jit_options,
                                       void** jit_values, unsigned jit_count, const int* options,
                                       void**, unsigned count) {
  constexpr const char* kName = "cuLibraryLoadData";
  if (!library || !code) return fail(torchada::kInvalid);
  return with_jit_logs(jit_count, jit_options, jit_values, [=](JitLogs* logs) {
    return make_library(kName, library, [=](void** module) {
      const auto found = examine_image(code);
      if (found && !kernels::are_named()) {
        logs->say_refused(found);
        return load_names(kName, "code", found, module);
      }
      if (const int status = check_options(kName, options, count)) return status;
      if (found) return load_names(kName, "code", found, module);
      if (kernels::is_bundle(code)) return load_bundle(kName, module, code);
      return outcome({kName, "muModuleLoadDataEx"},
                     muModuleLoadDataEx(module, code, jit_count, jit_options, jit_values));
    });
  });
}

// MUSA's files hold machine code, for which there is nothing to choose while it is loaded.
int torchada_adapter_cuLibraryLoadFromFile(void** library, const char* path, int*, void**, unsigned,
                                           const int* options, void**, unsigned count) {
  constexpr const char* kName = "cuLibraryLoadFromFile";
  if (!library || !path) return fail(torchada::kInvalid);
  return make_library(kName, library, [=](void** module) {
    const auto found = examine_file(path);
    if (found && !kernels::are_named()) return load_names(kName, "fileName", found, module);
    if (const int status = check_options(kName, options, count)) return status;
    if (found) return load_names(kName, "fileName", found, module);
    return outcome({kName, "muModuleLoad"}, muModuleLoad(module, path));
  });
}

int torchada_adapter_cuLibraryUnload(void* library) {
  OfLibrary unload{OfLibrary::kUnload, "cuLibraryUnload", library};
  if (ask_of_library(&unload)) return unload.status;
  const int status = require_driver(unload.function);
  return status != 0 ? status : fail(kInvalidHandle);
}

int torchada_adapter_cuLibraryGetModule(void** module, void* library) {
  OfLibrary tell{OfLibrary::kTellModule, "cuLibraryGetModule", library};
  if (!module || !library) return fail(torchada::kInvalid);
  if (const int status = require_driver(tell.function)) return status;
  if (!ask_of_library(&tell)) return fail(kInvalidHandle);
  // Of the runtime's, which has no modules of names.
  if (!tell.module) return torchada::driver::refuse_names(tell.function, "library");
  *module = tell.module;
  return 0;
}

int torchada_adapter_cuLibraryGetKernel(void** kernel, void* library, const char* name) {
  OfLibrary find{OfLibrary::kFindKernel, "cuLibraryGetKernel", library, name};
  if (const int status = require_driver(find.function)) return status;
  if (!kernel || !name) return fail(torchada::kInvalid);
  if (!ask_of_library(&find)) return fail(kInvalidHandle);
  if (const int status = status_of(find)) return status;
  *kernel = find.kernel;
  note_given(find.kernel, Role::kKernel, find.module, find.name);
  find.what = OfLibrary::kKernelIsGiven;
  ask_others_of_library(&find);
  return 0;
}

int torchada_adapter_cuLibraryGetGlobal(unsigned long long* address, size_t* bytes, void* library,
                                        const char* name) {
  OfLibrary find{OfLibrary::kFindVariable, "cuLibraryGetGlobal", library, name};
  if (const int status = require_driver(find.function)) return status;
  if (!name) return fail(torchada::kInvalid);
  if (!ask_of_library(&find)) return fail(kInvalidHandle);
  if (const int status = status_of(find)) return status;
  if (address) *address = find.address;
  if (bytes) *bytes = find.bytes;
  return 0;
}

int torchada_adapter_cuKernelGetFunction(void** function, void* kernel) {
  constexpr const char* kName = "cuKernelGetFunction";
  if (!function || !kernel) return fail(torchada::kInvalid);
  if (!passes_as(kernel, Role::kKernel)) return fail(kInvalidHandle);
  if (const int status = require_function(kName, kernel)) return status;
  torchada::driver::note_also_given(kernel, Role::kFunction);
  *function = kernel;
  return 0;
}

int torchada_adapter_cuKernelGetLibrary(void** library, void* kernel) {
  constexpr const char* kName = "cuKernelGetLibrary";
  if (!library || !kernel) return fail(torchada::kInvalid);
  if (!passes_as(kernel, Role::kKernel)) return fail(kInvalidHandle);
  if (torchada::driver::is_from_kernel_library(kernel)) {
    return torchada::driver::refuse_names(kName, "kernel");
  }
  if (const int status = require_function(kName, kernel)) return status;
  OfLibrary find{OfLibrary::kFindOwner, kName};
  find.module = const_cast<void*>(torchada::driver::module_of_given(kernel));
  // A kernel that the program registered with the runtime belongs to no library.
  if (!find.module || !ask_of_library(&find)) {
    return fail(static_cast<int>(cuda::CUDA_ERROR_NOT_FOUND));
  }
  *library = find.library;
  return 0;
}

int torchada_adapter_cuKernelGetAttribute(int* value, int attribute, void* kernel, int device) {
  constexpr const char* kName = "cuKernelGetAttribute";
  if (!passes_as(kernel, Role::kKernel)) return fail(kInvalidHandle);
  if (const int status = require_device(kName, device)) return status;
  return outcome({kName, "muFuncGetAttribute"}, muFuncGetAttribute(value, attribute, kernel));
}

int torchada_adapter_cuKernelSetAttribute(int attribute, int value, void* kernel, int device) {
  constexpr const char* kName = "cuKernelSetAttribute";
  if (!passes_as(kernel, Role::kKernel)) return fail(kInvalidHandle);
  if (const int status = require_device(kName, device)) return status;
  return outcome({kName, "muFuncSetAttribute"}, muFuncSetAttribute(kernel, attribute, value));
}

int torchada_adapter_cuKernelSetCacheConfig(void* kernel, int config, int device) {
  constexpr const char* kName = "cuKernelSetCacheConfig";
  if (!passes_as(kernel, Role::kKernel)) return fail(kInvalidHandle);
  if (const int status = require_device(kName, device)) return status;
  return outcome({kName, "muFuncSetCacheConfig"}, muFuncSetCacheConfig(kernel, config));
}

}  // extern "C"

bool torchada::driver::is_library(void* handle) {
  OfLibrary question{OfLibrary::kIsLibrary, nullptr, handle};
  return ask_of_library(&question);
}
