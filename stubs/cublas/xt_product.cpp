// cublasXt's products of matrices that may be in host memory: tiles are copied to a device and
// multiplied there by MUSA's gemm. The tiles of the result go to the selected devices in turn.
#include "stubs/cublas/xt_worker.h"

namespace {

using namespace torchada::xt;
using torchada::fail;

struct Operand {
  Matrix matrix;
  int operation;
};

struct Product {
  const Handle* handle;
  Numbers numbers;
  size_t m, n, k;
  Operand a, b;
  void* c;
  size_t ldc;
  const void* alpha;
  const void* beta;
};

int tile_of_c(const Product& product, bool reads_c, const Worker& worker, const Tile& tile) {
  const auto block = static_cast<size_t>(product.handle->block);
  if (reads_c && !worker.fetch_to(worker.tiles().c(), {bytes(product.c), product.ldc}, tile)) {
    return fail(kExecutionFailed);
  }
  const void* beta = product.beta;
  size_t done = 0;
  do {  // Once if k is 0: C is then beta * C.
    const size_t depth = smaller(block, product.k - done);
    const int status =
        worker.multiply(product.a.operation, product.a.matrix, {tile.row, done, tile.rows, depth},
                        product.b.operation, product.b.matrix,
                        {done, tile.column, depth, tile.columns}, product.alpha, beta);
    if (status != 0) return status;
    beta = product.numbers.one;
    done += depth;
  } while (done < product.k);
  return worker.store_to(product.c, product.ldc, tile);
}

bool is_sound(const Product& product) {
  const bool plain_a = product.a.operation == kNoTranspose;
  const bool plain_b = product.b.operation == kNoTranspose;
  return is_operation(product.a.operation) && is_operation(product.b.operation) && product.alpha &&
         product.beta && holds(product.a.matrix.ld, plain_a ? product.m : product.k) &&
         holds(product.b.matrix.ld, plain_b ? product.k : product.n) &&
         holds(product.ldc, product.m);
}

int multiply(const Product& product) {
  if (!product.handle) return fail(kNotInitialized);
  if (!is_sound(product)) return fail(kInvalidValue);
  if (product.m == 0 || product.n == 0) return 0;
  if (!product.c || (product.k != 0 && (!product.a.matrix.data || !product.b.matrix.data))) {
    return fail(kInvalidValue);
  }
  if (product.handle->count == 0) return fail(kNotInitialized);
  const bool reads_c = !product.numbers.is_zero(product.beta);
  return on_each_tile(product.handle, product.numbers, product.m, product.n,
                      longer(longer(product.m, product.n), product.k), every_tile,
                      [&](const Worker& worker, const Tile& tile) {
                        return tile_of_c(product, reads_c, worker, tile);
                      });
}

}  // namespace

#define TORCHADA_XT_GEMM(letter, Real, is_complex)                                           \
  extern "C" int torchada_adapter_cublasXt##letter##gemm(                                    \
      void* handle, int transa, int transb, size_t m, size_t n, size_t k, const void* alpha, \
      const void* a, size_t lda, const void* b, size_t ldb, const void* beta, void* c,       \
      size_t ldc) {                                                                          \
    return multiply(                                                                         \
        {.handle = handle_of(handle),                                                        \
         .numbers = numbers_of<Real, is_complex>(torchada_own_cublas##letter##gemm_v2),      \
         .m = m,                                                                             \
         .n = n,                                                                             \
         .k = k,                                                                             \
         .a = {{bytes(a), lda}, transa},                                                     \
         .b = {{bytes(b), ldb}, transb},                                                     \
         .c = c,                                                                             \
         .ldc = ldc,                                                                         \
         .alpha = alpha,                                                                     \
         .beta = beta});                                                                     \
  }

TORCHADA_XT_EACH_TYPE(TORCHADA_XT_GEMM)
