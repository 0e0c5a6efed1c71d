// The calls that compute. Both sides have the same argument lists, except for the handle.
#include "stubs/adapting/conditions.h"
#include "stubs/cublasLt/handles.h"
#include "stubs/reporting/fallback.h"

using torchada::fail;
using torchada::Function;
using torchada::outcome;

extern "C" int torchada_adapter_cublasLtMatmul(void* handle, void* description, const void* alpha,
                                               const void* a, void* a_layout, const void* b,
                                               void* b_layout, const void* beta, const void* c,
                                               void* c_layout, void* d, void* d_layout,
                                               const void* algorithm, void* workspace,
                                               size_t workspace_size, void* stream) {
  static constexpr Function kSelf = {"cublasLtMatmul", "mublasLtMatmul"};
  if (!handle) return fail(torchada::kNullHandle);
  if (!description || !a_layout || !b_layout || !c_layout || !d_layout) {
    return fail(torchada::kInvalid);
  }
  void* musa = nullptr;
  if (const int status = torchada::musa_handle(kSelf, handle, &musa)) return status;
  return outcome(
      kSelf,
      mublasLtMatmul(musa, description, alpha, a, a_layout, b, b_layout, beta, c, c_layout, d,
                     d_layout, algorithm, workspace, workspace_size, stream),
      [=] {
        return torchada::documented_status(
            torchada::kConditions_cublasLtMatmul, handle, description, alpha, a, a_layout, b,
            b_layout, beta, c, c_layout, d, d_layout, algorithm, workspace, workspace_size, stream);
      });
}

extern "C" int torchada_adapter_cublasLtMatrixTransform(void* handle, void* description,
                                                        const void* alpha, const void* a,
                                                        void* a_layout, const void* beta,
                                                        const void* b, void* b_layout, void* c,
                                                        void* c_layout, void* stream) {
  static constexpr Function kSelf = {"cublasLtMatrixTransform", "mublasLtMatrixTransform"};
  if (!handle) return fail(torchada::kNoBackend);  // Also in CUDA 11, unlike kNullHandle.
  // B and its layout are optional.
  if (!description || !a_layout || !c_layout) return fail(torchada::kInvalid);
  void* musa = nullptr;
  if (const int status = torchada::musa_handle(kSelf, handle, &musa)) return status;
  return outcome(kSelf, mublasLtMatrixTransform(musa, description, alpha, a, a_layout, beta, b,
                                                b_layout, c, c_layout, stream));
}
