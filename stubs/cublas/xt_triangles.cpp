// cublasXt's functions of symmetric, Hermitian and triangular matrices that may be in host memory.
// A tile on the diagonal goes to MUSA's function of the same name, and the others are products. Of
// a triangle only that half is written, and the other half never matters.
#include "facts.h"
#include "stubs/cublas/xt_tiles.h"
#include "stubs/fallback.h"
#include "stubs/on_device.h"

namespace {

using torchada::fail;
using torchada::OnDevice;
using torchada::xt::bytes;
using torchada::xt::fetch;
using torchada::xt::Handle;
using torchada::xt::handle_of;
using torchada::xt::kNoTranspose;
using torchada::xt::leading;
using torchada::xt::Matrix;
using torchada::xt::smaller;
using torchada::xt::store;
using torchada::xt::stored;
using torchada::xt::Tile;
using torchada::xt::Tiles;
namespace cuda = torchada::cuda;

constexpr int kNotInitialized = static_cast<int>(cuda::CUBLAS_STATUS_NOT_INITIALIZED);
constexpr int kInvalidValue = static_cast<int>(cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kAllocFailed = static_cast<int>(cuda::CUBLAS_STATUS_ALLOC_FAILED);
constexpr int kExecutionFailed = static_cast<int>(cuda::CUBLAS_STATUS_EXECUTION_FAILED);
constexpr int kTranspose = static_cast<int>(cuda::CUBLAS_OP_T);
constexpr int kConjugate = static_cast<int>(cuda::CUBLAS_OP_C);
constexpr int kLeft = static_cast<int>(cuda::CUBLAS_SIDE_LEFT);
constexpr int kRight = static_cast<int>(cuda::CUBLAS_SIDE_RIGHT);
constexpr int kLower = static_cast<int>(cuda::CUBLAS_FILL_MODE_LOWER);
constexpr int kUpper = static_cast<int>(cuda::CUBLAS_FILL_MODE_UPPER);

// Functions of this library for one type of numbers.
using Gemm = int (*)(void*, int transa, int transb, int m, int n, int k, const void* alpha,
                     const void* a, int lda, const void* b, int ldb, const void* beta, void* c,
                     int ldc);
using RankK = int (*)(void*, int uplo, int trans, int n, int k, const void* alpha, const void* a,
                      int lda, const void* beta, void* c, int ldc);
using Rank2K = int (*)(void*, int uplo, int trans, int n, int k, const void* alpha, const void* a,
                       int lda, const void* b, int ldb, const void* beta, void* c, int ldc);
using Symmetric = int (*)(void*, int side, int uplo, int m, int n, const void* alpha, const void* a,
                          int lda, const void* b, int ldb, const void* beta, void* c, int ldc);
using Multiply = int (*)(void*, int side, int uplo, int trans, int diag, int m, int n,
                         const void* alpha, const void* a, int lda, const void* b, int ldb, void* c,
                         int ldc);
using Solve = int (*)(void*, int side, int uplo, int trans, int diag, int m, int n,
                      const void* alpha, const void* a, int lda, void* b, int ldb);

struct Numbers {
  size_t element;  // Bytes.
  bool is_complex;
  Gemm gemm;
  const void* one;
  const void* minus_one;
};

template <typename Real>
struct Constants {
  static constexpr Real kOne[2] = {1, 0};
  static constexpr Real kMinusOne[2] = {-1, 0};
};

template <typename Real>
bool is_zero(const void* number, bool is_complex) {
  const Real* const parts = static_cast<const Real*>(number);
  return parts[0] == 0 && (!is_complex || parts[1] == 0);
}

bool is_fill(int uplo) { return uplo == kLower || uplo == kUpper; }
bool is_side(int side) { return side == kLeft || side == kRight; }
bool is_operation(int trans) {
  return trans == kNoTranspose || trans == kTranspose || trans == kConjugate;
}
bool holds(size_t ld, size_t rows) { return ld >= (rows > 1 ? rows : 1); }

// What one device works with: a cuBLAS handle and three tiles.
class Worker {
 public:
  Worker(const Numbers& numbers, void* blas, size_t side)
      : numbers_(numbers), blas_(blas), tiles_(side * side * numbers.element) {}

  const Tiles& tiles() const { return tiles_; }
  void* blas() const { return blas_; }
  bool fetch_to(void* tile, const Matrix& matrix, const Tile& place) const {
    return fetch(numbers_.element, matrix, place, tile);
  }
  // Tile c = alpha * op(A) * op(B) + beta * tile c. The places are those in op(A) and op(B).
  int multiply(int transa, const Matrix& a, const Tile& in_a, int transb, const Matrix& b,
               const Tile& in_b, const void* alpha, const void* beta) const {
    const Tile place_a = stored(transa, in_a);
    const Tile place_b = stored(transb, in_b);
    if (in_a.columns != 0 &&
        (!fetch_to(tiles_.a(), a, place_a) || !fetch_to(tiles_.b(), b, place_b))) {
      return fail(kExecutionFailed);
    }
    return numbers_.gemm(blas_, transa, transb, static_cast<int>(in_a.rows),
                         static_cast<int>(in_b.columns), static_cast<int>(in_a.columns), alpha,
                         tiles_.a(), leading(place_a), tiles_.b(), leading(place_b), beta,
                         tiles_.c(), static_cast<int>(in_a.rows));
  }

 private:
  const Numbers& numbers_;
  void* blas_;
  Tiles tiles_;
};

// `work(worker, index, boards)` does the share of the device with that index.
template <typename Work>
int on_each_device(const Handle* handle, const Numbers& numbers, size_t longest, const Work& work) {
  const size_t side = smaller(static_cast<size_t>(handle->block), longest);
  const auto boards = static_cast<size_t>(handle->count);
  for (size_t board = 0; board < boards; ++board) {
    const OnDevice there(handle->boards[board].device);
    if (there.failed()) return fail(kExecutionFailed);
    const Worker worker(numbers, handle->boards[board].blas, side);
    if (worker.tiles().failed()) return fail(kAllocFailed);
    if (const int status = work(worker, board, boards)) return status;
  }
  return 0;
}

// C = alpha * op(A) * op(B)^T + beta * C in one triangle, or with ^H; of ranks 2k with a second
// product, in which A and B change places.
struct Update {
  const Handle* handle;
  Numbers numbers;
  int uplo, trans;
  int turned;  // The operation that transposes here: CUBLAS_OP_T or CUBLAS_OP_C.
  size_t n, k;
  const void* alpha;
  const void* second_alpha;  // Null without a second product.
  Matrix a, b;
  bool has_b;             // Otherwise b is a.
  const void* beta;       // For the products.
  const void* diag_beta;  // For the function of the diagonal, which may take a real number.
  bool reads_c;
  void* c;
  size_t ldc;
};

bool store_triangle(const Update& update, const Tile& tile, const void* from) {
  const size_t element = update.numbers.element;
  for (size_t i = 0; i < tile.columns; ++i) {
    const bool is_lower = update.uplo == kLower;
    const size_t first = is_lower ? i : 0;
    const Tile column{tile.row + first, tile.column + i, is_lower ? tile.rows - i : i + 1, 1};
    const char* const part = bytes(from) + (i * tile.rows + first) * element;
    if (!store(element, update.c, update.ldc, column, part)) return false;
  }
  return true;
}

// `diagonal(blas, rows, depth, tile a, tile b, their leading dimension, beta, tile c)`.
template <typename Diagonal>
int update_tile(const Update& update, const Worker& worker, const Tile& tile,
                const Diagonal& diagonal) {
  const Tiles& tiles = worker.tiles();
  const auto block = static_cast<size_t>(update.handle->block);
  const bool is_diagonal = tile.row == tile.column;
  const bool is_plain = update.trans == kNoTranspose;
  const int trans_left = is_plain ? kNoTranspose : update.turned;
  const int trans_right = is_plain ? update.turned : kNoTranspose;
  if (update.reads_c && !worker.fetch_to(tiles.c(), {bytes(update.c), update.ldc}, tile)) {
    return fail(kExecutionFailed);
  }
  const void* beta = is_diagonal ? update.diag_beta : update.beta;
  size_t done = 0;
  do {  // Once if k is 0: C is then beta * C.
    const size_t depth = smaller(block, update.k - done);
    const Tile left{tile.row, done, tile.rows, depth};
    const Tile right{done, tile.column, depth, tile.columns};
    int status = 0;
    if (is_diagonal) {
      const Tile place = stored(trans_left, left);
      if (depth != 0 && (!worker.fetch_to(tiles.a(), update.a, place) ||
                         (update.has_b && !worker.fetch_to(tiles.b(), update.b, place)))) {
        return fail(kExecutionFailed);
      }
      status = diagonal(worker.blas(), static_cast<int>(tile.rows), static_cast<int>(depth),
                        tiles.a(), tiles.b(), leading(place), beta, tiles.c());
    } else {
      status = worker.multiply(trans_left, update.a, left, trans_right, update.b, right,
                               update.alpha, beta);
      if (status == 0 && update.second_alpha) {
        status = worker.multiply(trans_left, update.b, left, trans_right, update.a, right,
                                 update.second_alpha, update.numbers.one);
      }
    }
    if (status != 0) return status;
    beta = update.numbers.one;
    done += depth;
  } while (done < update.k);
  const bool is_stored = is_diagonal
                             ? store_triangle(update, tile, tiles.c())
                             : store(update.numbers.element, update.c, update.ldc, tile, tiles.c());
  return is_stored ? 0 : fail(kExecutionFailed);
}

template <typename Diagonal, typename IsZero>
int update_all(const Update& given, const Diagonal& diagonal, const IsZero& beta_is_zero) {
  if (!given.handle) return fail(kNotInitialized);
  const size_t rows = given.trans == kNoTranspose ? given.n : given.k;
  if (!is_fill(given.uplo) || (given.trans != kNoTranspose && given.trans != given.turned) ||
      !given.alpha || !given.diag_beta || !holds(given.a.ld, rows) ||
      (given.has_b && !holds(given.b.ld, rows)) || !holds(given.ldc, given.n)) {
    return fail(kInvalidValue);
  }
  if (given.n == 0) return 0;
  if (!given.c || (given.k != 0 && (!given.a.data || !given.b.data))) return fail(kInvalidValue);
  if (given.handle->count == 0) return fail(kNotInitialized);
  Update update = given;
  update.reads_c = !beta_is_zero();
  const auto block = static_cast<size_t>(update.handle->block);
  const size_t longest = update.n > update.k ? update.n : update.k;
  const auto work = [&](const Worker& worker, size_t board, size_t boards) {
    size_t index = 0;
    for (size_t column = 0; column < update.n; column += block) {
      for (size_t row = 0; row < update.n; row += block) {
        if (update.uplo == kLower ? row < column : row > column) continue;
        if (index++ % boards != board) continue;
        const Tile tile{row, column, smaller(block, update.n - row),
                        smaller(block, update.n - column)};
        if (const int status = update_tile(update, worker, tile, diagonal)) return status;
      }
    }
    return 0;
  };
  return on_each_device(update.handle, update.numbers, longest, work);
}

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
  return store(problem.numbers.element, problem.c, problem.ldc, tile, tiles.c())
             ? 0
             : fail(kExecutionFailed);
}

template <typename IsZero>
int balanced(const Balanced& problem, Symmetric symmetric, const IsZero& beta_is_zero) {
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
  const bool reads_c = !beta_is_zero();
  const auto block = static_cast<size_t>(problem.handle->block);
  const auto work = [&](const Worker& worker, size_t board, size_t boards) {
    size_t index = 0;
    for (size_t column = 0; column < n; column += block) {
      for (size_t row = 0; row < m; row += block) {
        if (index++ % boards != board) continue;
        const Tile tile{row, column, smaller(block, m - row), smaller(block, n - column)};
        if (const int status = balanced_tile(problem, symmetric, reads_c, worker, tile)) {
          return status;
        }
      }
    }
    return 0;
  };
  return on_each_device(problem.handle, problem.numbers, m > n ? m : n, work);
}

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
  return store(problem.numbers.element, problem.to, problem.ld, tile, tiles.c())
             ? 0
             : fail(kExecutionFailed);
}

template <typename IsZero>
int triangular(const Triangular& problem, Multiply multiply, Solve solve,
               const IsZero& is_alpha_zero) {
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
  const bool alpha_is_zero = is_alpha_zero();
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
  return on_each_device(problem.handle, problem.numbers, m > n ? m : n, work);
}

// For real numbers both operations that transpose are the same.
int plain_trans(int trans, bool is_complex) {
  return !is_complex && trans == kConjugate ? kTranspose : trans;
}

template <typename Real>
int rank_k(void* handle, const Numbers& numbers, RankK diagonal, int uplo, int trans, size_t n,
           size_t k, const void* alpha, const void* a, size_t lda, const void* beta, void* c,
           size_t ldc) {
  trans = plain_trans(trans, numbers.is_complex);
  const Matrix matrix{bytes(a), lda};
  const Update update{handle_of(handle),
                      numbers,
                      uplo,
                      trans,
                      kTranspose,
                      n,
                      k,
                      alpha,
                      nullptr,
                      matrix,
                      matrix,
                      false,
                      beta,
                      beta,
                      true,
                      c,
                      ldc};
  return update_all(
      update,
      [&](void* blas, int rows, int depth, const void* tile, const void*, int ld,
          const void* own_beta, void* to) {
        return diagonal(blas, uplo, trans, rows, depth, alpha, tile, ld, own_beta, to, rows);
      },
      [&] { return is_zero<Real>(beta, numbers.is_complex); });
}

// alpha and beta are real.
template <typename Real>
int hermitian_rank_k(void* handle, const Numbers& numbers, RankK diagonal, int uplo, int trans,
                     size_t n, size_t k, const void* alpha, const void* a, size_t lda,
                     const void* beta, void* c, size_t ldc) {
  const Matrix matrix{bytes(a), lda};
  const Real whole_alpha[2] = {alpha ? *static_cast<const Real*>(alpha) : Real(), 0};
  const Real whole_beta[2] = {beta ? *static_cast<const Real*>(beta) : Real(), 0};
  const Update update{handle_of(handle),
                      numbers,
                      uplo,
                      trans,
                      kConjugate,
                      n,
                      k,
                      alpha ? whole_alpha : nullptr,
                      nullptr,
                      matrix,
                      matrix,
                      false,
                      whole_beta,
                      beta,
                      true,
                      c,
                      ldc};
  return update_all(
      update,
      [&](void* blas, int rows, int depth, const void* tile, const void*, int ld,
          const void* own_beta, void* to) {
        return diagonal(blas, uplo, trans, rows, depth, alpha, tile, ld, own_beta, to, rows);
      },
      [&] { return is_zero<Real>(beta, false); });
}

// Ranks k of two matrices, or 2k if the second product is `doubled`.
template <typename Real>
int rank_2k(void* handle, const Numbers& numbers, Rank2K diagonal, bool doubled, int uplo,
            int trans, size_t n, size_t k, const void* alpha, const void* a, size_t lda,
            const void* b, size_t ldb, const void* beta, void* c, size_t ldc) {
  trans = plain_trans(trans, numbers.is_complex);
  const Update update{handle_of(handle),
                      numbers,
                      uplo,
                      trans,
                      kTranspose,
                      n,
                      k,
                      alpha,
                      doubled ? alpha : nullptr,
                      {bytes(a), lda},
                      {bytes(b), ldb},
                      true,
                      beta,
                      beta,
                      true,
                      c,
                      ldc};
  return update_all(
      update,
      [&](void* blas, int rows, int depth, const void* tile_a, const void* tile_b, int ld,
          const void* own_beta, void* to) {
        return diagonal(blas, uplo, trans, rows, depth, alpha, tile_a, ld, tile_b, ld, own_beta, to,
                        rows);
      },
      [&] { return is_zero<Real>(beta, numbers.is_complex); });
}

// beta is real.
template <typename Real>
int hermitian_rank_2k(void* handle, const Numbers& numbers, Rank2K diagonal, bool doubled, int uplo,
                      int trans, size_t n, size_t k, const void* alpha, const void* a, size_t lda,
                      const void* b, size_t ldb, const void* beta, void* c, size_t ldc) {
  const Real* const parts = static_cast<const Real*>(alpha);
  const Real conjugate[2] = {parts ? parts[0] : Real(), parts ? -parts[1] : Real()};
  const Real whole_beta[2] = {beta ? *static_cast<const Real*>(beta) : Real(), 0};
  const Update update{handle_of(handle),
                      numbers,
                      uplo,
                      trans,
                      kConjugate,
                      n,
                      k,
                      alpha,
                      doubled ? conjugate : nullptr,
                      {bytes(a), lda},
                      {bytes(b), ldb},
                      true,
                      whole_beta,
                      beta,
                      true,
                      c,
                      ldc};
  return update_all(
      update,
      [&](void* blas, int rows, int depth, const void* tile_a, const void* tile_b, int ld,
          const void* own_beta, void* to) {
        return diagonal(blas, uplo, trans, rows, depth, alpha, tile_a, ld, tile_b, ld, own_beta, to,
                        rows);
      },
      [&] { return is_zero<Real>(beta, false); });
}

}  // namespace

#define TORCHADA_XT_RANK_K(letter, Real, name, function)                                          \
  extern "C" int torchada_adapter_cublasXt##letter##name(                                         \
      void* handle, int uplo, int trans, size_t n, size_t k, const void* alpha, const void* a,    \
      size_t lda, const void* beta, void* c, size_t ldc) {                                        \
    return function<Real>(handle, kNumbers##letter, torchada_own_cublas##letter##name##_v2, uplo, \
                          trans, n, k, alpha, a, lda, beta, c, ldc);                              \
  }

#define TORCHADA_XT_RANK_2K(letter, Real, name, own, function, doubled)                        \
  extern "C" int torchada_adapter_cublasXt##letter##name(                                      \
      void* handle, int uplo, int trans, size_t n, size_t k, const void* alpha, const void* a, \
      size_t lda, const void* b, size_t ldb, const void* beta, void* c, size_t ldc) {          \
    return function<Real>(handle, kNumbers##letter, torchada_own_cublas##letter##own, doubled, \
                          uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);             \
  }

#define TORCHADA_XT_BALANCED(letter, Real, name, turned)                                         \
  extern "C" int torchada_adapter_cublasXt##letter##name(                                        \
      void* handle, int side, int uplo, size_t m, size_t n, const void* alpha, const void* a,    \
      size_t lda, const void* b, size_t ldb, const void* beta, void* c, size_t ldc) {            \
    const Balanced problem{handle_of(handle), kNumbers##letter, side, uplo, turned, m, n, alpha, \
                           {bytes(a), lda},   {bytes(b), ldb},  beta, c,    ldc};                \
    return balanced(problem, torchada_own_cublas##letter##name##_v2,                             \
                    [&] { return is_zero<Real>(beta, kNumbers##letter.is_complex); });           \
  }

#define TORCHADA_XT_ALL(letter, Real, complex)                                                    \
  namespace {                                                                                     \
  constexpr Numbers kNumbers##letter{sizeof(Real) * ((complex) ? 2 : 1), complex,                 \
                                     torchada_own_cublas##letter##gemm_v2, Constants<Real>::kOne, \
                                     Constants<Real>::kMinusOne};                                 \
  }                                                                                               \
  TORCHADA_XT_RANK_K(letter, Real, syrk, rank_k)                                                  \
  TORCHADA_XT_RANK_2K(letter, Real, syr2k, syr2k_v2, rank_2k, true)                               \
  TORCHADA_XT_RANK_2K(letter, Real, syrkx, syrkx, rank_2k, false)                                 \
  TORCHADA_XT_BALANCED(letter, Real, symm, kTranspose)                                            \
  extern "C" int torchada_adapter_cublasXt##letter##trmm(                                         \
      void* handle, int side, int uplo, int trans, int diag, size_t m, size_t n,                  \
      const void* alpha, const void* a, size_t lda, const void* b, size_t ldb, void* c,           \
      size_t ldc) {                                                                               \
    const Triangular problem{handle_of(handle),                                                   \
                             kNumbers##letter,                                                    \
                             side,                                                                \
                             uplo,                                                                \
                             plain_trans(trans, complex),                                         \
                             diag,                                                                \
                             m,                                                                   \
                             n,                                                                   \
                             alpha,                                                               \
                             {bytes(a), lda},                                                     \
                             {bytes(b), ldb},                                                     \
                             c,                                                                   \
                             ldc};                                                                \
    return triangular(problem, torchada_own_cublas##letter##trmm_v2, nullptr,                     \
                      [&] { return is_zero<Real>(alpha, complex); });                             \
  }                                                                                               \
  extern "C" int torchada_adapter_cublasXt##letter##trsm(                                         \
      void* handle, int side, int uplo, int trans, int diag, size_t m, size_t n,                  \
      const void* alpha, const void* a, size_t lda, void* b, size_t ldb) {                        \
    const Triangular problem{handle_of(handle),                                                   \
                             kNumbers##letter,                                                    \
                             side,                                                                \
                             uplo,                                                                \
                             plain_trans(trans, complex),                                         \
                             diag,                                                                \
                             m,                                                                   \
                             n,                                                                   \
                             alpha,                                                               \
                             {bytes(a), lda},                                                     \
                             {bytes(b), ldb},                                                     \
                             b,                                                                   \
                             ldb};                                                                \
    return triangular(problem, nullptr, torchada_own_cublas##letter##trsm_v2,                     \
                      [&] { return is_zero<Real>(alpha, complex); });                             \
  }

#define TORCHADA_XT_HERMITIAN(letter, Real)                                   \
  TORCHADA_XT_RANK_K(letter, Real, herk, hermitian_rank_k)                    \
  TORCHADA_XT_RANK_2K(letter, Real, her2k, her2k_v2, hermitian_rank_2k, true) \
  TORCHADA_XT_RANK_2K(letter, Real, herkx, herkx, hermitian_rank_2k, false)   \
  TORCHADA_XT_BALANCED(letter, Real, hemm, kConjugate)

TORCHADA_XT_ALL(S, float, false)
TORCHADA_XT_ALL(D, double, false)
TORCHADA_XT_ALL(C, float, true)
TORCHADA_XT_ALL(Z, double, true)
TORCHADA_XT_HERMITIAN(C, float)
TORCHADA_XT_HERMITIAN(Z, double)
