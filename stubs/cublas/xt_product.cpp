// cublasXt's products of matrices that may be in host memory: tiles are copied to a device and
// multiplied there by MUSA's gemm. The tiles of the result go to the selected devices in turn.
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
using torchada::xt::kNoTranspose;
using torchada::xt::leading;
using torchada::xt::Matrix;
using torchada::xt::smaller;
using torchada::xt::store;
using torchada::xt::stored;
using torchada::xt::Tile;
using torchada::xt::Tiles;

constexpr int kNotInitialized = static_cast<int>(torchada::cuda::CUBLAS_STATUS_NOT_INITIALIZED);
constexpr int kInvalidValue = static_cast<int>(torchada::cuda::CUBLAS_STATUS_INVALID_VALUE);
constexpr int kAllocFailed = static_cast<int>(torchada::cuda::CUBLAS_STATUS_ALLOC_FAILED);
constexpr int kExecutionFailed = static_cast<int>(torchada::cuda::CUBLAS_STATUS_EXECUTION_FAILED);

struct Operand {
  Matrix matrix;
  int operation;
};

struct Product {
  const Handle* handle;
  size_t element;  // Bytes.
  size_t m, n, k;
  Operand a, b;
  char* c;
  size_t ldc;
  const void* alpha;
  const void* beta;
  const void* one;
  bool reads_c;  // beta is not 0.
};

// `gemm(blas, sizes of the tile, depth, tiles and their leading dimensions, beta)`.
template <typename Gemm>
int tile_of_c(const Product& product, void* blas, const Tiles& tiles, const Tile& tile,
              const Gemm& gemm) {
  const size_t element = product.element;
  const auto block = static_cast<size_t>(product.handle->block);
  if (product.reads_c && !fetch(element, {product.c, product.ldc}, tile, tiles.c())) {
    return fail(kExecutionFailed);
  }
  const void* beta = product.beta;
  size_t done = 0;
  do {  // Once if k is 0: C is then beta * C.
    const size_t depth = smaller(block, product.k - done);
    const Tile a = stored(product.a.operation, {tile.row, done, tile.rows, depth});
    const Tile b = stored(product.b.operation, {done, tile.column, depth, tile.columns});
    if (depth != 0 && (!fetch(element, product.a.matrix, a, tiles.a()) ||
                       !fetch(element, product.b.matrix, b, tiles.b()))) {
      return fail(kExecutionFailed);
    }
    const int status = gemm(blas, static_cast<int>(tile.rows), static_cast<int>(tile.columns),
                            static_cast<int>(depth), tiles.a(), leading(a), tiles.b(), leading(b),
                            beta, tiles.c());
    if (status != 0) return status;
    beta = product.one;
    done += depth;
  } while (done < product.k);
  return store(element, product.c, product.ldc, tile, tiles.c()) ? 0 : fail(kExecutionFailed);
}

template <typename Gemm>
int multiply(const Product& product, const Gemm& gemm) {
  const auto block = static_cast<size_t>(product.handle->block);
  const size_t longest = product.m > product.n ? product.m : product.n;
  const size_t side = smaller(block, longest > product.k ? longest : product.k);
  const auto boards = static_cast<size_t>(product.handle->count);
  for (size_t board = 0; board < boards; ++board) {
    const OnDevice there(product.handle->boards[board].device);
    if (there.failed()) return fail(kExecutionFailed);
    const Tiles tiles(side * side * product.element);
    if (tiles.failed()) return fail(kAllocFailed);
    size_t index = 0;
    for (size_t column = 0; column < product.n; column += block) {
      for (size_t row = 0; row < product.m; row += block, ++index) {
        if (index % boards != board) continue;
        const Tile tile{row, column, smaller(block, product.m - row),
                        smaller(block, product.n - column)};
        const int status =
            tile_of_c(product, product.handle->boards[board].blas, tiles, tile, gemm);
        if (status != 0) return status;
      }
    }
  }
  return 0;
}

bool is_operation(int value) {
  return value == kNoTranspose || value == torchada::cuda::CUBLAS_OP_T ||
         value == torchada::cuda::CUBLAS_OP_C;
}

bool is_sound(const Product& product) {
  const auto holds = [](size_t ld, size_t rows) { return ld >= (rows > 1 ? rows : 1); };
  const bool plain_a = product.a.operation == kNoTranspose;
  const bool plain_b = product.b.operation == kNoTranspose;
  return is_operation(product.a.operation) && is_operation(product.b.operation) && product.alpha &&
         product.beta && holds(product.a.matrix.ld, plain_a ? product.m : product.k) &&
         holds(product.b.matrix.ld, plain_b ? product.k : product.n) &&
         holds(product.ldc, product.m);
}

// `beta_is_zero` must not read beta unless it is asked.
template <typename Gemm, typename IsZero>
int checked(const Product& product, const Gemm& gemm, const IsZero& beta_is_zero) {
  if (!product.handle) return fail(kNotInitialized);
  if (!is_sound(product)) return fail(kInvalidValue);
  if (product.m == 0 || product.n == 0) return 0;
  if (!product.c || (product.k != 0 && (!product.a.matrix.data || !product.b.matrix.data))) {
    return fail(kInvalidValue);
  }
  if (product.handle->count == 0) return fail(kNotInitialized);
  Product complete = product;
  complete.reads_c = !beta_is_zero();
  return multiply(complete, gemm);
}

}  // namespace

#define TORCHADA_XT_GEMM(letter, Real, reals)                                                      \
  extern "C" int torchada_adapter_cublasXt##letter##gemm(                                          \
      void* handle, int transa, int transb, size_t m, size_t n, size_t k, const void* alpha,       \
      const void* a, size_t lda, const void* b, size_t ldb, const void* beta, void* c,             \
      size_t ldc) {                                                                                \
    static constexpr Real kOne[2] = {1, 0};                                                        \
    const Product product{torchada::xt::handle_of(handle),                                         \
                          sizeof(Real) * (reals),                                                  \
                          m,                                                                       \
                          n,                                                                       \
                          k,                                                                       \
                          {{bytes(a), lda}, transa},                                               \
                          {{bytes(b), ldb}, transb},                                               \
                          static_cast<char*>(c),                                                   \
                          ldc,                                                                     \
                          alpha,                                                                   \
                          beta,                                                                    \
                          kOne,                                                                    \
                          true};                                                                   \
    return checked(                                                                                \
        product,                                                                                   \
        [&](void* blas, int rows, int columns, int depth, const void* tile_a, int ld_a,            \
            const void* tile_b, int ld_b, const void* own_beta, void* tile_c) {                    \
          return torchada_own_cublas##letter##gemm_v2(blas, transa, transb, rows, columns, depth,  \
                                                      alpha, tile_a, ld_a, tile_b, ld_b, own_beta, \
                                                      tile_c, rows);                               \
        },                                                                                         \
        [&] {                                                                                      \
          const Real* const parts = static_cast<const Real*>(beta);                                \
          return parts[0] == 0 && parts[(reals)-1] == 0;                                           \
        });                                                                                        \
  }

TORCHADA_XT_GEMM(S, float, 1)
TORCHADA_XT_GEMM(D, double, 1)
TORCHADA_XT_GEMM(C, float, 2)
TORCHADA_XT_GEMM(Z, double, 2)
