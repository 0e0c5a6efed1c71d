// Matrix products of 8 and 16 bit numbers, with the same bits on every CPU: each sum starts with 0
// and adds its products in order; each product and each sum is rounded once.
#pragma once

#include <library_types.h>

#include <array>
#include <cstdint>
#include <functional>

namespace host_narrow {

// A matrix. Element (row, column) is at row + column * ld, or, if transposed, at column + row * ld.
struct Operand {
  const void* data = nullptr;
  musaDataType_t type = MUSA_R_32F;
  std::int64_t ld = 0;
  bool transposed = false;
};

// A part of a product, computed but not yet stored. Columns are `kRows` elements apart.
template <typename Sum>
struct Tile {
  static constexpr int kRows = 64;
  static constexpr int kColumns = 64;

  std::int64_t row = 0;
  std::int64_t column = 0;
  int rows = 0;
  int columns = 0;
  std::array<Sum, std::size_t{kRows} * kColumns> sums;
};

template <typename Sum>
using TakeTile = std::function<void(const Tile<Sum>&)>;

// a (m x k) times b (k x n), in tiles. Floats of 8 to 32 bits and int8 are summed as float. int8
// can also be summed as 32 bit integers, which wrap around.
void plain_gemm(std::int64_t m, std::int64_t n, std::int64_t k, const Operand& a, const Operand& b,
                const TakeTile<float>& take);
void plain_gemm(std::int64_t m, std::int64_t n, std::int64_t k, const Operand& a, const Operand& b,
                const TakeTile<std::int32_t>& take);

}  // namespace host_narrow
