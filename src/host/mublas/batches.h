// A product by itself, in a batch of pointers, and in a batch of equal distances: gemm and gemv.
//
// A Shape has what all members of a batch share: check(), empty(), has_terms(),
// reads_inputs(alpha), multiplications(alpha), operands(a, b, output) and compute(alpha, a, b,
// beta, output).
#pragma once

#include "src/host/mublas/parallel.h"
#include "src/host/mublas/product.h"

namespace host_mublas {

template <typename Shape, typename T>
mublasStatus_t single(mublasHandle_t handle, const Shape& shape, const T* alpha, const T* a,
                      const T* b, const T* beta, T* output) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (shape.empty()) return MUBLAS_STATUS_SUCCESS;
  return start_product(context->settings(), shape.has_terms(), alpha, beta,
                       shape.operands(a, b, output),
                       [=](T by, T keep) { shape.compute(by, a, b, keep, output); });
}

template <typename Shape, typename T>
mublasStatus_t batched(mublasHandle_t handle, const Shape& shape, const T* alpha, const T* const* a,
                       const T* const* b, const T* beta, T* const* output, int count) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (count < 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (shape.empty() || count == 0) return MUBLAS_STATUS_SUCCESS;
  return start_product(
      context->settings(), shape.has_terms(), alpha, beta,
      {host::array(a, count), host::array(b, count), host::array(output, count),
       shape.template operands<T>(nullptr, nullptr, nullptr).cost * count},
      [=](T by, T keep) {
        // With alpha 0 the matrices need not exist.
        const bool reads = shape.reads_inputs(by);
        const auto usable = [&](int i) {
          const auto used =
              shape.operands(reads ? a[i] : nullptr, reads ? b[i] : nullptr, output[i]);
          return host::may_use(used.output) &&
                 (!reads || (host::may_use(used.a) && host::may_use(used.b)));
        };
        if (!all_members(count, usable)) return;
        for_each_member(count, shape.multiplications(by), [&](int i) {
          shape.compute(by, reads ? a[i] : nullptr, reads ? b[i] : nullptr, keep, output[i]);
        });
      });
}

template <typename Shape, typename T>
mublasStatus_t strided(mublasHandle_t handle, const Shape& shape, const T* alpha, const T* a,
                       long long stride_a, const T* b, long long stride_b, const T* beta, T* output,
                       long long stride_output, int count) {
  const auto context = find_context(handle);
  if (!context) return MUBLAS_STATUS_INVALID_HANDLE;
  if (const auto status = shape.check(); status != MUBLAS_STATUS_SUCCESS) return status;
  if (count < 0) return MUBLAS_STATUS_INVALID_SIZE;
  if (shape.empty() || count == 0) return MUBLAS_STATUS_SUCCESS;
  const auto [one_a, one_b, one_output, cost] = shape.operands(a, b, output);
  const ProductOperands all{host::batch(a, one_a, count, stride_a),
                            host::batch(b, one_b, count, stride_b),
                            host::batch(output, one_output, count, stride_output), cost * count};
  return start_product(context->settings(), shape.has_terms(), alpha, beta, all, [=](T by, T keep) {
    const bool reads = shape.reads_inputs(by);
    for_each_member(count, shape.multiplications(by), [&](int i) {
      shape.compute(by, reads ? a + i * stride_a : nullptr, reads ? b + i * stride_b : nullptr,
                    keep, output + i * stride_output);
    });
  });
}

}  // namespace host_mublas
