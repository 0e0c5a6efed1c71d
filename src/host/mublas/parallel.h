// How the cores share a computation. It is divided by its size alone: the last bits of a sum depend
// on where OpenBLAS's kernels begin, and must not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "src/host/mublas/blas_gate.h"
#include "src/host/shared/workers/workers.h"

namespace host_mublas {

// Multiplications of the smallest part. To wake a thread takes as long as a few percent of them.
inline constexpr double kLeastOfPart = 1 << 23;

// A part of a result.
struct Block {
  int row, column, rows, columns;
};

// How a result of m x n, both at least 1, is divided.
class Grid {
 public:
  // At most `parts`, as square as possible: each part reads its own rows of A and columns of B.
  Grid(int m, int n, int parts) : m_(m), n_(n) {
    std::int64_t least = INT64_MAX;
    for (int down = 1; down <= parts; ++down) {
      const int height = step(m, down);
      const int width = step(n, parts / down);
      const std::int64_t read = std::int64_t{height} + width;
      const std::int64_t longest = std::int64_t{height} * width;
      // The largest part decides when the last thread ends.
      const std::int64_t cost = longest + 8 * read;
      if (cost >= least) continue;
      least = cost;
      height_ = height;
      width_ = width;
    }
  }

  int parts() const { return down() * across(); }

  Block block(int part) const {
    const int row = part % down() * height_;
    const int column = part / down() * width_;
    return {row, column, std::min(height_, m_ - row), std::min(width_, n_ - column)};
  }

 private:
  static int step(int size, int parts) {
    constexpr std::int64_t kKernel = 64;  // Most kernels compute so many rows or columns together.
    const int each = (size - 1) / parts + 1;
    return static_cast<int>(std::min<std::int64_t>(size, (each + kKernel - 1) / kKernel * kKernel));
  }
  int down() const { return (m_ - 1) / height_ + 1; }
  int across() const { return (n_ - 1) / width_ + 1; }

  int m_, n_;
  int height_ = 1, width_ = 1;
};

// Where a part of an operand begins: `first` rows (of B: columns) after the operand.
template <typename T>
const T* rows_of(const T* operand, bool rows_in_memory, int ld, int first) {
  return operand + (rows_in_memory ? first : static_cast<std::ptrdiff_t>(first) * ld);
}

// Calls `compute` with blocks that make up a result of m x n (both at least 1), each of whose
// elements takes `depth` multiplications.
template <typename Compute>
void by_blocks(int m, int n, double depth, const Compute& compute) {
  // Each block copies its rows and columns for itself: large ones of 1024 x 512 lose little by
  // that.
  constexpr double kLarge = 1024.0 * 512;
  constexpr double kEnough = 8;
  const double elements = static_cast<double>(m) * n;
  const double parts =
      std::min(elements * depth / kLeastOfPart, std::max(kEnough, elements / kLarge));
  if (parts < 2) return compute(Block{0, 0, m, n});
  const Grid grid(m, n, static_cast<int>(std::min(parts, 4096.0)));
  host::in_parallel(grid.parts(), [&](int part) { compute(grid.block(part)); });
}

// Whether all members of a batch are usable, asked of each on this thread: the next synchronisation
// reports what is not there only if a stream's own thread found it.
template <typename Usable>
bool all_members(int count, const Usable& usable) {
  bool out = true;
  for (int i = 0; i < count; ++i) out &= usable(i);
  return out;
}

// Calls `member` for each member of a batch until the process exits, on several threads if all
// together take long. `each`: multiplications of a member.
template <typename Member>
void for_each_member(int count, double each, const Member& member) {
  const double parts = std::min(
      {each * count / kLeastOfPart, static_cast<double>(count), 4.0 * host::thread_count()});
  if (parts < 2 || host::thread_count() == 1) {
    for (int i = 0; i < count && !BlasGate::closed(); ++i) member(i);
    return;
  }
  const int pieces = static_cast<int>(parts);
  const auto first = [&](int piece) {
    return static_cast<int>(std::int64_t{count} * piece / pieces);
  };
  host::in_parallel(pieces, [&](int piece) {
    const int end = first(piece + 1);
    for (int i = first(piece); i < end && !BlasGate::closed(); ++i) member(i);
  });
}

}  // namespace host_mublas
