// Memory for communication with an MCCL older than 2.28.9. Any device memory will do, and
// registering it only makes NCCL faster. NCCL itself returns null for a registration that it skips,
// and accepts that null back.
#include "facts.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;

constexpr int kInvalidArgument = static_cast<int>(torchada::cuda::ncclInvalidArgument);
constexpr int kInvalidUsage = static_cast<int>(torchada::cuda::ncclInvalidUsage);
constexpr int kUnhandled = static_cast<int>(torchada::cuda::ncclUnhandledCudaError);

// NCCL reports the runtime's error as its own and does not leave it pending.
int own_error(int musa) {
  if (musa == 0) return 0;
  musaGetLastError();
  return fail(kUnhandled);
}

}  // namespace

extern "C" {

int torchada_adapter_ncclMemAlloc(void** memory, size_t size) {
  if (!memory) return fail(kUnhandled);
  void* made = nullptr;
  const int status = own_error(musaMalloc(&made, size));
  if (status == 0) *memory = made;
  return status;
}

int torchada_adapter_ncclMemFree(void* memory) { return own_error(musaFree(memory)); }

int torchada_adapter_ncclCommRegister(const void* communicator, const void* memory, size_t size,
                                      void** handle) {
  if (!communicator || !memory || size == 0 || !handle) return fail(kInvalidArgument);
  *handle = nullptr;
  return 0;
}

int torchada_adapter_ncclCommDeregister(const void* communicator, const void* handle) {
  if (!communicator) return fail(kInvalidArgument);
  return handle ? fail(kInvalidUsage) : 0;
}

}  // extern "C"
