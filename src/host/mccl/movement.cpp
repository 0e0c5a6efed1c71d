#include "movement.h"

#include <narrow/narrow_types.h>
#include <stream_work.h>

#include <cstdint>
#include <cstring>

#include "data_types.h"
#include "errors.h"

namespace host_mccl {
namespace {

template <typename T>
T product(T left, T right) {
  if constexpr (requires { T::from_float(0.0F); }) {
    return T::from_float(static_cast<float>(left) * static_cast<float>(right));
  } else {
    return static_cast<T>(left * right);
  }
}

// Buffers may be unaligned, equal or overlapping, hence memcpy element by element.
template <typename T>
void multiply(const Movement& movement, const void* scalar_bytes) {
  T scalar;
  std::memcpy(&scalar, scalar_bytes, sizeof(T));
  auto* values = static_cast<std::byte*>(movement.destination);
  for (std::size_t i = 0; i < movement.count; ++i) {
    T value;
    std::memcpy(&value, values + i * sizeof(T), sizeof(T));
    value = product(value, scalar);
    std::memcpy(values + i * sizeof(T), &value, sizeof(T));
  }
}

// Signed integers are multiplied as unsigned ones: the same bits, without undefined overflow.
void multiply_by(const Movement& movement, const void* scalar) {
  switch (movement.type) {
    case mcclInt8:
    case mcclUint8:
      return multiply<std::uint8_t>(movement, scalar);
    case mcclInt32:
    case mcclUint32:
      return multiply<std::uint32_t>(movement, scalar);
    case mcclInt64:
    case mcclUint64:
      return multiply<std::uint64_t>(movement, scalar);
    case mcclFloat16:
      return multiply<host_narrow::Float16>(movement, scalar);
    case mcclBfloat16:
      return multiply<host_narrow::Bfloat16>(movement, scalar);
    case mcclFloat8e4m3:
      return multiply<host_narrow::Float8E4M3>(movement, scalar);
    case mcclFloat8e5m2:
      return multiply<host_narrow::Float8E5M2>(movement, scalar);
    case mcclFloat32:
      return multiply<float>(movement, scalar);
    case mcclFloat64:
      return multiply<double>(movement, scalar);
    default:
      return;  // callers check types before they build a movement
  }
}

}  // namespace

void run(const Movement& movement) {
  const std::size_t bytes = byte_size(movement.count, movement.type).value_or(0);
  if (movement.source != movement.destination) {
    std::memmove(movement.destination, movement.source, bytes);
  }
  if (const auto& scale = movement.scale) {
    multiply_by(movement, scale->device_scalar ? scale->device_scalar : scale->immediate.data());
  }
}

mcclResult_t launch(const Movement& movement, musaStream_t stream) {
  return check_musa(host::enqueue(stream, [movement] { run(movement); }), "musaLaunchHostFunc");
}

}  // namespace host_mccl
