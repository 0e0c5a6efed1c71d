// What a plan computes, in a form that needs no further checks.
#pragma once

#include <array>
#include <cstddef>

namespace host_mufft {

enum class Kind { complex_to_complex, real_to_complex, complex_to_real };

struct Format {
  Kind kind = Kind::complex_to_complex;
  bool is_double = false;

  bool operator==(const Format&) const = default;
};

// Plans have three axes, the last one first in memory. Plans of lower rank have leading axes of
// length 1.
constexpr int kAxes = 3;
using Lengths = std::array<std::size_t, kAxes>;

// Where the elements of one side lie, in elements of that side's type.
struct Layout {
  Lengths pitch{};           // from one element to the next along each axis
  std::size_t distance = 0;  // from one transform of the batch to the next
};

struct Shape {
  Format format;
  Lengths lengths{};
  std::size_t batch = 0;
  Layout input, output;
  // The layout of the real side if input and output are the same memory. It differs from the one
  // above only in plans without an advanced layout: rows are then padded to whole complex numbers.
  Layout real_in_place;

  bool has_real_side() const { return format.kind != Kind::complex_to_complex; }
  // Complex numbers in a row. A real row of n elements has n / 2 + 1: the others are conjugates of
  // these.
  std::size_t row() const { return has_real_side() ? lengths[2] / 2 + 1 : lengths[2]; }
  // Complex numbers of one transform.
  std::size_t volume() const { return lengths[0] * lengths[1] * row(); }
  // Elements from the first to the last of a side with this layout.
  std::size_t extent(const Layout& layout, bool is_real) const {
    return 1 + (lengths[0] - 1) * layout.pitch[0] + (lengths[1] - 1) * layout.pitch[1] +
           ((is_real ? lengths[2] : row()) - 1) * layout.pitch[2] + (batch - 1) * layout.distance;
  }
};

}  // namespace host_mufft
