// A library with device code, in the form that nvcc generates: its constructor registers the code,
// its destructor unregisters it.
#include "tests/device_code/registering.h"

extern "C" {
__attribute__((visibility("default"))) char plugin_kernel;
__attribute__((visibility("default"))) char plugin_variable;
}

namespace {

int image;
void** handle;

__attribute__((constructor)) void load() {
  handle = __cudaRegisterFatBinary(&image);
  __cudaRegisterFunction(handle, &plugin_kernel, nullptr, "_Z13plugin_kernelv", -1, nullptr,
                         nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterVar(handle, &plugin_variable, nullptr, "plugin_variable", 0, 24, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
}

__attribute__((destructor)) void unload() { __cudaUnregisterFatBinary(handle); }

}  // namespace
