// Releasing and resetting primary contexts, which may end them. What kernel libraries have in a
// context ends with it.
#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/kernels/code.h"
#include "stubs/kernels/files.h"

namespace {

using torchada::outcome;

bool is_active(int device) {
  unsigned flags = 0;
  int active = 0;
  return muDevicePrimaryCtxGetState(device, &flags, &active) == 0 && active != 0;
}

// The primary context of a device, if there is one and kernel libraries may be in it.
void* context_to_watch(int device) {
  void* context = nullptr;
  if (!torchada::kernels::are_given() || !is_active(device)) return nullptr;
  if (muDevicePrimaryCtxRetain(&context, device) != 0) return nullptr;
  muDevicePrimaryCtxRelease_v2(device);
  return context;
}

}  // namespace

extern "C" {

int torchada_adapter_cuDevicePrimaryCtxRelease_v2(int device) {
  const void* const context = context_to_watch(device);
  const int status = muDevicePrimaryCtxRelease_v2(device);
  if (context && !is_active(device)) torchada::kernels::forget(context);
  return outcome({"cuDevicePrimaryCtxRelease_v2", "muDevicePrimaryCtxRelease_v2"}, status);
}

int torchada_adapter_cuDevicePrimaryCtxReset_v2(int device) {
  const void* const context = context_to_watch(device);
  const int status = muDevicePrimaryCtxReset_v2(device);
  if (context && status == 0) torchada::kernels::forget(context);
  return outcome({"cuDevicePrimaryCtxReset_v2", "muDevicePrimaryCtxReset_v2"}, status);
}

}  // extern "C"
