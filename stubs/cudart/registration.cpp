// What nvcc's static constructors call before main for every file with device code. Accepting is
// all there is to do: the device code cannot run here, and saying so belongs to the launch, where
// the program can handle it.
//
// Prototypes: the compiler emits these calls itself; arguments that are not read are left out,
// which the calling convention allows.
#include <stddef.h>
#include <string.h>

#include "facts.h"
#include "fallback.h"
#include "thread.h"

namespace {

using torchada::fail;
using torchada::torchada_thread;

// A handle is opaque to the program but some dereference it once.
void* no_module = nullptr;

struct Dim3 {
  unsigned x, y, z;
};

}  // namespace

extern "C" {

void** torchada_adapter___cudaRegisterFatBinary() { return &no_module; }
void torchada_adapter___cudaRegisterFatBinaryEnd() {}
void torchada_adapter___cudaUnregisterFatBinary() {}
void torchada_adapter___cudaRegisterFunction() {}
void torchada_adapter___cudaRegisterVar() {}
void torchada_adapter___cudaRegisterManagedVar() {}
void torchada_adapter___cudaRegisterHostVar() {}
void torchada_adapter___cudaRegisterTexture() {}
void torchada_adapter___cudaRegisterSurface() {}
void torchada_adapter___cudaRegisterUnifiedTable() {}
char torchada_adapter___cudaInitModule() { return 1; }

// Asked just before a launch for the handle that the launch then gets. Any will do; refusing here
// as well would tell the user twice.
int torchada_adapter___cudaGetKernel(const void** kernel, const void* host_function) {
  if (!kernel) return fail(static_cast<int>(torchada::cuda::cudaErrorInvalidValue));
  *kernel = host_function;
  return 0;
}

// kernel<<<grid, block>>>(...) pushes its configuration, and the generated stub pops it just
// before the launch, which is refused. So only their number is kept; success makes the program get
// there.
unsigned torchada_adapter___cudaPushCallConfiguration() {
  ++torchada_thread.pushed;
  return 0;
}

int torchada_adapter___cudaPopCallConfiguration(Dim3* grid, Dim3* block, size_t* shared,
                                                void* stream) {
  if (torchada_thread.pushed == 0) {
    return fail(static_cast<int>(torchada::cuda::cudaErrorMissingConfiguration));
  }
  --torchada_thread.pushed;
  *grid = *block = {1, 1, 1};
  *shared = 0;
  memset(stream, 0, sizeof(void*));
  return 0;
}

}  // extern "C"
