// cublasXt's products with a triangular matrix and its solves: trmm and trsm. Matrices may be in
// host memory. A tile on the diagonal goes to MUSA's function of the same name, and the others are
// products. The other half of the triangle never matters.
#include "stubs/cublas/xt_worker.h"

namespace {

using namespace torchada::xt;
using torchada::fail;
namespace cuda = torchada::cuda;

using Multiply = int (*)(void*, int side, int uplo, int trans, int diag, int m, int n,
                         const void* alpha, const void* a, int lda, const void* b, int ldb, void* c,
                         int ldc);
using Solve = int (*)(void*, int side, int uplo, int trans, int diag, int m, int n,
                      const void* alpha, const void* a, int lda, void* b, int ldb);

// Products with a triangle and solves: B op(A) or op(A) B, and X in X op(A) = B or op(A) X = B.
struct Triangular {
  const Handle* handle;
  Numbers numbers;
  int side, uplo, trans, diag;
  size_t m, n;
  const void* alpha;
  Matrix a;
  Matrix b;  // What is read; for a solve, the result as far as it is known.
  void* to;
  size_t ld;
};

// One tile of the result. `solve` is null for a product.
int triangular_tile(const Triangular& problem, Multiply multiply, Solve solve, const Worker& worker,
                    const Tile& tile, bool alpha_is_zero) {
  const Tiles& tiles = worker.tiles();
  const auto block = static_cast<size_t>(problem.handle->block);
  const bool is_left = problem.side == kLeft;
  const size_t order = is_left ? problem.m : problem.n;
  const size_t own = is_left ? tile.row : tile.column;
  const size_t length = is_left ? tile.rows : tile.columns;
  const Tile diagonal{own, own, length, length};
  const int rows = static_cast<int>(tile.rows), columns = static_cast<int>(tile.columns);
  const auto finish_product = [&] {
    if (!worker.fetch_to(tiles.a(), problem.a, diagonal) ||
        !worker.fetch_to(tiles.b(), problem.b, tile)) {
      return fail(kExecutionFailed);
    }
    return multiply(worker.blas(), problem.side, problem.uplo, problem.trans, problem.diag, rows,
                    columns, problem.alpha, tiles.a(), leading(diagonal), tiles.b(), rows,
                    tiles.c(), rows);
  };
  // A product begins with the tile on the diagonal, a solve ends with it.
  if (!solve) {
    if (const int status = finish_product()) return status;
  } else if (!worker.fetch_to(tiles.c(), problem.b, tile)) {
    return fail(kExecutionFailed);
  }
  const bool is_upper = (problem.uplo == kUpper) == (problem.trans == kNoTranspose);
  const bool goes_beyond = is_upper == is_left;  // To the tiles after this one.
  const void* scale = problem.alpha;             // What a solve has yet to multiply by.
  for (size_t step = 0; step < order && !alpha_is_zero; step += block) {
    if (goes_beyond ? step <= own : step >= own) continue;
    const size_t depth = smaller(block, order - step);
    const Tile in_a = is_left ? Tile{own, step, length, depth} : Tile{step, own, depth, length};
    const Tile in_b = is_left ? Tile{step, tile.column, depth, tile.columns}
                              : Tile{tile.row, step, tile.rows, depth};
    const void* const factor = solve ? problem.numbers.minus_one : problem.alpha;
    const void* const beta = solve ? scale : problem.numbers.one;
    const int status = is_left ? worker.multiply(problem.trans, problem.a, in_a, kNoTranspose,
                                                 problem.b, in_b, factor, beta)
                               : worker.multiply(kNoTranspose, problem.b, in_b, problem.trans,
                                                 problem.a, in_a, factor, beta);
    if (status != 0) return status;
    scale = problem.numbers.one;
  }
  if (solve) {
    if (!worker.fetch_to(tiles.a(), problem.a, diagonal)) return fail(kExecutionFailed);
    const int status = solve(worker.blas(), problem.side, problem.uplo, problem.trans, problem.diag,
                             rows, columns, scale, tiles.a(), leading(diagonal), tiles.c(), rows);
    if (status != 0) return status;
  }
  return worker.store_to(problem.to, problem.ld, tile);
}

int triangular(const Triangular& problem, Multiply multiply, Solve solve) {
  if (!problem.handle) return fail(kNotInitialized);
  const size_t m = problem.m, n = problem.n;
  const bool is_left = problem.side == kLeft;
  if (!is_side(problem.side) || !is_fill(problem.uplo) || !is_operation(problem.trans) ||
      (problem.diag != cuda::CUBLAS_DIAG_UNIT && problem.diag != cuda::CUBLAS_DIAG_NON_UNIT) ||
      !problem.alpha || !holds(problem.a.ld, is_left ? m : n) || !holds(problem.b.ld, m) ||
      !holds(problem.ld, m)) {
    return fail(kInvalidValue);
  }
  if (m == 0 || n == 0) return 0;
  if (!problem.a.data || !problem.b.data || !problem.to) return fail(kInvalidValue);
  if (problem.handle->count == 0) return fail(kNotInitialized);
  const bool alpha_is_zero = problem.numbers.is_zero(problem.alpha);
  const auto block = static_cast<size_t>(problem.handle->block);
  const size_t order = is_left ? m : n;  // Tiles along this side depend on each other,
  const size_t lines = is_left ? n : m;  // along this one they do not.
  // A product may be written over B, so it begins where nothing else needs what it replaces. A
  // solve begins where it needs nothing.
  const bool is_upper = (problem.uplo == kUpper) == (problem.trans == kNoTranspose);
  const bool ascends = (is_upper == is_left) == (solve == nullptr);
  const size_t steps = (order + block - 1) / block;
  const auto work = [&](const Worker& worker, size_t board, size_t boards) {
    for (size_t line = 0; line < lines; line += block) {
      if (line / block % boards != board) continue;
      for (size_t i = 0; i < steps; ++i) {
        const size_t own = (ascends ? i : steps - 1 - i) * block;
        const Tile tile = is_left
                              ? Tile{own, line, smaller(block, m - own), smaller(block, n - line)}
                              : Tile{line, own, smaller(block, m - line), smaller(block, n - own)};
        const int status = triangular_tile(problem, multiply, solve, worker, tile, alpha_is_zero);
        if (status != 0) return status;
      }
    }
    return 0;
  };
  return on_each_device(problem.handle, problem.numbers, longer(m, n), work);
}

Triangular problem_of(void* handle, const Numbers& numbers, int side, int uplo, int trans, int diag,
                      size_t m, size_t n, const void* alpha, const Matrix& a, const Matrix& b,
                      void* to, size_t ld) {
  return {.handle = handle_of(handle),
          .numbers = numbers,
          .side = side,
          .uplo = uplo,
          .trans = plain_trans(trans, numbers),
          .diag = diag,
          .m = m,
          .n = n,
          .alpha = alpha,
          .a = a,
          .b = b,
          .to = to,
          .ld = ld};
}

}  // namespace

#define TORCHADA_XT_TRIANGULAR(letter, Real, is_complex)                                        \
  extern "C" int torchada_adapter_cublasXt##letter##trmm(                                       \
      void* handle, int side, int uplo, int trans, int diag, size_t m, size_t n,                \
      const void* alpha, const void* a, size_t lda, const void* b, size_t ldb, void* c,         \
      size_t ldc) {                                                                             \
    const Numbers numbers = numbers_of<Real, is_complex>(torchada_own_cublas##letter##gemm_v2); \
    return triangular(problem_of(handle, numbers, side, uplo, trans, diag, m, n, alpha,         \
                                 {bytes(a), lda}, {bytes(b), ldb}, c, ldc),                     \
                      torchada_own_cublas##letter##trmm_v2, nullptr);                           \
  }                                                                                             \
  extern "C" int torchada_adapter_cublasXt##letter##trsm(                                       \
      void* handle, int side, int uplo, int trans, int diag, size_t m, size_t n,                \
      const void* alpha, const void* a, size_t lda, void* b, size_t ldb) {                      \
    const Numbers numbers = numbers_of<Real, is_complex>(torchada_own_cublas##letter##gemm_v2); \
    return triangular(problem_of(handle, numbers, side, uplo, trans, diag, m, n, alpha,         \
                                 {bytes(a), lda}, {bytes(b), ldb}, b, ldb),                     \
                      nullptr, torchada_own_cublas##letter##trsm_v2);                           \
  }

TORCHADA_XT_EACH_TYPE(TORCHADA_XT_TRIANGULAR)
