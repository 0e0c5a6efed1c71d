// Vector functions that take types as arguments. They work if all types are one for which muBLAS
// has a function. muBLAS cannot do the others, above all half precision.
#include <stdint.h>

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

constexpr int kR32 = static_cast<int>(torchada::cuda::CUDA_R_32F);
constexpr int kR64 = static_cast<int>(torchada::cuda::CUDA_R_64F);
constexpr int kC32 = static_cast<int>(torchada::cuda::CUDA_C_32F);
constexpr int kC64 = static_cast<int>(torchada::cuda::CUDA_C_64F);

// `type` if all others equal it, otherwise -1.
template <typename... Types>
int common(int type, Types... others) {
  return ((others == type) && ...) ? type : -1;
}

// The same, where the others are the type of its absolute values: float for complex floats.
template <typename... Types>
int with_real(int type, Types... others) {
  const int real = type == kC32 ? kR32 : type == kC64 ? kR64 : type;
  return ((others == real) && ...) ? type : -1;
}

// An invalid handle is reported first, as everywhere in cuBLAS.
struct Refusal {
  const char* function;
  void* handle;

  template <typename... Types>
  int operator()(Types... types) const {
    int mode = 0;
    if (const int status = torchada_own_cublasGetPointerMode_v2(handle, &mode)) return status;
    torchada::Line all;
    const char* separator = "";
    const int given[] = {types...};
    for (const int type : given) {
      all << separator << torchada::enumerator_text("cudaDataType", type).c_str();
      separator = ", ";
    }
    return torchada::refuse_argument(
        function, "types", all.c_str(),
        "MUSA's BLAS computes this only in float, double or complex, with operands of one type",
        static_cast<int>(torchada::cuda::CUBLAS_STATUS_NOT_SUPPORTED));
  }
};

// For rotations: vectors of one type, and an angle that may be real.
int rotated(int x, int y, int angle, int execution) {
  return x == y && x == execution ? with_real(x, angle) : -1;
}

}  // namespace

// One function for each of the four types. `choose` picks one from all `types` of the call.
// NOLINTBEGIN(bugprone-macro-parentheses): parts of a string and arguments of a call take none.
#define TORCHADA_BY_TYPE(name, choose, types, s, d, c, z, suffix, arguments) \
  switch (choose types) {                                                    \
    case kR32:                                                               \
      return torchada_own_cublas##s##_v2##suffix arguments;                  \
    case kR64:                                                               \
      return torchada_own_cublas##d##_v2##suffix arguments;                  \
    case kC32:                                                               \
      return torchada_own_cublas##c##_v2##suffix arguments;                  \
    case kC64:                                                               \
      return torchada_own_cublas##z##_v2##suffix arguments;                  \
    default:                                                                 \
      return Refusal{name #suffix, handle} types;                            \
  }
// NOLINTEND(bugprone-macro-parentheses)

#define TORCHADA_TYPED_VECTORS(suffix, Int)                                                        \
  extern "C" int torchada_adapter_cublasAxpyEx##suffix(                                            \
      void* handle, Int n, const void* alpha, int alpha_type, const void* x, int x_type, Int incx, \
      void* y, int y_type, Int incy, int execution) {                                              \
    TORCHADA_BY_TYPE("cublasAxpyEx", common, (x_type, alpha_type, y_type, execution), Saxpy,       \
                     Daxpy, Caxpy, Zaxpy, suffix, (handle, n, alpha, x, incx, y, incy))            \
  }                                                                                                \
  extern "C" int torchada_adapter_cublasScalEx##suffix(void* handle, Int n, const void* alpha,     \
                                                       int alpha_type, void* x, int x_type,        \
                                                       Int incx, int execution) {                  \
    TORCHADA_BY_TYPE("cublasScalEx", common, (x_type, alpha_type, execution), Sscal, Dscal, Cscal, \
                     Zscal, suffix, (handle, n, alpha, x, incx))                                   \
  }                                                                                                \
  extern "C" int torchada_adapter_cublasDotEx##suffix(                                             \
      void* handle, Int n, const void* x, int x_type, Int incx, const void* y, int y_type,         \
      Int incy, void* result, int result_type, int execution) {                                    \
    TORCHADA_BY_TYPE("cublasDotEx", common, (x_type, y_type, result_type, execution), Sdot, Ddot,  \
                     Cdotu, Zdotu, suffix, (handle, n, x, incx, y, incy, result))                  \
  }                                                                                                \
  extern "C" int torchada_adapter_cublasDotcEx##suffix(                                            \
      void* handle, Int n, const void* x, int x_type, Int incx, const void* y, int y_type,         \
      Int incy, void* result, int result_type, int execution) {                                    \
    TORCHADA_BY_TYPE("cublasDotcEx", common, (x_type, y_type, result_type, execution), Sdot, Ddot, \
                     Cdotc, Zdotc, suffix, (handle, n, x, incx, y, incy, result))                  \
  }                                                                                                \
  extern "C" int torchada_adapter_cublasNrm2Ex##suffix(void* handle, Int n, const void* x,         \
                                                       int x_type, Int incx, void* result,         \
                                                       int result_type, int execution) {           \
    TORCHADA_BY_TYPE("cublasNrm2Ex", with_real, (x_type, result_type, execution), Snrm2, Dnrm2,    \
                     Scnrm2, Dznrm2, suffix, (handle, n, x, incx, result))                         \
  }                                                                                                \
  extern "C" int torchada_adapter_cublasAsumEx##suffix(void* handle, Int n, const void* x,         \
                                                       int x_type, Int incx, void* result,         \
                                                       int result_type, int execution) {           \
    TORCHADA_BY_TYPE("cublasAsumEx", with_real, (x_type, result_type, execution), Sasum, Dasum,    \
                     Scasum, Dzasum, suffix, (handle, n, x, incx, result))                         \
  }                                                                                                \
  extern "C" int torchada_adapter_cublasCopyEx##suffix(                                            \
      void* handle, Int n, const void* x, int x_type, Int incx, void* y, int y_type, Int incy) {   \
    TORCHADA_BY_TYPE("cublasCopyEx", common, (x_type, y_type), Scopy, Dcopy, Ccopy, Zcopy, suffix, \
                     (handle, n, x, incx, y, incy))                                                \
  }                                                                                                \
  extern "C" int torchada_adapter_cublasSwapEx##suffix(void* handle, Int n, void* x, int x_type,   \
                                                       Int incx, void* y, int y_type, Int incy) {  \
    TORCHADA_BY_TYPE("cublasSwapEx", common, (x_type, y_type), Sswap, Dswap, Cswap, Zswap, suffix, \
                     (handle, n, x, incx, y, incy))                                                \
  }                                                                                                \
  extern "C" int torchada_adapter_cublasIamaxEx##suffix(void* handle, Int n, const void* x,        \
                                                        int x_type, Int incx, void* result) {      \
    TORCHADA_BY_TYPE("cublasIamaxEx", common, (x_type), Isamax, Idamax, Icamax, Izamax, suffix,    \
                     (handle, n, x, incx, result))                                                 \
  }                                                                                                \
  extern "C" int torchada_adapter_cublasIaminEx##suffix(void* handle, Int n, const void* x,        \
                                                        int x_type, Int incx, void* result) {      \
    TORCHADA_BY_TYPE("cublasIaminEx", common, (x_type), Isamin, Idamin, Icamin, Izamin, suffix,    \
                     (handle, n, x, incx, result))                                                 \
  }

// Complex rotations by a real angle have functions of their own.
#define TORCHADA_TYPED_ROTATIONS(suffix, Int)                                                      \
  extern "C" int torchada_adapter_cublasRotEx##suffix(                                             \
      void* handle, Int n, void* x, int x_type, Int incx, void* y, int y_type, Int incy,           \
      const void* c, const void* s, int angle_type, int execution) {                               \
    TORCHADA_BY_TYPE("cublasRotEx", rotated, (x_type, y_type, angle_type, execution), Srot, Drot,  \
                     Csrot, Zdrot, suffix, (handle, n, x, incx, y, incy, c, s))                    \
  }                                                                                                \
  extern "C" int torchada_adapter_cublasRotmEx##suffix(                                            \
      void* handle, Int n, void* x, int x_type, Int incx, void* y, int y_type, Int incy,           \
      const void* parameters, int parameter_type, int execution) {                                 \
    switch (common(x_type, y_type, parameter_type, execution)) {                                   \
      case kR32:                                                                                   \
        return torchada_own_cublasSrotm_v2##suffix(handle, n, x, incx, y, incy, parameters);       \
      case kR64:                                                                                   \
        return torchada_own_cublasDrotm_v2##suffix(handle, n, x, incx, y, incy, parameters);       \
      default:                                                                                     \
        return Refusal{"cublasRotmEx" #suffix, handle}(x_type, y_type, parameter_type, execution); \
    }                                                                                              \
  }

// The rank-k update by a matrix and its conjugate. The 3m form computes the same with fewer
// products.
#define TORCHADA_TYPED_CHERK(name, suffix, Int)                                                   \
  extern "C" int torchada_adapter_##name##suffix(                                                 \
      void* handle, int uplo, int trans, Int n, Int k, const void* alpha, const void* a,          \
      int a_type, Int lda, const void* beta, void* c, int c_type, Int ldc) {                      \
    if (common(a_type, c_type) != kC32) return Refusal{#name #suffix, handle}(a_type, c_type);    \
    return torchada_own_cublasCherk_v2##suffix(handle, uplo, trans, n, k, alpha, a, lda, beta, c, \
                                               ldc);                                              \
  }

extern "C" int torchada_adapter_cublasRotgEx(void* handle, void* a, void* b, int type, void* c,
                                             void* s, int angle_type, int execution) {
  switch (common(type, angle_type, execution)) {
    case kR32:
      return torchada_own_cublasSrotg_v2(handle, a, b, c, s);
    case kR64:
      return torchada_own_cublasDrotg_v2(handle, a, b, c, s);
    default:
      return Refusal{"cublasRotgEx", handle}(type, angle_type, execution);
  }
}

extern "C" int torchada_adapter_cublasRotmgEx(void* handle, void* d1, int d1_type, void* d2,
                                              int d2_type, void* x1, int x1_type, const void* y1,
                                              int y1_type, void* parameters, int parameter_type,
                                              int execution) {
  switch (common(d1_type, d2_type, x1_type, y1_type, parameter_type, execution)) {
    case kR32:
      return torchada_own_cublasSrotmg_v2(handle, d1, d2, x1, y1, parameters);
    case kR64:
      return torchada_own_cublasDrotmg_v2(handle, d1, d2, x1, y1, parameters);
    default:
      return Refusal{"cublasRotmgEx", handle}(d1_type, d2_type, x1_type, y1_type, parameter_type,
                                              execution);
  }
}

TORCHADA_TYPED_VECTORS(, int)
TORCHADA_TYPED_ROTATIONS(, int)
TORCHADA_TYPED_CHERK(cublasCherkEx, , int)
TORCHADA_TYPED_CHERK(cublasCherk3mEx, , int)
#if TORCHADA_ABI >= 12
TORCHADA_TYPED_VECTORS(_64, int64_t)
TORCHADA_TYPED_ROTATIONS(_64, int64_t)
TORCHADA_TYPED_CHERK(cublasCherkEx, _64, int64_t)
TORCHADA_TYPED_CHERK(cublasCherk3mEx, _64, int64_t)
#endif
