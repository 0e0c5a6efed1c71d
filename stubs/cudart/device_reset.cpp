// cudaDeviceReset ends the device's context, and with it what kernel libraries have in it.
#include "stubs/cudart/answers.h"
#include "stubs/kernels/code.h"
#include "stubs/kernels/files.h"

extern "C" int torchada_adapter_cudaDeviceReset() {
  void* context = nullptr;
  const bool is_known = torchada::kernels::are_given() && muCtxGetCurrent(&context) == 0;
  const int status = musaDeviceReset();
  // Afterwards, so that a thread that launches meanwhile cannot bring it back.
  if (is_known && context) torchada::kernels::forget(context);
  return torchada::told("cudaDeviceReset", status);
}
