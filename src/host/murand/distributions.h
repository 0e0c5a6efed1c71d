// What numbers are made of the words of a generator.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace host_murand {

// How many words one number takes. A call consumes exactly this many per number, so that a sequence
// does not depend on how it is cut into calls.
template <typename T>
inline constexpr std::size_t kWordsPer = sizeof(T) / sizeof(std::uint32_t);

// In (0, 1]: the middle of one of 2^32 (2^53) equal parts, the last of which rounds to 1.
template <typename Source>
void uniform(Source& source, float& out) {
  out = static_cast<float>(source.next()) * 0x1p-32F + 0x1p-33F;
}

template <typename Source>
void uniform(Source& source, double& out) {
  const std::uint64_t low = source.next();
  const std::uint64_t bits = (std::uint64_t{source.next()} << 32 | low) >> 11;
  out = static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}

// Box-Muller: two uniform numbers give two normal ones.
template <typename Source, typename T>
void normal_pair(Source& source, T mean, T stddev, T* out) {
  T radius_source;
  T angle_source;
  uniform(source, radius_source);
  uniform(source, angle_source);
  const T radius = stddev * std::sqrt(T{-2} * std::log(radius_source));
  const T angle = T{2} * std::numbers::pi_v<T> * angle_source;
  out[0] = mean + radius * std::cos(angle);
  out[1] = mean + radius * std::sin(angle);
}

}  // namespace host_murand
