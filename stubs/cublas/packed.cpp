// Copies of a triangle between packed and full storage: each column is one copy of muBLAS's in the
// handle's stream. The other triangle is neither read nor written.
#include "facts.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;

constexpr int kNotInitialized = static_cast<int>(torchada::cuda::CUBLAS_STATUS_NOT_INITIALIZED);
constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kLower = static_cast<int>(torchada::cuda::CUBLAS_FILL_MODE_LOWER);
constexpr int kUpper = static_cast<int>(torchada::cuda::CUBLAS_FILL_MODE_UPPER);

using Copy = int (*)(void* handle, int n, const void* x, int incx, void* y, int incy);

struct Triangle {
  void* handle;
  int uplo, n, lda;
  size_t element;  // Bytes.
};

// `copy(rows, packed, full)` copies a column of `rows` elements; both offsets are in bytes.
template <typename CopyColumn>
int each_column(const Triangle& triangle, const void* from, const void* to,
                const CopyColumn& copy) {
  if (!triangle.handle) return fail(kNotInitialized);
  const int n = triangle.n;
  const bool is_lower = triangle.uplo == kLower;
  if ((!is_lower && triangle.uplo != kUpper) || n < 0 || triangle.lda < (n > 1 ? n : 1)) {
    return fail(kInvalidValue);
  }
  if (n == 0) return 0;
  if (!from || !to) return fail(kInvalidValue);
  size_t packed = 0;
  for (int column = 0; column < n; ++column) {
    const int rows = is_lower ? n - column : column + 1;
    const size_t full = static_cast<size_t>(column) * static_cast<size_t>(triangle.lda) +
                        static_cast<size_t>(is_lower ? column : 0);
    const int status = copy(rows, packed * triangle.element, full * triangle.element);
    if (status != 0) return status;
    packed += static_cast<size_t>(rows);
  }
  return 0;
}

int unpack(const Triangle& triangle, Copy copy, const void* packed, void* full) {
  return each_column(triangle, packed, full, [&](int rows, size_t from, size_t to) {
    return copy(triangle.handle, rows, static_cast<const char*>(packed) + from, 1,
                static_cast<char*>(full) + to, 1);
  });
}

int pack(const Triangle& triangle, Copy copy, const void* full, void* packed) {
  return each_column(triangle, full, packed, [&](int rows, size_t to, size_t from) {
    return copy(triangle.handle, rows, static_cast<const char*>(full) + from, 1,
                static_cast<char*>(packed) + to, 1);
  });
}

}  // namespace

#define TORCHADA_PACKED(letter, bytes)                                                             \
  extern "C" int torchada_adapter_cublas##letter##tpttr(void* handle, int uplo, int n,             \
                                                        const void* packed, void* full, int lda) { \
    return unpack({handle, uplo, n, lda, bytes}, torchada_own_cublas##letter##copy_v2, packed,     \
                  full);                                                                           \
  }                                                                                                \
  extern "C" int torchada_adapter_cublas##letter##trttp(void* handle, int uplo, int n,             \
                                                        const void* full, int lda, void* packed) { \
    return pack({handle, uplo, n, lda, bytes}, torchada_own_cublas##letter##copy_v2, full,         \
                packed);                                                                           \
  }

TORCHADA_PACKED(S, sizeof(float))
TORCHADA_PACKED(D, sizeof(double))
TORCHADA_PACKED(C, 2 * sizeof(float))
TORCHADA_PACKED(Z, 2 * sizeof(double))
