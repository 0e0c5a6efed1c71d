#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace musa {

// Of libmusa, which libmusart needs (src/host/musa/operations.h). Weak: only libmusart needs it by
// name, and on a runtime without it nothing is checked.
[[gnu::weak]] extern bool may_use(const void* start, std::size_t bytes) noexcept;

}  // namespace musa

namespace host {

// Memory that work in a stream reads or writes, from its first byte to its last.
struct Operand {
  const void* start = nullptr;
  std::size_t bytes = 0;
};

// `count` elements of `size` bytes. Too many for the address space count as all of it.
inline Operand elements(const void* start, std::size_t size, std::int64_t count) {
  Operand operand{start, 0};
  if (count > 0 && __builtin_mul_overflow(size, static_cast<std::size_t>(count), &operand.bytes)) {
    operand.bytes = SIZE_MAX;
  }
  return operand;
}

template <typename T>
Operand array(const T* start, std::int64_t count) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): often a pointer
  return elements(start, sizeof(T), count);
}

// `n` elements, `increment` apart.
template <typename T>
Operand vector(const T* start, std::int64_t n, std::int64_t increment) {
  return array(start, n <= 0 ? 0 : 1 + (n - 1) * (increment < 0 ? -increment : increment));
}

// From the first element to the last of columns of `rows` elements, `leading` apart.
inline std::int64_t extent(std::int64_t rows, std::int64_t columns, std::int64_t leading) {
  return rows <= 0 || columns <= 0 ? 0 : (columns - 1) * leading + rows;
}

template <typename T>
Operand matrix(const T* start, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
  return array(start, extent(rows, columns, leading));
}

// `count` of these, `stride` elements apart.
template <typename T>
Operand batch(const T* start, const Operand& one, std::int64_t count, std::int64_t stride) {
  const std::int64_t last = stride > 0 ? (count - 1) * stride : 0;
  const Operand before = array(start, last);
  return {start, one.bytes > SIZE_MAX - before.bytes ? SIZE_MAX : before.bytes + one.bytes};
}

// Called by the work before it touches them. If one is not there, the work does nothing, and the
// next synchronisation reports an illegal address, as after a kernel.
inline bool may_use(const Operand& operand) {
  return operand.bytes == 0 || musa::may_use == nullptr ||
         musa::may_use(operand.start, operand.bytes);
}

// As many as any work has, beside those of which only the work knows whether it uses them.
using Operands = std::array<Operand, 4>;

// Costs are counted in multiplications of floats in a matrix product.

// Of work that goes through its operands once: no element is used again while it is in a register.
inline double cost_of(const Operands& operands) {
  constexpr double kOfByte = 4;
  double bytes = 0;
  for (const Operand& each : operands) bytes += static_cast<double>(each.bytes);
  return kOfByte * bytes;
}

// Of the product of an m x k by a k x n matrix.
template <typename T>
double cost_of_product(double m, double n, double k) {
  constexpr double kOfElement = 16;
  return (m * n * k + kOfElement * (m * n + m * k + k * n)) * sizeof(T) / sizeof(float);
}

inline bool may_use(const Operands& operands) {
  return std::ranges::all_of(operands, [](const Operand& each) { return may_use(each); });
}

}  // namespace host
