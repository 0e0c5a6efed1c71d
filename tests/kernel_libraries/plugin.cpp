// A library with a kernel, which its constructor registers and its destructor unregisters.
#include "tests/device_code/registering.h"

namespace {

int image;
void** handle;
char wait_for;

__attribute__((constructor)) void load() {
  handle = __cudaRegisterFatBinary(&image);
  __cudaRegisterFunction(handle, &wait_for, nullptr, "_Z8wait_forPi", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
}

__attribute__((destructor)) void unload() { __cudaUnregisterFatBinary(handle); }

}  // namespace

// Starts the kernel, and tells by which address.
extern "C" __attribute__((visibility("default"))) cudaError_t plugin_start(void* flags,
                                                                           cudaStream_t stream,
                                                                           const void** kernel) {
  *kernel = &wait_for;
  void* arguments[] = {&flags};
  return cudaLaunchKernel(&wait_for, {1, 1, 1}, {1, 1, 1}, arguments, 0, stream);
}
