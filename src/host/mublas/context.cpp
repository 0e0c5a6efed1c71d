#include "src/host/mublas/context.h"

#include "src/host/shared/handle_table.h"

namespace host_mublas {
namespace {

using Contexts = host::HandleTable<mublasHandle_t, Context>;

Contexts& contexts() {
  static auto& instance = *new Contexts;  // never destroyed: destructors may still call this
                                          // library
  return instance;
}

template <typename Value>
mublasStatus_t set(mublasHandle_t handle, Value Settings::*member, Value value, bool valid) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!valid) return MUBLAS_STATUS_INVALID_VALUE;
  context->change([&](Settings& settings) { settings.*member = value; });
  return MUBLAS_STATUS_SUCCESS;
}

template <typename Value>
mublasStatus_t get(mublasHandle_t handle, Value Settings::*member, Value* out) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (out == nullptr) return MUBLAS_STATUS_INVALID_POINTER;
  *out = context->settings().*member;
  return MUBLAS_STATUS_SUCCESS;
}

}  // namespace

std::shared_ptr<Context> find_context(mublasHandle_t handle) { return contexts().find(handle); }

}  // namespace host_mublas

using namespace host_mublas;

extern "C" {

mublasStatus_t mublasCreate(mublasHandle_t* handle) {
  if (handle == nullptr) return MUBLAS_STATUS_INVALID_HANDLE;
  int device = 0;
  if (musaGetDevice(&device) != musaSuccess) return MUBLAS_STATUS_INTERNAL_ERROR;
  BlasGate::close_at_exit();
  *handle = contexts().insert(std::make_shared<Context>());
  return MUBLAS_STATUS_SUCCESS;
}

mublasStatus_t mublasDestroy(mublasHandle_t handle) {
  return contexts().remove(handle) ? MUBLAS_STATUS_SUCCESS : MUBLAS_STATUS_INVALID_HANDLE;
}

mublasStatus_t mublasSetStream(mublasHandle_t handle, musaStream_t stream) {
  return set(handle, &Settings::stream, stream, true);
}

mublasStatus_t mublasGetStream(mublasHandle_t handle, musaStream_t* stream) {
  return get(handle, &Settings::stream, stream);
}

mublasStatus_t mublasSetPointerMode(mublasHandle_t handle, mublasPointerMode_t mode) {
  return set(handle, &Settings::pointer_mode, mode,
             mode == MUBLAS_POINTER_MODE_HOST || mode == MUBLAS_POINTER_MODE_DEVICE);
}

mublasStatus_t mublasGetPointerMode(mublasHandle_t handle, mublasPointerMode_t* mode) {
  return get(handle, &Settings::pointer_mode, mode);
}

mublasStatus_t mublasSetAtomicsMode(mublasHandle_t handle, mublasAtomicsMode_t mode) {
  return set(handle, &Settings::atomics_mode, mode,
             mode == MUBLAS_ATOMICS_NOT_ALLOWED || mode == MUBLAS_ATOMICS_ALLOWED);
}

mublasStatus_t mublasGetAtomicsMode(mublasHandle_t handle, mublasAtomicsMode_t* mode) {
  return get(handle, &Settings::atomics_mode, mode);
}

// Accepted and remembered. The CPU always computes with the precision of the type.
mublasStatus_t mublasSetMathMode(mublasHandle_t handle, mublasMath_t mode) {
  return set(handle, &Settings::math_mode, mode,
             mode == MUBLAS_DEFAULT_MATH || mode == MUBLAS_TENSOR_OP_MATH ||
                 mode == MUBLAS_MATH_MODE_TP32_TENSOR);
}

mublasStatus_t mublasGetMathMode(mublasHandle_t handle, mublasMath_t* mode) {
  return get(handle, &Settings::math_mode, mode);
}

// Only checked: the CPU needs no workspace from the caller.
mublasStatus_t mublasSetWorkspace(mublasHandle_t handle, void* workspace,
                                  size_t workspaceSizeInBytes) {
  if (!find_context(handle)) return MUBLAS_STATUS_INVALID_HANDLE;
  return workspace == nullptr && workspaceSizeInBytes != 0 ? MUBLAS_STATUS_INVALID_POINTER
                                                           : MUBLAS_STATUS_SUCCESS;
}

mublasStatus_t mublasSetKernelStream(mublasHandle_t handle, musaStream_t stream) {
  return set(handle, &Settings::stream, stream, true);
}

}  // extern "C"
