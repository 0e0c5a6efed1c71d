// Blocking copies of vectors and matrices to and from the device. muBLAS is known to have only the
// asynchronous forms, so each of these calls one on the default stream and waits for it.
#include <stdint.h>

#include "facts.h"
#include "stubs/reporting/fallback.h"

namespace {

constexpr int kMappingError = static_cast<int>(torchada::cuda::CUBLAS_STATUS_MAPPING_ERROR);

int finish(int status) {
  if (status != 0) return status;
  return musaStreamSynchronize(nullptr) == 0 ? 0 : torchada::fail(kMappingError);
}

}  // namespace

#define TORCHADA_TRANSFERS(direction, suffix, Int)                                               \
  extern "C" int torchada_adapter_cublas##direction##Vector##suffix(                             \
      Int n, Int element_bytes, const void* x, Int incx, void* y, Int incy) {                    \
    return finish(torchada_own_cublas##direction##VectorAsync##suffix(n, element_bytes, x, incx, \
                                                                      y, incy, nullptr));        \
  }                                                                                              \
  extern "C" int torchada_adapter_cublas##direction##Matrix##suffix(                             \
      Int rows, Int columns, Int element_bytes, const void* a, Int lda, void* b, Int ldb) {      \
    return finish(torchada_own_cublas##direction##MatrixAsync##suffix(                           \
        rows, columns, element_bytes, a, lda, b, ldb, nullptr));                                 \
  }

TORCHADA_TRANSFERS(Set, , int)
TORCHADA_TRANSFERS(Get, , int)
#if TORCHADA_ABI >= 12
TORCHADA_TRANSFERS(Set, _64, int64_t)
TORCHADA_TRANSFERS(Get, _64, int64_t)
#endif
