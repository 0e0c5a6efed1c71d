// Groups of products in which each group has its own shape: one batched product per group. The
// arrays of shapes and scalars are in host memory, those of matrices in device memory, one group
// after the other.
#include <stdint.h>

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

#if TORCHADA_ABI >= 12

namespace {

using torchada::fail;

constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kNotSupported = static_cast<int>(torchada::cuda::CUBLAS_STATUS_NOT_SUPPORTED);
constexpr int kPointerModeHost = static_cast<int>(torchada::cuda::CUBLAS_POINTER_MODE_HOST);

template <typename Int>
struct Groups {
  const int* transa;
  const int* transb;
  const Int* m;
  const Int* n;
  const Int* k;
  const Int* lda;
  const Int* ldb;
  const Int* ldc;
  const Int* size;
  Int count;
};

// One group, with its numbers narrowed to muBLAS's 32 bits.
struct Group {
  int transa, transb, m, n, k, lda, ldb, ldc, size;
};

template <typename Int>
bool narrow(const char* function, const char* name, Int value, int* out) {
  *out = static_cast<int>(value);
  if (*out == value) return true;
  torchada::refuse_wide(function, name, value, kInvalidValue);
  return false;
}

template <typename Int>
bool read(const char* function, const Groups<Int>& groups, Int index, Group* out) {
  out->transa = groups.transa[index];
  out->transb = groups.transb[index];
  return narrow(function, "m_array", groups.m[index], &out->m) &&
         narrow(function, "n_array", groups.n[index], &out->n) &&
         narrow(function, "k_array", groups.k[index], &out->k) &&
         narrow(function, "lda_array", groups.lda[index], &out->lda) &&
         narrow(function, "ldb_array", groups.ldb[index], &out->ldb) &&
         narrow(function, "ldc_array", groups.ldc[index], &out->ldc) &&
         narrow(function, "group_size", groups.size[index], &out->size);
}

bool is_operation(int value) {
  return value == torchada::cuda::CUBLAS_OP_N || value == torchada::cuda::CUBLAS_OP_T ||
         value == torchada::cuda::CUBLAS_OP_C;
}

// Rejects what muBLAS would refuse: for a later group it would do so only after the earlier ones
// are done.
bool is_sound(const Group& group) {
  const bool n_a = group.transa == torchada::cuda::CUBLAS_OP_N;
  const bool n_b = group.transb == torchada::cuda::CUBLAS_OP_N;
  const auto holds = [](int leading, int rows) { return leading >= (rows > 1 ? rows : 1); };
  return is_operation(group.transa) && is_operation(group.transb) && group.m >= 0 && group.n >= 0 &&
         group.k >= 0 && group.size >= 0 && holds(group.lda, n_a ? group.m : group.k) &&
         holds(group.ldb, n_b ? group.k : group.n) && holds(group.ldc, group.m);
}

// Calls `product(group, index, first)` for each group; `first` is the index of its first matrix.
template <typename Int, typename Product>
int each(const char* function, void* handle, const Groups<Int>& groups, bool has_arrays,
         const Product& product) {
  int mode = kPointerModeHost;
  if (const int status = torchada_own_cublasGetPointerMode_v2(handle, &mode)) return status;
  // The scalars are an array in host memory; there is no form for device memory.
  if (mode != kPointerModeHost) {
    return torchada::refuse_argument(function, "the pointer mode", "CUBLAS_POINTER_MODE_DEVICE",
                                     "the scalars of all groups are read in host memory",
                                     kNotSupported);
  }
  if (groups.count < 0) return fail(kInvalidValue);
  if (groups.count == 0) return 0;
  if (!has_arrays || !groups.transa || !groups.transb || !groups.m || !groups.n || !groups.k ||
      !groups.lda || !groups.ldb || !groups.ldc || !groups.size) {
    return fail(kInvalidValue);
  }
  Group group{};
  for (Int i = 0; i < groups.count; ++i) {
    if (!read(function, groups, i, &group) || !is_sound(group)) return fail(kInvalidValue);
  }
  size_t first = 0;
  for (Int i = 0; i < groups.count; ++i) {
    read(function, groups, i, &group);
    if (group.size > 0) {
      if (const int status = product(group, static_cast<size_t>(i), first)) return status;
    }
    first += static_cast<size_t>(group.size);
  }
  return 0;
}

// Bytes of alpha and beta of one group; 0 if `compute` is not a type of computation.
size_t scalar_bytes(int compute, int c_type) {
  const bool is_complex =
      c_type == torchada::cuda::CUDA_C_32F || c_type == torchada::cuda::CUDA_C_64F;
  switch (compute) {
    case torchada::cuda::CUBLAS_COMPUTE_16F:
    case torchada::cuda::CUBLAS_COMPUTE_16F_PEDANTIC:
      return 2;
    case torchada::cuda::CUBLAS_COMPUTE_32F:
    case torchada::cuda::CUBLAS_COMPUTE_32F_PEDANTIC:
    case torchada::cuda::CUBLAS_COMPUTE_32F_FAST_16F:
    case torchada::cuda::CUBLAS_COMPUTE_32F_FAST_16BF:
    case torchada::cuda::CUBLAS_COMPUTE_32F_FAST_TF32:
      return is_complex ? 8 : 4;
    case torchada::cuda::CUBLAS_COMPUTE_64F:
    case torchada::cuda::CUBLAS_COMPUTE_64F_PEDANTIC:
      return is_complex ? 16 : 8;
    default:
      return 0;
  }
}

const char* bytes(const void* array) { return static_cast<const char*>(array); }

}  // namespace

#define TORCHADA_GROUPED(letter, suffix, Int, Scalar)                                            \
  extern "C" int torchada_adapter_cublas##letter##gemmGroupedBatched##suffix(                    \
      void* handle, const int* transa, const int* transb, const Int* m, const Int* n,            \
      const Int* k, const Scalar* alpha, const void* const* a, const Int* lda,                   \
      const void* const* b, const Int* ldb, const Scalar* beta, void* const* c, const Int* ldc,  \
      Int count, const Int* size) {                                                              \
    const Groups<Int> groups{transa, transb, m, n, k, lda, ldb, ldc, size, count};               \
    return each("cublas" #letter "gemmGroupedBatched" #suffix, handle, groups,                   \
                alpha && beta && a && b && c, [&](const Group& g, size_t i, size_t first) {      \
                  return torchada_own_cublas##letter##gemmBatched(                               \
                      handle, g.transa, g.transb, g.m, g.n, g.k, alpha + i, a + first, g.lda,    \
                      b + first, g.ldb, beta + i, const_cast<void**>(c + first), g.ldc, g.size); \
                });                                                                              \
  }

#define TORCHADA_GROUPED_EX(suffix, Int)                                                       \
  extern "C" int torchada_adapter_cublasGemmGroupedBatchedEx##suffix(                          \
      void* handle, const int* transa, const int* transb, const Int* m, const Int* n,          \
      const Int* k, const void* alpha, const void* const* a, int a_type, const Int* lda,       \
      const void* const* b, int b_type, const Int* ldb, const void* beta, void* const* c,      \
      int c_type, const Int* ldc, Int count, const Int* size, int compute) {                   \
    const Groups<Int> groups{transa, transb, m, n, k, lda, ldb, ldc, size, count};             \
    const size_t scalar = scalar_bytes(compute, c_type);                                       \
    return each("cublasGemmGroupedBatchedEx" #suffix, handle, groups,                          \
                alpha && beta && a && b && c && scalar != 0,                                   \
                [&](const Group& g, size_t i, size_t first) {                                  \
                  return torchada_own_cublasGemmBatchedEx(                                     \
                      handle, g.transa, g.transb, g.m, g.n, g.k, bytes(alpha) + i * scalar,    \
                      a + first, a_type, g.lda, b + first, b_type, g.ldb,                      \
                      bytes(beta) + i * scalar, const_cast<void**>(c + first), c_type, g.ldc,  \
                      g.size, compute, static_cast<int>(torchada::cuda::CUBLAS_GEMM_DEFAULT)); \
                });                                                                            \
  }

TORCHADA_GROUPED(S, , int, float)
TORCHADA_GROUPED(S, _64, int64_t, float)
TORCHADA_GROUPED(D, , int, double)
TORCHADA_GROUPED(D, _64, int64_t, double)
TORCHADA_GROUPED_EX(, int)
TORCHADA_GROUPED_EX(_64, int64_t)

#endif
