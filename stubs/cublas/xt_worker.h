// What cublasXt's functions share: the numbers of one type, what one device works with, and who
// does which tile of a result.
#pragma once

#include "facts.h"
#include "stubs/adapting/on_device.h"
#include "stubs/cublas/xt_tiles.h"
#include "stubs/reporting/fallback.h"

namespace torchada::xt {

inline constexpr int kNotInitialized = static_cast<int>(cuda::CUBLAS_STATUS_NOT_INITIALIZED);
inline constexpr int kInvalidValue = static_cast<int>(cuda::CUBLAS_STATUS_INVALID_VALUE);
inline constexpr int kAllocFailed = static_cast<int>(cuda::CUBLAS_STATUS_ALLOC_FAILED);
inline constexpr int kExecutionFailed = static_cast<int>(cuda::CUBLAS_STATUS_EXECUTION_FAILED);
inline constexpr int kTranspose = static_cast<int>(cuda::CUBLAS_OP_T);
inline constexpr int kConjugate = static_cast<int>(cuda::CUBLAS_OP_C);
inline constexpr int kLeft = static_cast<int>(cuda::CUBLAS_SIDE_LEFT);
inline constexpr int kLower = static_cast<int>(cuda::CUBLAS_FILL_MODE_LOWER);
inline constexpr int kUpper = static_cast<int>(cuda::CUBLAS_FILL_MODE_UPPER);

inline bool is_operation(int trans) {
  return trans == kNoTranspose || trans == kTranspose || trans == kConjugate;
}
inline bool is_fill(int uplo) { return uplo == kLower || uplo == kUpper; }
inline bool is_side(int side) {
  return side == kLeft || side == static_cast<int>(cuda::CUBLAS_SIDE_RIGHT);
}
inline bool holds(size_t ld, size_t rows) { return ld >= (rows > 1 ? rows : 1); }
inline size_t longer(size_t a, size_t b) { return a > b ? a : b; }

// This library's function for one type of numbers.
using Gemm = int (*)(void*, int transa, int transb, int m, int n, int k, const void* alpha,
                     const void* a, int lda, const void* b, int ldb, const void* beta, void* c,
                     int ldc);

template <typename Real>
struct Constants {
  static constexpr Real kOne[2] = {1, 0};
  static constexpr Real kMinusOne[2] = {-1, 0};
};

template <typename Real, bool is_complex>
bool is_zero(const void* number) {
  const Real* const parts = static_cast<const Real*>(number);
  return parts[0] == 0 && (!is_complex || parts[1] == 0);
}

struct Numbers {
  size_t element;  // Bytes.
  bool is_complex;
  Gemm gemm;
  const void* one;
  const void* minus_one;
  bool (*is_zero)(const void*);
};

template <typename Real, bool is_complex>
constexpr Numbers numbers_of(Gemm gemm) {
  return {sizeof(Real) * (is_complex ? 2 : 1),
          is_complex,
          gemm,
          Constants<Real>::kOne,
          Constants<Real>::kMinusOne,
          is_zero<Real, is_complex>};
}

// For real numbers both operations that transpose are the same.
inline int plain_trans(int trans, const Numbers& numbers) {
  return !numbers.is_complex && trans == kConjugate ? kTranspose : trans;
}

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
  // Tile c to its place in the program's matrix. Returns the status to return.
  int store_to(void* matrix, size_t ld, const Tile& place) const {
    return store(numbers_.element, matrix, ld, place, tiles_.c()) ? 0 : fail(kExecutionFailed);
  }

 private:
  const Numbers& numbers_;
  void* blas_;
  Tiles tiles_;
};

// `work(worker, index, boards)` does the share of the device with that index. `longest`: the
// longest side of a matrix.
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

// `work(worker, tile)` for each tile of m by n numbers that begins where `is_wanted(row, column)`
// is true. The devices take them in turn.
template <typename IsWanted, typename Work>
int on_each_tile(const Handle* handle, const Numbers& numbers, size_t m, size_t n, size_t longest,
                 const IsWanted& is_wanted, const Work& work) {
  const auto block = static_cast<size_t>(handle->block);
  return on_each_device(
      handle, numbers, longest, [&](const Worker& worker, size_t board, size_t boards) {
        size_t index = 0;
        for (size_t column = 0; column < n; column += block) {
          for (size_t row = 0; row < m; row += block) {
            if (!is_wanted(row, column) || index++ % boards != board) continue;
            const Tile tile{row, column, smaller(block, m - row), smaller(block, n - column)};
            if (const int status = work(worker, tile)) return status;
          }
        }
        return 0;
      });
}

inline bool every_tile(size_t, size_t) { return true; }

}  // namespace torchada::xt

// Calls each(letter, type of real numbers, whether they are complex) for cuBLAS's four types.
#define TORCHADA_XT_EACH_TYPE(each) \
  each(S, float, false) each(D, double, false) each(C, float, true) each(Z, double, true)
