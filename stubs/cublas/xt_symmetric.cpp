// cublasXt's products with a symmetric or Hermitian matrix: symm and hemm. Matrices may be in host
// memory. A tile on the diagonal goes to MUSA's function of the same name, and the others are
// products. Of A one triangle is read.
#include "stubs/cublas/xt_worker.h"

namespace {

using namespace torchada::xt;
using torchada::fail;

using Symmetric = int (*)(void*, int side, int uplo, int m, int n, const void* alpha, const void* a,
                          int lda, const void* b, int ldb, const void* beta, void* c, int ldc);

// C = alpha * A * B + beta * C or alpha * B * A + beta * C. Of A, one triangle is read.
struct Balanced {
  const Handle* handle;
  Numbers numbers;
  int side, uplo;
  int turned;  // What gives the other triangle: CUBLAS_OP_T or CUBLAS_OP_C.
  size_t m, n;
  const void* alpha;
  Matrix a, b;
  const void* beta;
  void* c;
  size_t ldc;
};

int balanced_tile(const Balanced& problem, Symmetric symmetric, bool reads_c, const Worker& worker,
                  const Tile& tile) {
  const Tiles& tiles = worker.tiles();
  const auto block = static_cast<size_t>(problem.handle->block);
  const bool is_left = problem.side == kLeft;
  const size_t order = is_left ? problem.m : problem.n;
  const size_t own = is_left ? tile.row : tile.column;
  if (reads_c && !worker.fetch_to(tiles.c(), {bytes(problem.c), problem.ldc}, tile)) {
    return fail(kExecutionFailed);
  }
  const void* beta = problem.beta;
  for (size_t step = 0; step < order; step += block) {
    const size_t depth = smaller(block, order - step);
    const Tile in_a = is_left ? Tile{tile.row, step, tile.rows, depth}
                              : Tile{step, tile.column, depth, tile.columns};
    const Tile in_b = is_left ? Tile{step, tile.column, depth, tile.columns}
                              : Tile{tile.row, step, tile.rows, depth};
    const bool is_stored = problem.uplo == kLower ? in_a.row > in_a.column : in_a.row < in_a.column;
    const int trans = is_stored ? kNoTranspose : problem.turned;
    int status = 0;
    if (step == own) {
      if (!worker.fetch_to(tiles.a(), problem.a, in_a) ||
          !worker.fetch_to(tiles.b(), problem.b, in_b)) {
        return fail(kExecutionFailed);
      }
      status = symmetric(worker.blas(), problem.side, problem.uplo, static_cast<int>(tile.rows),
                         static_cast<int>(tile.columns), problem.alpha, tiles.a(), leading(in_a),
                         tiles.b(), leading(in_b), beta, tiles.c(), static_cast<int>(tile.rows));
    } else if (is_left) {
      status = worker.multiply(trans, problem.a, in_a, kNoTranspose, problem.b, in_b, problem.alpha,
                               beta);
    } else {
      status = worker.multiply(kNoTranspose, problem.b, in_b, trans, problem.a, in_a, problem.alpha,
                               beta);
    }
    if (status != 0) return status;
    beta = problem.numbers.one;
  }
  return worker.store_to(problem.c, problem.ldc, tile);
}

int balanced(const Balanced& problem, Symmetric symmetric) {
  if (!problem.handle) return fail(kNotInitialized);
  const size_t m = problem.m, n = problem.n;
  if (!is_side(problem.side) || !is_fill(problem.uplo) || !problem.alpha || !problem.beta ||
      !holds(problem.a.ld, problem.side == kLeft ? m : n) || !holds(problem.b.ld, m) ||
      !holds(problem.ldc, m)) {
    return fail(kInvalidValue);
  }
  if (m == 0 || n == 0) return 0;
  if (!problem.a.data || !problem.b.data || !problem.c) return fail(kInvalidValue);
  if (problem.handle->count == 0) return fail(kNotInitialized);
  const bool reads_c = !problem.numbers.is_zero(problem.beta);
  return on_each_tile(problem.handle, problem.numbers, m, n, longer(m, n), every_tile,
                      [&](const Worker& worker, const Tile& tile) {
                        return balanced_tile(problem, symmetric, reads_c, worker, tile);
                      });
}

}  // namespace

#define TORCHADA_XT_BALANCED(letter, Real, is_complex, name, kTurned)                         \
  extern "C" int torchada_adapter_cublasXt##letter##name(                                     \
      void* handle, int side, int uplo, size_t m, size_t n, const void* alpha, const void* a, \
      size_t lda, const void* b, size_t ldb, const void* beta, void* c, size_t ldc) {         \
    return balanced(                                                                          \
        {.handle = handle_of(handle),                                                         \
         .numbers = numbers_of<Real, is_complex>(torchada_own_cublas##letter##gemm_v2),       \
         .side = side,                                                                        \
         .uplo = uplo,                                                                        \
         .turned = (kTurned),                                                                 \
         .m = m,                                                                              \
         .n = n,                                                                              \
         .alpha = alpha,                                                                      \
         .a = {bytes(a), lda},                                                                \
         .b = {bytes(b), ldb},                                                                \
         .beta = beta,                                                                        \
         .c = c,                                                                              \
         .ldc = ldc},                                                                         \
        torchada_own_cublas##letter##name##_v2);                                              \
  }

#define TORCHADA_XT_SYMM(letter, Real, is_complex) \
  TORCHADA_XT_BALANCED(letter, Real, is_complex, symm, kTranspose)

TORCHADA_XT_EACH_TYPE(TORCHADA_XT_SYMM)
TORCHADA_XT_BALANCED(C, float, true, hemm, kConjugate)
TORCHADA_XT_BALANCED(Z, double, true, hemm, kConjugate)
