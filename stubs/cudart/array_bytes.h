// Copies of so many bytes to or from an array, row after row: older forms of the copies of
// rectangles, of which each such copy is at most three.
#pragma once

#include <stddef.h>

#include "stubs/cudart/answers.h"
#include "stubs/resolving/backend.h"

namespace torchada::array_bytes {

struct Format {
  int bits[4];
  int kind;
};
struct Extent {
  size_t width, height, depth;
};

// A part of the copy, behind so many bytes that are done.
struct Rectangle {
  size_t done, x, y, width, height;
};

// `copy_part(Rectangle)` is MUSA's copy of a rectangle.
template <typename Copy>
int copy(const char* function, const void* array, size_t x, size_t y, size_t bytes,
         const Copy& copy_part) {
  // Before cudaArrayGetInfo would say so of itself.
  if (!has_backend()) return told(function, static_cast<int>(cuda::cudaErrorInsufficientDriver));
  Format format{};
  Extent extent{};
  unsigned int flags = 0;
  const int known =
      torchada_own_cudaArrayGetInfo(&format, &extent, &flags, const_cast<void*>(array));
  if (known != 0) return known;
  const int* const bits = format.bits;
  const size_t row = extent.width * ((bits[0] + bits[1] + bits[2] + bits[3]) / 8);
  const size_t all = row * (extent.height == 0 ? 1 : extent.height);
  // Nothing is copied if not all of it can be.
  if (x > row || y * row + x > all || bytes > all - (y * row + x)) return fail(kInvalidValue);
  for (size_t done = 0; done < bytes;) {
    const size_t left = bytes - done;
    const bool whole = x == 0 && left >= row;
    const size_t width = whole ? row : left < row - x ? left : row - x;
    const size_t height = whole ? left / row : 1;
    if (const int status = width == 0 ? 0 : copy_part(Rectangle{done, x, y, width, height})) {
      return told(function, status);
    }
    done += width * height;
    x = 0;
    y += height;
  }
  return 0;
}

}  // namespace torchada::array_bytes
