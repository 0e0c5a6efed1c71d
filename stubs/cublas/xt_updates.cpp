// cublasXt's updates of one triangle of C, which may be in host memory: syrk, herk, syr2k, her2k,
// syrkx and herkx. A tile on the diagonal goes to MUSA's function of the same name, and the others
// are products. Only that triangle is written, and the other one never matters.
#include "stubs/cublas/xt_worker.h"

namespace {

using namespace torchada::xt;
using torchada::fail;

// Functions of this library for one type of numbers.
using RankK = int (*)(void*, int uplo, int trans, int n, int k, const void* alpha, const void* a,
                      int lda, const void* beta, void* c, int ldc);
using Rank2K = int (*)(void*, int uplo, int trans, int n, int k, const void* alpha, const void* a,
                       int lda, const void* b, int ldb, const void* beta, void* c, int ldc);

// C = alpha * op(A) * op(B)^T + beta * C, or with ^H; of ranks 2k with a second product, in which A
// and B change places.
struct Update {
  const Handle* handle;
  Numbers numbers;
  int uplo, trans;
  int turned;  // The operation that transposes here: CUBLAS_OP_T or CUBLAS_OP_C.
  size_t n, k;
  const void* alpha;                   // For the products.
  const void* second_alpha = nullptr;  // Null without a second product.
  Matrix a, b;
  bool has_b = false;  // Otherwise b is a.
  const void* beta;    // For the products.
  // For the function of the diagonal; of Hermitian updates, some are real.
  const void* diagonal_alpha;
  const void* diagonal_beta;
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

int update_diagonal(const Update& update, const Worker& worker, RankK function, int rows, int depth,
                    int ld, const void* beta) {
  const Tiles& tiles = worker.tiles();
  return function(worker.blas(), update.uplo, update.trans, rows, depth, update.diagonal_alpha,
                  tiles.a(), ld, beta, tiles.c(), rows);
}

int update_diagonal(const Update& update, const Worker& worker, Rank2K function, int rows,
                    int depth, int ld, const void* beta) {
  const Tiles& tiles = worker.tiles();
  return function(worker.blas(), update.uplo, update.trans, rows, depth, update.diagonal_alpha,
                  tiles.a(), ld, tiles.b(), ld, beta, tiles.c(), rows);
}

template <typename Function>
int update_tile(const Update& update, Function function, bool reads_c, const Worker& worker,
                const Tile& tile) {
  const Tiles& tiles = worker.tiles();
  const auto block = static_cast<size_t>(update.handle->block);
  const bool is_diagonal = tile.row == tile.column;
  const bool is_plain = update.trans == kNoTranspose;
  const int trans_left = is_plain ? kNoTranspose : update.turned;
  const int trans_right = is_plain ? update.turned : kNoTranspose;
  if (reads_c && !worker.fetch_to(tiles.c(), {bytes(update.c), update.ldc}, tile)) {
    return fail(kExecutionFailed);
  }
  const void* beta = is_diagonal ? update.diagonal_beta : update.beta;
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
      status = update_diagonal(update, worker, function, static_cast<int>(tile.rows),
                               static_cast<int>(depth), leading(place), beta);
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
  if (!is_diagonal) return worker.store_to(update.c, update.ldc, tile);
  return store_triangle(update, tile, tiles.c()) ? 0 : fail(kExecutionFailed);
}

template <typename Function>
int update_all(const Update& update, Function function) {
  if (!update.handle) return fail(kNotInitialized);
  const size_t rows = update.trans == kNoTranspose ? update.n : update.k;
  if (!is_fill(update.uplo) || (update.trans != kNoTranspose && update.trans != update.turned) ||
      !update.diagonal_alpha || !update.diagonal_beta || !holds(update.a.ld, rows) ||
      (update.has_b && !holds(update.b.ld, rows)) || !holds(update.ldc, update.n)) {
    return fail(kInvalidValue);
  }
  if (update.n == 0) return 0;
  if (!update.c || (update.k != 0 && (!update.a.data || !update.b.data))) {
    return fail(kInvalidValue);
  }
  if (update.handle->count == 0) return fail(kNotInitialized);
  const bool reads_c = !update.numbers.is_zero(update.beta);
  return on_each_tile(
      update.handle, update.numbers, update.n, update.n, longer(update.n, update.k),
      [&](size_t row, size_t column) {
        return update.uplo == kLower ? row >= column : row <= column;
      },
      [&](const Worker& worker, const Tile& tile) {
        return update_tile(update, function, reads_c, worker, tile);
      });
}

// A real number of the program's, as a complex one; 0 if there is none.
template <typename Real>
struct Whole {
  explicit Whole(const void* real) : parts{real ? *static_cast<const Real*>(real) : Real(), 0} {}
  Real parts[2];
};

// What all updates of one kind have in common. The products take the numbers as they are.
Update begin(void* handle, const Numbers& numbers, int turned, int uplo, int trans, size_t n,
             size_t k, const void* alpha, const Matrix& a, const void* beta, void* c, size_t ldc) {
  return {.handle = handle_of(handle),
          .numbers = numbers,
          .uplo = uplo,
          .trans = turned == kTranspose ? plain_trans(trans, numbers) : trans,
          .turned = turned,
          .n = n,
          .k = k,
          .alpha = alpha,
          .a = a,
          .b = a,
          .beta = beta,
          .diagonal_alpha = alpha,
          .diagonal_beta = beta,
          .c = c,
          .ldc = ldc};
}

void add_second(Update* update, const Matrix& b, const void* second_alpha) {
  update->b = b;
  update->has_b = true;
  update->second_alpha = second_alpha;
}

}  // namespace

#define TORCHADA_XT_RANK_K(letter, Real, is_complex)                                            \
  extern "C" int torchada_adapter_cublasXt##letter##syrk(                                       \
      void* handle, int uplo, int trans, size_t n, size_t k, const void* alpha, const void* a,  \
      size_t lda, const void* beta, void* c, size_t ldc) {                                      \
    const Numbers numbers = numbers_of<Real, is_complex>(torchada_own_cublas##letter##gemm_v2); \
    return update_all(begin(handle, numbers, kTranspose, uplo, trans, n, k, alpha,              \
                            {bytes(a), lda}, beta, c, ldc),                                     \
                      torchada_own_cublas##letter##syrk_v2);                                    \
  }

// Ranks 2k, and ranks k of two matrices, without the second product.
#define TORCHADA_XT_RANK_2K(letter, Real, is_complex, name, own, is_doubled)                      \
  extern "C" int torchada_adapter_cublasXt##letter##name(                                         \
      void* handle, int uplo, int trans, size_t n, size_t k, const void* alpha, const void* a,    \
      size_t lda, const void* b, size_t ldb, const void* beta, void* c, size_t ldc) {             \
    const Numbers numbers = numbers_of<Real, is_complex>(torchada_own_cublas##letter##gemm_v2);   \
    Update update = begin(handle, numbers, kTranspose, uplo, trans, n, k, alpha, {bytes(a), lda}, \
                          beta, c, ldc);                                                          \
    add_second(&update, {bytes(b), ldb}, (is_doubled) ? alpha : nullptr);                         \
    return update_all(update, torchada_own_cublas##letter##own);                                  \
  }

// alpha and beta are real.
#define TORCHADA_XT_HERMITIAN_K(letter, Real)                                                  \
  extern "C" int torchada_adapter_cublasXt##letter##herk(                                      \
      void* handle, int uplo, int trans, size_t n, size_t k, const void* alpha, const void* a, \
      size_t lda, const void* beta, void* c, size_t ldc) {                                     \
    const Numbers numbers = numbers_of<Real, true>(torchada_own_cublas##letter##gemm_v2);      \
    const Whole<Real> whole_alpha(alpha), whole_beta(beta);                                    \
    Update update = begin(handle, numbers, kConjugate, uplo, trans, n, k, whole_alpha.parts,   \
                          {bytes(a), lda}, whole_beta.parts, c, ldc);                          \
    update.diagonal_alpha = alpha;                                                             \
    update.diagonal_beta = beta;                                                               \
    return update_all(update, torchada_own_cublas##letter##herk_v2);                           \
  }

// beta is real. The second product has alpha's conjugate.
#define TORCHADA_XT_HERMITIAN_2K(letter, Real, name, own, is_doubled)                             \
  extern "C" int torchada_adapter_cublasXt##letter##name(                                         \
      void* handle, int uplo, int trans, size_t n, size_t k, const void* alpha, const void* a,    \
      size_t lda, const void* b, size_t ldb, const void* beta, void* c, size_t ldc) {             \
    const Numbers numbers = numbers_of<Real, true>(torchada_own_cublas##letter##gemm_v2);         \
    const Real* const parts = static_cast<const Real*>(alpha);                                    \
    const Real conjugate[2] = {parts ? parts[0] : Real(), parts ? -parts[1] : Real()};            \
    const Whole<Real> whole_beta(beta);                                                           \
    Update update = begin(handle, numbers, kConjugate, uplo, trans, n, k, alpha, {bytes(a), lda}, \
                          whole_beta.parts, c, ldc);                                              \
    add_second(&update, {bytes(b), ldb}, (is_doubled) ? conjugate : nullptr);                     \
    update.diagonal_beta = beta;                                                                  \
    return update_all(update, torchada_own_cublas##letter##own);                                  \
  }

#define TORCHADA_XT_UPDATES(letter, Real, is_complex)                  \
  TORCHADA_XT_RANK_K(letter, Real, is_complex)                         \
  TORCHADA_XT_RANK_2K(letter, Real, is_complex, syr2k, syr2k_v2, true) \
  TORCHADA_XT_RANK_2K(letter, Real, is_complex, syrkx, syrkx, false)

#define TORCHADA_XT_HERMITIAN_UPDATES(letter, Real)             \
  TORCHADA_XT_HERMITIAN_K(letter, Real)                         \
  TORCHADA_XT_HERMITIAN_2K(letter, Real, her2k, her2k_v2, true) \
  TORCHADA_XT_HERMITIAN_2K(letter, Real, herkx, herkx, false)

TORCHADA_XT_EACH_TYPE(TORCHADA_XT_UPDATES)
TORCHADA_XT_HERMITIAN_UPDATES(C, float)
TORCHADA_XT_HERMITIAN_UPDATES(Z, double)
