// The bits of half and bfloat16 from a float, rounded to nearest even, and back; for device code,
// and for the device runtime, which is no CUDA.
#pragma once

#ifdef __CUDACC__
#define TORCHADA_BITS16 static inline __host__ __device__
#else
#define TORCHADA_BITS16 static inline
#endif

namespace torchada {

TORCHADA_BITS16 unsigned short half_bits(float value) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, value);
  const unsigned int sign = bits >> 16 & 0x8000;
  const unsigned int magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<unsigned short>(sign | 0x7e00);
  if (magnitude >= 0x477ff000) return static_cast<unsigned short>(sign | 0x7c00);
  if (magnitude < 0x38800000) {
    // Below the normal numbers: the addition rounds.
    const float rounded = __builtin_bit_cast(float, magnitude) + 0.5F;
    return static_cast<unsigned short>(sign |
                                       (__builtin_bit_cast(unsigned int, rounded) - 0x3f000000));
  }
  const unsigned int rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return static_cast<unsigned short>(sign | (rounded - 0x38000000) >> 13);
}
TORCHADA_BITS16 float half_value(unsigned short bits) {
  const unsigned int sign = static_cast<unsigned int>(bits & 0x8000) << 16;
  const unsigned int magnitude = bits & 0x7fff;
  if (magnitude >= 0x7c00) return __builtin_bit_cast(float, sign | 0x7f800000 | magnitude << 13);
  if (magnitude >= 0x0400)
    return __builtin_bit_cast(float, sign | ((magnitude << 13) + 0x38000000));
  const float small = static_cast<float>(magnitude) * 0x1p-24F;
  return sign != 0 ? -small : small;
}
TORCHADA_BITS16 unsigned short bfloat_bits(float value) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
TORCHADA_BITS16 float bfloat_value(unsigned short bits) {
  return __builtin_bit_cast(float, static_cast<unsigned int>(bits) << 16);
}

}  // namespace torchada

#undef TORCHADA_BITS16
