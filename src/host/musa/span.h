// One side of a copy or fill: rows in slices, and the memory that contains them.
#pragma once

#include <cstddef>

#include "src/host/musa/runtime.h"

namespace musa {

struct Shape {
  std::size_t width = 0;  // bytes
  std::size_t height = 1;
  std::size_t depth = 1;

  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
  std::size_t bytes() const { return width * height * depth; }
};

struct Span {
  unsigned char* start = nullptr;
  std::size_t pitch = 0;  // from row to row
  std::size_t slice = 0;  // from slice to slice
  std::size_t bytes = 0;  // from the first byte to the last
  MemoryKind kind = MemoryKind::kPageable;
  int device = -1;
  bool waits = false;  // see Allocation
  // Which device reads it, or writes it.
  int user = 0;
  bool is_written = false;

  // Whether a synchronous copy or fill returns only when the memory has its new contents.
  bool is_awaited() const { return waits || is_host_side(kind); }
};

// Finds the memory that contains the span and fills in all from `bytes` to `waits`. Fails if the
// span is null, leaves the memory in which it starts, or was freed, or if its user has no access.
musaError_t classify(Runtime& runtime, const Shape& shape, Span* span);

// The span at a position in a pitched 3D pointer.
musaError_t span_of_pitched(const musaPitchedPtr& pitched, const musaPos& position,
                            const Shape& shape, Span* span);

// Whether memory that was valid at submission still is.
bool is_still_valid(Runtime& runtime, const Span& span);

}  // namespace musa
