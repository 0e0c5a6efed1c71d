#include "src/host/mublas/context.h"

#include "src/host/shared/forward.h"
#include "src/host/shared/handle_table.h"
#include "src/host/shared/never_destroyed.h"

namespace host_mublas {
namespace {

using Contexts = host::HandleTable<host::HandleKind::kBlas, mublasHandle_t, Context>;

Contexts& contexts() { return host::never_destroyed<Contexts>(); }

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

// What a handle keeps. The CPU always computes with the precision of the type, so the mode of
// computing is only remembered.
#define MUBLAS_SETTING(name, member, valid)                                              \
  HOST_ANSWER(mublasStatus_t, 2, mublasSet##name, set(a0, &Settings::member, a1, valid)) \
  HOST_ANSWER(mublasStatus_t, 2, mublasGet##name, get(a0, &Settings::member, a1))
MUBLAS_SETTING(Stream, stream, true)
MUBLAS_SETTING(PointerMode, pointer_mode,
               a1 == MUBLAS_POINTER_MODE_HOST || a1 == MUBLAS_POINTER_MODE_DEVICE)
MUBLAS_SETTING(AtomicsMode, atomics_mode,
               a1 == MUBLAS_ATOMICS_NOT_ALLOWED || a1 == MUBLAS_ATOMICS_ALLOWED)
MUBLAS_SETTING(MathMode, math_mode,
               a1 == MUBLAS_DEFAULT_MATH || a1 == MUBLAS_TENSOR_OP_MATH ||
                   a1 == MUBLAS_MATH_MODE_TP32_TENSOR)

// Only checked: the CPU needs no workspace from the caller.
mublasStatus_t mublasSetWorkspace(mublasHandle_t handle, void* workspace,
                                  size_t workspaceSizeInBytes) {
  if (!find_context(handle)) return MUBLAS_STATUS_INVALID_HANDLE;
  return workspace == nullptr && workspaceSizeInBytes != 0 ? MUBLAS_STATUS_INVALID_POINTER
                                                           : MUBLAS_STATUS_SUCCESS;
}
