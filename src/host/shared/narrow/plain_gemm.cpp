#include "src/host/shared/narrow/plain_gemm.h"

#include <algorithm>

#include "src/host/shared/narrow/elements.h"

namespace host_narrow {
namespace {

constexpr int kRows = Tile<float>::kRows;
constexpr int kColumns = Tile<float>::kColumns;
constexpr int kDepth = 128;  // products between two packings

template <typename Number>
using PanelA = std::array<Number, std::size_t{kRows} * kDepth>;  // depth after depth
template <typename Number>
using PanelB = std::array<Number, std::size_t{kColumns} * kDepth>;  // column after column

// Sums that wrap around are computed as unsigned: signed overflow is undefined.
template <typename Sum>
struct Arithmetic {
  using type = Sum;
};
template <>
struct Arithmetic<std::int32_t> {
  using type = std::uint32_t;
};

// The part of both matrices that gives each sum of a tile its next kDepth products.
template <typename Number>
struct Panels {
  PanelA<Number> a;
  PanelB<Number> b;
};

template <typename Number>
Number element(const auto* data, std::int64_t index) {
  return widened<Number>(data[index]);
}

// Rows beyond the matrix are 0, so that the loop over rows has a fixed length.
template <typename Number>
void pack_a(const Operand& a, std::int64_t row, int rows, std::int64_t first, int depth,
            PanelA<Number>& packed) {
  const auto copy = [&](auto type) {
    const auto* const data = static_cast<const decltype(type)*>(a.data);
    for (int p = 0; p < depth; ++p) {
      Number* const out = &packed[static_cast<std::size_t>(p) * kRows];
      for (int i = 0; i < rows; ++i) {
        const std::int64_t index =
            a.transposed ? (first + p) + (row + i) * a.ld : (row + i) + (first + p) * a.ld;
        out[i] = element<Number>(data, index);
      }
      std::fill(out + rows, out + kRows, Number{});
    }
    return true;
  };
  with_type(a.type, false, copy);
}

template <typename Number>
void pack_b(const Operand& b, std::int64_t column, int columns, std::int64_t first, int depth,
            PanelB<Number>& packed) {
  const auto copy = [&](auto type) {
    const auto* const data = static_cast<const decltype(type)*>(b.data);
    for (int j = 0; j < columns; ++j) {
      Number* const out = &packed[static_cast<std::size_t>(j) * kDepth];
      for (int p = 0; p < depth; ++p) {
        const std::int64_t index =
            b.transposed ? (column + j) + (first + p) * b.ld : (first + p) + (column + j) * b.ld;
        out[p] = element<Number>(data, index);
      }
    }
    return true;
  };
  with_type(b.type, false, copy);
}

// Adds four products in each pass, in order: fewer passes over the sums, the same bits.
template <typename Number>
void add_products(Number* __restrict sums, const Number* __restrict a, const Number* __restrict b,
                  int depth) {
  int p = 0;
  for (; p + 4 <= depth; p += 4) {
    const Number* const a0 = a + static_cast<std::ptrdiff_t>(p) * kRows;
    const Number* const a1 = a0 + kRows;
    const Number* const a2 = a1 + kRows;
    const Number* const a3 = a2 + kRows;
    for (int i = 0; i < kRows; ++i) {
      Number sum = sums[i];
      sum += a0[i] * b[p];
      sum += a1[i] * b[p + 1];
      sum += a2[i] * b[p + 2];
      sum += a3[i] * b[p + 3];
      sums[i] = sum;
    }
  }
  for (; p < depth; ++p) {
    const Number* const a0 = a + static_cast<std::ptrdiff_t>(p) * kRows;
    for (int i = 0; i < kRows; ++i) sums[i] += a0[i] * b[p];
  }
}

template <typename Sum>
void product(std::int64_t m, std::int64_t n, std::int64_t k, const Operand& a, const Operand& b,
             const TakeTile<Sum>& take) {
  using Number = typename Arithmetic<Sum>::type;
  Tile<Sum> tile;
  Panels<Number> panels;
  std::array<Number, std::size_t{kRows} * kColumns> sums;
  for (tile.column = 0; tile.column < n; tile.column += kColumns) {
    tile.columns = static_cast<int>(std::min<std::int64_t>(kColumns, n - tile.column));
    for (tile.row = 0; tile.row < m; tile.row += kRows) {
      tile.rows = static_cast<int>(std::min<std::int64_t>(kRows, m - tile.row));
      sums.fill(Number{});
      for (std::int64_t first = 0; first < k; first += kDepth) {
        const int depth = static_cast<int>(std::min<std::int64_t>(kDepth, k - first));
        pack_a(a, tile.row, tile.rows, first, depth, panels.a);
        pack_b(b, tile.column, tile.columns, first, depth, panels.b);
        for (int j = 0; j < tile.columns; ++j) {
          const auto column = static_cast<std::size_t>(j);
          add_products(&sums[column * kRows], panels.a.data(), &panels.b[column * kDepth], depth);
        }
      }
      std::transform(sums.begin(), sums.end(), tile.sums.begin(),
                     [](Number sum) { return static_cast<Sum>(sum); });
      take(tile);
    }
  }
}

}  // namespace

void plain_gemm(std::int64_t m, std::int64_t n, std::int64_t k, const Operand& a, const Operand& b,
                const TakeTile<float>& take) {
  product(m, n, k, a, b, take);
}

void plain_gemm(std::int64_t m, std::int64_t n, std::int64_t k, const Operand& a, const Operand& b,
                const TakeTile<std::int32_t>& take) {
  product(m, n, k, a, b, take);
}

}  // namespace host_narrow
