#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace host_mccl {

// A float of 16 or 8 bits, stored as its bits and computed with as float. `kFinite` formats have no
// infinity in their results: what is too large becomes the largest number, as machine learning code
// expects of 8 bit floats.
template <typename Bits, int kExponentBits, int kMantissaBits, bool kInfinity, bool kFinite>
class NarrowFloat {
 public:
  NarrowFloat() = default;

  explicit operator float() const {
    const int exponent = (bits_ >> kMantissaBits) & kExponentMask;
    const int mantissa = bits_ & kMantissaMask;
    const float sign = bits_ & kSign ? -1.0F : 1.0F;
    if (exponent == kExponentMask && (kInfinity || mantissa == kMantissaMask)) {
      const bool infinite = kInfinity && mantissa == 0;
      return infinite ? sign * std::numeric_limits<float>::infinity()
                      : std::copysign(std::numeric_limits<float>::quiet_NaN(), sign);
    }
    const int hidden = exponent == 0 ? 0 : kMantissaMask + 1;
    return sign * std::ldexp(static_cast<float>(mantissa + hidden),
                             std::max(exponent, 1) - 1 + kSmallestQuantum);
  }

  static NarrowFloat from_float(float value) {
    const Bits sign = std::signbit(value) ? kSign : 0;
    if (std::isnan(value)) return NarrowFloat(sign | kNan);
    const float magnitude = std::fabs(value);
    if (magnitude == 0.0F) return NarrowFloat(sign);
    if (std::isinf(magnitude)) return NarrowFloat(sign | kOverflow);
    // Rounded to the nearest multiple of the format's step at this size, ties to even. Stored
    // values are consecutive integers, so a carry into the next exponent needs no special case.
    const int step = std::max(std::ilogb(magnitude) - kMantissaBits, kSmallestQuantum);
    const auto steps = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -step)));
    const int stored = ((step - kSmallestQuantum) << kMantissaBits) + steps;
    return NarrowFloat(sign | (stored > kLargest ? kOverflow : static_cast<Bits>(stored)));
  }

 private:
  static constexpr int kExponentMask = (1 << kExponentBits) - 1;
  static constexpr int kMantissaMask = (1 << kMantissaBits) - 1;
  static constexpr int kBias = kExponentMask / 2;
  static constexpr int kSmallestQuantum = 1 - kBias - kMantissaBits;
  static constexpr Bits kSign = static_cast<Bits>(1U << (kExponentBits + kMantissaBits));
  static constexpr int kInfinityBits = kExponentMask << kMantissaBits;
  static constexpr int kLargest =
      kInfinity ? kInfinityBits - 1 : (kInfinityBits | kMantissaMask) - 1;
  static constexpr Bits kNan = static_cast<Bits>(
      kInfinity ? kInfinityBits | ((kMantissaMask + 1) / 2) : kInfinityBits | kMantissaMask);
  static constexpr Bits kOverflow = static_cast<Bits>(kFinite ? kLargest : kInfinityBits);

  explicit NarrowFloat(int bits) : bits_(static_cast<Bits>(bits)) {}

  Bits bits_ = 0;
};

using Float16 = NarrowFloat<std::uint16_t, 5, 10, true, false>;
using Bfloat16 = NarrowFloat<std::uint16_t, 8, 7, true, false>;
using Float8E4M3 = NarrowFloat<std::uint8_t, 4, 3, false, true>;
using Float8E5M2 = NarrowFloat<std::uint8_t, 5, 2, true, true>;

}  // namespace host_mccl
