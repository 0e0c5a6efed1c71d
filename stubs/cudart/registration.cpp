// What nvcc's static constructors call before main for every file with device code. Registration is
// accepted and noted, nothing more: this device code cannot run here. Whether a kernel library has
// it for MUSA shows at the launch, where the program can handle an error.
//
// The compiler itself emits these calls. Their arguments are those in llvm/llvm-project:
// clang/lib/CodeGen/CGCUDANV.cpp, and flang-rt/lib/cuda/registration.cpp for __cudaRegisterHostVar.
// Trailing arguments that are not read are left out, which the calling convention allows.
#include <stddef.h>

#include "facts.h"
#include "stubs/cudart/no_image.h"
#include "stubs/cudart/registered_code.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::CodeKind;
using torchada::fail;
using torchada::register_code;
using torchada::RegisteredCode;

}  // namespace

extern "C" {

void** torchada_adapter___cudaRegisterFatBinary(const void* image) {
  return torchada::register_module(image);
}

void torchada_adapter___cudaRegisterFatBinaryEnd() {}

// Called when a library is closed, and at exit.
void torchada_adapter___cudaUnregisterFatBinary(void** module) {
  torchada::unregister_module(module);
}

void torchada_adapter___cudaRegisterHostVar(void** module, const char* name, char* host,
                                            size_t size) {
  if (host && name) register_code(module, {host, name, size, CodeKind::kHostVariable});
}

// A table of function pointers for unified addressing, which only device code would use.
void torchada_adapter___cudaRegisterUnifiedTable() {}

// Called just before the host reads or writes a managed variable of the module, which nobody can
// give it memory for: its pointer stays null.
char torchada_adapter___cudaInitModule(void** module) {
  RegisteredCode code;
  for (size_t i = 0; torchada::find_managed(module, i, &code); ++i) {
    torchada::report_no_memory("__cudaInitModule", code);
  }
  return 1;
}

// Called just before a launch, for the handle to launch. The host function itself will do: the
// launch finds the kernel by it, and a refusal here as well would tell the user twice.
int torchada_adapter___cudaGetKernel(const void** kernel, const void* host_function) {
  if (!kernel) return fail(static_cast<int>(torchada::cuda::cudaErrorInvalidValue));
  *kernel = host_function;
  return 0;
}

}  // extern "C"
