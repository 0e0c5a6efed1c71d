// Copies of rectangles to the host. SDK 3.1 fails at random if the rows are a few bytes long
// (mappings/musa/quirks.yaml, narrow_rows_are_copied), so there each row is copied by itself. So it
// is on a newer SDK that refuses such a copy.
#pragma once

#include <stddef.h>

#include "stubs/cudart/answers.h"
#include "stubs/cudart/attempt.h"
#include "stubs/resolving/backend.h"

namespace torchada::narrow_rows {

inline constexpr size_t kNarrow = 64;  // Bytes. It was seen with 8.
inline constexpr int kFirstGood = 40000;

struct Rectangle {
  char* to;
  size_t to_pitch;
  const char* from;
  size_t from_pitch;
  size_t width;
  size_t height;
};

inline bool is_narrow(const Rectangle& all, int kind) {
  return kind == musa::musaMemcpyDeviceToHost && all.width != 0 && all.width < kNarrow &&
         all.width <= all.to_pitch && all.width <= all.from_pitch;
}

// Copies the rows with `copy`, which takes (to, from, bytes).
template <typename Copy>
int copy_rows(const Rectangle& all, const Copy& copy) {
  if (all.to_pitch == all.width && all.from_pitch == all.width) {
    return copy(all.to, all.from, all.width * all.height);
  }
  for (size_t row = 0; row < all.height; ++row) {
    const int status =
        copy(all.to + row * all.to_pitch, all.from + row * all.from_pitch, all.width);
    if (status != 0) return status;
  }
  return 0;
}

// `whole` copies the rectangle, `part` some of its bytes.
template <typename Whole, typename Part>
int copy(const char* function, const Rectangle& all, int kind, const Whole& whole,
         const Part& part) {
  if (!is_narrow(all, kind)) return told(function, whole());
  if (sdk_is_before(kFirstGood)) return told(function, copy_rows(all, part));
  const Attempt attempt;
  const int status = whole();
  if (status == 0 || status == static_cast<int>(cuda::cudaErrorInsufficientDriver)) {
    return told(function, status);
  }
  attempt.forget();
  return told(copy_rows(all, part));
}

}  // namespace torchada::narrow_rows
