#include "src/host/mccl/reduction.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "src/host/shared/narrow/elements.h"

namespace host_mccl {
namespace {

using host_narrow::Bfloat16;
using host_narrow::Float16;
using host_narrow::Float8E4M3;
using host_narrow::Float8E5M2;

// The type to compute in. Sums and products of signed integers use unsigned arithmetic: the same
// bits without undefined overflow.
template <typename T>
auto computed_in() {
  if constexpr (host_narrow::IsNarrow<T>::value) {
    return float{};
  } else {
    return T{};
  }
}
template <typename T>
using Computed = decltype(computed_in<T>());

template <typename T>
T load(const std::byte* from, std::size_t index) {
  T value;
  std::memcpy(static_cast<void*>(&value), from + index * sizeof(T), sizeof(T));
  return value;
}

// At least 32 bits: narrower unsigned types would be promoted to signed int.
template <typename C>
using Wrapping =
    std::conditional_t<(sizeof(C) < 4), std::uint32_t,
                       std::make_unsigned_t<std::conditional_t<std::is_integral_v<C>, C, int>>>;

template <typename C>
C sum(C left, C right) {
  if constexpr (std::is_integral_v<C>) {
    return static_cast<C>(static_cast<Wrapping<C>>(left) + static_cast<Wrapping<C>>(right));
  } else {
    return left + right;
  }
}

template <typename C>
C product(C left, C right) {
  if constexpr (std::is_integral_v<C>) {
    return static_cast<C>(static_cast<Wrapping<C>>(left) * static_cast<Wrapping<C>>(right));
  } else {
    return left * right;
  }
}

template <typename C>
C quotient(C dividend, int divisor) {
  if constexpr (std::is_floating_point_v<C>) {
    return dividend / static_cast<C>(divisor);
  } else if constexpr (std::is_signed_v<C>) {
    return static_cast<C>(static_cast<std::int64_t>(dividend) / divisor);
  } else {
    return static_cast<C>(dividend / static_cast<std::uint64_t>(divisor));
  }
}

template <Operation operation, typename C>
C combined(C left, C right) {
  if constexpr (operation == Operation::kProduct) {
    return product(left, right);
  } else if constexpr (operation == Operation::kMaximum) {
    if constexpr (std::is_floating_point_v<C>) return std::fmax(left, right);
    return left < right ? right : left;
  } else if constexpr (operation == Operation::kMinimum) {
    if constexpr (std::is_floating_point_v<C>) return std::fmin(left, right);
    return right < left ? right : left;
  } else {
    return sum(left, right);
  }
}

template <typename T, Operation operation>
Computed<T> input(const std::byte* from, std::size_t index, Computed<T> scalar) {
  const auto value = static_cast<Computed<T>>(load<T>(from, index));
  if constexpr (operation == Operation::kPremultipliedSum) return product(value, scalar);
  return value;
}

template <typename T, Operation operation>
void begin(FoldMemory& memory, std::size_t at, const std::byte* from, std::size_t count,
           const std::byte* scalar) {
  const auto factor = static_cast<Computed<T>>(load<T>(scalar, 0));
  auto* const to = reinterpret_cast<Computed<T>*>(memory.bytes.data()) + at;
  for (std::size_t i = 0; i < count; ++i) to[i] = input<T, operation>(from, i, factor);
}

template <typename T, Operation operation>
void add(FoldMemory& memory, std::size_t at, const std::byte* from, std::size_t count,
         const std::byte* scalar) {
  const auto factor = static_cast<Computed<T>>(load<T>(scalar, 0));
  auto* const to = reinterpret_cast<Computed<T>*>(memory.bytes.data()) + at;
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = combined<operation>(to[i], input<T, operation>(from, i, factor));
  }
}

template <typename T, Operation operation>
void end(const FoldMemory& memory, std::byte* to, std::size_t count, int ranks) {
  const auto* const from = reinterpret_cast<const Computed<T>*>(memory.bytes.data());
  for (std::size_t i = 0; i < count; ++i) {
    Computed<T> value = from[i];
    if constexpr (operation == Operation::kAverage) {
      value = quotient(value, ranks);
    }
    T stored;
    if constexpr (host_narrow::IsNarrow<T>::value) {
      stored = T::from_float(value);
    } else {
      stored = value;
    }
    std::memcpy(to + i * sizeof(T), &stored, sizeof(T));
  }
}

template <typename T, Operation... operations>
constexpr Folder kFolders[] = {{begin<T, operations>, add<T, operations>, end<T, operations>}...};

template <typename T>
const Folder& folder_of(Operation operation) {
  using O = Operation;  // in the order of the enumeration
  const auto& folders = kFolders<T, O::kSum, O::kProduct, O::kMaximum, O::kMinimum, O::kAverage,
                                 O::kPremultipliedSum>;
  return folders[static_cast<std::size_t>(operation)];
}

struct Row {
  mcclDataType_t type;
  const Folder& (*folder_of)(Operation operation);
};
constexpr Row kRows[] = {
    {mcclInt8, folder_of<std::int8_t>},   {mcclUint8, folder_of<std::uint8_t>},
    {mcclInt32, folder_of<std::int32_t>}, {mcclUint32, folder_of<std::uint32_t>},
    {mcclInt64, folder_of<std::int64_t>}, {mcclUint64, folder_of<std::uint64_t>},
    {mcclFloat16, folder_of<Float16>},    {mcclBfloat16, folder_of<Bfloat16>},
    {mcclFp8E4M3, folder_of<Float8E4M3>}, {mcclFp8E5M2, folder_of<Float8E5M2>},
    {mcclFloat32, folder_of<float>},      {mcclFloat64, folder_of<double>},
};

}  // namespace

const Folder& folder(mcclDataType_t type, Operation operation) {
  return std::ranges::find(kRows, type, &Row::type)->folder_of(operation);
}

}  // namespace host_mccl
