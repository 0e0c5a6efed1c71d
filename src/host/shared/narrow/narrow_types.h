// Floats of 16 and 8 bits, converted by integer arithmetic: the same bits on every CPU.
#pragma once

#include <cstdint>
#include <cstring>

namespace host_narrow {

// A float of 16 or 8 bits, stored as its bits and computed with as float. `kFinite` formats have no
// infinity in their results: what is too large becomes the largest number, as machine learning code
// expects of 8 bit floats.
template <typename Bits, int kExponentBits, int kMantissaBits, bool kInfinity, bool kFinite>
class NarrowFloat {
 public:
  NarrowFloat() = default;

  static NarrowFloat from_bits(Bits bits) { return NarrowFloat(bits); }
  Bits bits() const { return bits_; }

  explicit operator float() const {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits_ & kSign) << kSignShift;
    const std::uint32_t magnitude = bits_ & static_cast<Bits>(kSign - 1);
    if (magnitude > kLargest) {
      return as_float(sign |
                      (kInfinity && magnitude == kInfinityBits ? kFloatInfinity : kFloatNan));
    }
    if (kBias != kFloatBias && magnitude <= kMantissaMask) {
      // Zero or below the normal numbers, none of which is below those of float: exact.
      const float steps = static_cast<float>(static_cast<int>(magnitude));
      const float value = steps * as_float(kSmallestStep);
      return sign != 0 ? -value : value;
    }
    return as_float(sign | ((magnitude << kShift) + (kBiasDifference << kFloatMantissaBits)));
  }

  // Rounded to the nearest, ties to even. Stored values are consecutive integers, so a carry into
  // the next exponent needs no special case.
  static NarrowFloat from_float(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    const auto sign = static_cast<std::uint32_t>(bits >> kFloatSignBit ? kSign : 0);
    const std::uint32_t magnitude = bits & ~(1U << kFloatSignBit);
    if (magnitude > kFloatInfinity) return NarrowFloat(sign | kNan);
    if (magnitude == kFloatInfinity) return NarrowFloat(sign | kOverflow);
    const std::uint32_t exponent = magnitude >> kFloatMantissaBits;
    if (kBias != kFloatBias && exponent <= kBiasDifference) {
      const std::uint32_t shift = kShift + (kBiasDifference + 1 - exponent);
      const std::uint32_t significand = (magnitude & kFloatMantissaMask) | kFloatHidden;
      return NarrowFloat(sign |
                         (shift > kFloatMantissaBits + 1U ? 0U : rounded(significand, shift)));
    }
    const std::uint32_t stored = rounded(magnitude, kShift) - (kBiasDifference << kMantissaBits);
    return NarrowFloat(sign | (stored > kLargest ? kOverflow : stored));
  }

 private:
  static constexpr int kFloatSignBit = 31;
  static constexpr int kFloatMantissaBits = 23;
  static constexpr std::uint32_t kFloatBias = 127;
  static constexpr std::uint32_t kFloatHidden = 1U << kFloatMantissaBits;
  static constexpr std::uint32_t kFloatMantissaMask = kFloatHidden - 1;
  static constexpr std::uint32_t kFloatInfinity = 0x7F800000U;
  static constexpr std::uint32_t kFloatNan = 0x7FC00000U;

  static constexpr std::uint32_t kExponentMask = (1U << kExponentBits) - 1;
  static constexpr std::uint32_t kMantissaMask = (1U << kMantissaBits) - 1;
  static constexpr std::uint32_t kBias = kExponentMask / 2;
  static constexpr std::uint32_t kBiasDifference = kFloatBias - kBias;
  static constexpr int kShift = kFloatMantissaBits - kMantissaBits;
  static constexpr int kSignShift = kFloatSignBit - kExponentBits - kMantissaBits;
  // The smallest number of the format, as the bits of a float. Not used for formats with the
  // exponent range of float, where that number is a subnormal float.
  static constexpr std::uint32_t kSmallestStep =
      kBias == kFloatBias ? 0 : (kBiasDifference + 1 - kMantissaBits) << kFloatMantissaBits;
  static constexpr std::uint32_t kSign = 1U << (kExponentBits + kMantissaBits);
  static constexpr std::uint32_t kInfinityBits = kExponentMask << kMantissaBits;
  static constexpr std::uint32_t kLargest =
      kInfinity ? kInfinityBits - 1 : (kInfinityBits | kMantissaMask) - 1;
  static constexpr std::uint32_t kNan =
      kInfinity ? kInfinityBits | ((kMantissaMask + 1) / 2) : kInfinityBits | kMantissaMask;
  static constexpr std::uint32_t kOverflow = kFinite ? kLargest : kInfinityBits;

  explicit NarrowFloat(std::uint32_t bits) : bits_(static_cast<Bits>(bits)) {}

  static float as_float(std::uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  static std::uint32_t rounded(std::uint32_t value, std::uint32_t shift) {
    const std::uint32_t odd = (value >> shift) & 1U;
    return (value + (1U << (shift - 1)) - 1 + odd) >> shift;
  }

  Bits bits_ = 0;
};

using Float16 = NarrowFloat<std::uint16_t, 5, 10, true, false>;
using Bfloat16 = NarrowFloat<std::uint16_t, 8, 7, true, false>;
using Float8E4M3 = NarrowFloat<std::uint8_t, 4, 3, false, true>;
using Float8E5M2 = NarrowFloat<std::uint8_t, 5, 2, true, true>;

}  // namespace host_narrow
