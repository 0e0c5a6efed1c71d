#pragma once

#include <mccl.h>

#include <array>
#include <cstddef>
#include <optional>

namespace host_mccl {

// The scalar of a premultiplied sum, read early or when the collective runs.
struct Scale {
  mcclDataType_t type;
  std::array<std::byte, 8> immediate;
  const void* device_scalar;  // null when `immediate` holds the value
};

// With one rank every collective is this: elements from one buffer to another, perhaps scaled.
struct Movement {
  const void* source;
  void* destination;
  std::size_t count;
  mcclDataType_t type;
  std::optional<Scale> scale;
};

// Does the work now, on the calling thread.
void run(const Movement& movement);

// Does the work in the order of `stream`.
mcclResult_t launch(const Movement& movement, musaStream_t stream);

}  // namespace host_mccl
