// cublasXt's handles and settings. What NVIDIA's headers do not state was observed of its libraries
// (11.8, 12.9 and 13.5), which answer these calls without a device.
#include <sys/mman.h>

#include "facts.h"
#include "stubs/adapting/known_handles.h"
#include "stubs/adapting/on_device.h"
#include "stubs/cublas/xt.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::OnDevice;
using torchada::xt::Board;
using torchada::xt::Handle;
using torchada::xt::handle_of;
using torchada::xt::kMostBoards;

// A program has a handle or a few.
torchada::KnownHandles<4096> known;

constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kNotSupported = static_cast<int>(torchada::cuda::CUBLAS_STATUS_NOT_SUPPORTED);
constexpr int kAllocFailed = static_cast<int>(torchada::cuda::CUBLAS_STATUS_ALLOC_FAILED);
constexpr int kFirstBlock = 1024;
constexpr int kMostOfNvidia = 1024;

// Returns the first status that is not success.
int release(Board* boards, int count) {
  int out = 0;
  for (int i = 0; i < count; ++i) {
    const OnDevice there(boards[i].device);
    const int status =
        there.failed() ? kInvalidValue : torchada_own_cublasDestroy_v2(boards[i].blas);
    if (out == 0) out = status;
  }
  return out;
}

int make(int device, Board* out) {
  const OnDevice there(device);
  if (there.failed()) return fail(kInvalidValue);
  out->device = device;
  return torchada_own_cublasCreate_v2(&out->blas);
}

// What both settings of the host's share refuse. NVIDIA's library takes any share.
int check_share(void* handle, int operation, int type) {
  constexpr int kLast = static_cast<int>(torchada::cuda::CUBLASXT_ROUTINE_MAX);
  constexpr int kLastType = static_cast<int>(torchada::cuda::CUBLASXT_DOUBLECOMPLEX);
  if (!handle_of(handle) || operation < 0 || operation >= kLast || type < 0 || type > kLastType) {
    return fail(kInvalidValue);
  }
  return operation == torchada::cuda::CUBLASXT_GEMM ? 0 : fail(kNotSupported);
}

}  // namespace

torchada::xt::Handle* torchada::xt::handle_of(void* object) {
  return known.knows(object) ? static_cast<Handle*>(object) : nullptr;
}

extern "C" {

int torchada_adapter_cublasXtCreate(void** handle) {
  if (!handle) return fail(kInvalidValue);
  void* const made =
      mmap(nullptr, sizeof(Handle), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return fail(kAllocFailed);
  Handle* const fresh = static_cast<Handle*>(made);
  fresh->block = kFirstBlock;
  if (!known.remember(made)) {
    munmap(made, sizeof(Handle));
    return fail(kAllocFailed);
  }
  *handle = made;
  return 0;
}

int torchada_adapter_cublasXtDestroy(void* object) {
  Handle* const handle = handle_of(object);
  if (!handle || !known.forget(object)) return fail(kInvalidValue);
  const int status = release(handle->boards, handle->count);
  munmap(handle, sizeof(Handle));
  return status;
}

// The old selection stays if this one fails.
int torchada_adapter_cublasXtDeviceSelect(void* object, int count, const int* devices) {
  Handle* const handle = handle_of(object);
  if (!handle || !devices || count < 1 || count > kMostBoards) return fail(kInvalidValue);
  Board made[kMostBoards];
  for (int i = 0; i < count; ++i) {
    if (const int status = make(devices[i], &made[i])) {
      release(made, i);
      return status;
    }
  }
  release(handle->boards, handle->count);
  handle->count = count;
  for (int i = 0; i < count; ++i) handle->boards[i] = made[i];
  return 0;
}

int torchada_adapter_cublasXtMaxBoards(int* count) {
  if (!count) return fail(kInvalidValue);
  *count = kMostOfNvidia;
  return 0;
}

int torchada_adapter_cublasXtSetBlockDim(void* object, int block) {
  Handle* const handle = handle_of(object);
  if (!handle || block < 1) return fail(kInvalidValue);
  handle->block = block;
  return 0;
}

int torchada_adapter_cublasXtGetBlockDim(void* object, int* block) {
  const Handle* const handle = handle_of(object);
  if (!handle || !block) return fail(kInvalidValue);
  *block = handle->block;
  return 0;
}

int torchada_adapter_cublasXtSetPinningMemMode(void* object, int mode) {
  Handle* const handle = handle_of(object);
  if (!handle || (mode != torchada::cuda::CUBLASXT_PINNING_DISABLED &&
                  mode != torchada::cuda::CUBLASXT_PINNING_ENABLED)) {
    return fail(kInvalidValue);
  }
  handle->pinning = mode;
  return 0;
}

int torchada_adapter_cublasXtGetPinningMemMode(void* object, int* mode) {
  const Handle* const handle = handle_of(object);
  if (!handle || !mode) return fail(kInvalidValue);
  *mode = handle->pinning;
  return 0;
}

int torchada_adapter_cublasXtSetCpuRatio(void* handle, int operation, int type, float) {
  return check_share(handle, operation, type);
}

}  // extern "C"
