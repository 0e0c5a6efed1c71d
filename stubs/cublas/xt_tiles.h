// Tiles of matrices that may be in host memory, for cublasXt: they are copied to a device, and the
// tiles of the result are copied back.
#pragma once

#include <stddef.h>

#include "facts.h"
#include "stubs/cublas/xt.h"

namespace torchada::xt {

// From the addresses MUSA sees where a matrix is.
inline constexpr int kByAddress = static_cast<int>(musa::musaMemcpyDefault);
inline constexpr int kNoTranspose = static_cast<int>(cuda::CUBLAS_OP_N);

inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

inline const char* bytes(const void* matrix) { return static_cast<const char*>(matrix); }

// A matrix as the program stores it. Only results are written.
struct Matrix {
  const char* data;
  size_t ld;
};

// Where a tile begins, and its size.
struct Tile {
  size_t row, column, rows, columns;
};

// The tile of op(X), as X is stored.
inline Tile stored(int operation, const Tile& tile) {
  if (operation == kNoTranspose) return tile;
  return {tile.column, tile.row, tile.columns, tile.rows};
}

// The leading dimension of a tile on the device.
inline int leading(const Tile& tile) { return tile.rows == 0 ? 1 : static_cast<int>(tile.rows); }

inline bool fetch(size_t element, const Matrix& from, const Tile& tile, void* to) {
  return musaMemcpy2D(to, tile.rows * element,
                      from.data + (tile.column * from.ld + tile.row) * element, from.ld * element,
                      tile.rows * element, tile.columns, kByAddress) == 0;
}

inline bool store(size_t element, void* matrix, size_t ld, const Tile& tile, const void* from) {
  char* const to = static_cast<char*>(matrix) + (tile.column * ld + tile.row) * element;
  return musaMemcpy2D(to, ld * element, from, tile.rows * element, tile.rows * element,
                      tile.columns, kByAddress) == 0;
}

// Memory for one tile of each of three matrices, on the current device.
class Tiles {
 public:
  explicit Tiles(size_t bytes) {
    for (void*& tile : tiles_) {
      if (musaMalloc(&tile, bytes) == 0) continue;
      tile = nullptr;
      failed_ = true;
    }
  }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;
  ~Tiles() {
    for (void* tile : tiles_) {
      if (tile) musaFree(tile);
    }
  }
  bool failed() const { return failed_; }
  void* a() const { return tiles_[0]; }
  void* b() const { return tiles_[1]; }
  void* c() const { return tiles_[2]; }

 private:
  void* tiles_[3] = {};
  bool failed_ = false;
};

}  // namespace torchada::xt
