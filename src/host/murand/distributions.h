// How numbers are made from the words of a generator.
//
// A distribution makes kNumbers numbers from the next kWords words of one lane (of(), from 32 bit
// words), or from the next kFractions numbers of MRG32k3a (of_fractions(), numbers from 1 to its
// modulus).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "src/host/murand/mrg32k3a.h"

namespace host_murand {

inline constexpr double kFraction = 1.0 / static_cast<double>(Mrg32k3a::kModulus);

// MRG32k3a has slightly fewer than 2^32 values. This stretches them, with the same precision as in
// cuRAND.
inline std::uint32_t word_of_fraction(std::uint32_t fraction) {
  return static_cast<std::uint32_t>(
      static_cast<std::uint64_t>(static_cast<double>(fraction) * 1.000000048662));
}

// In (0, 1]: the middle of one of 2^32 (2^53) equal intervals. The middle of the last rounds to 1.
inline float unit(std::uint32_t word) { return static_cast<float>(word) * 0x1p-32F + 0x1p-33F; }
inline double unit(std::uint32_t low, std::uint32_t high) {
  const std::uint64_t bits = low ^ std::uint64_t{high} << 21;
  return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}

// Box-Muller: a radius and an angle give two normal numbers.
template <typename T>
void normal_pair(T radius_source, T angle, T* out) {
  const T radius = std::sqrt(T{-2} * std::log(radius_source));
  out[0] = radius * std::sin(angle);
  out[1] = radius * std::cos(angle);
}

struct Words {
  using Number = unsigned int;
  static constexpr int kNumbers = 1, kWords = 1, kFractions = 1;
  void of(const std::uint32_t* words, Number* out) const { *out = *words; }
  void of_fractions(const std::uint32_t* fractions, Number* out) const {
    *out = word_of_fraction(*fractions);
  }
};

struct Uniform {
  using Number = float;
  static constexpr int kNumbers = 1, kWords = 1, kFractions = 1;
  void of(const std::uint32_t* words, Number* out) const { *out = unit(*words); }
  void of_fractions(const std::uint32_t* fractions, Number* out) const {
    *out = static_cast<float>(*fractions * kFraction);
  }
};

struct UniformDouble {
  using Number = double;
  static constexpr int kNumbers = 1, kWords = 2, kFractions = 1;
  void of(const std::uint32_t* words, Number* out) const { *out = unit(words[0], words[1]); }
  void of_fractions(const std::uint32_t* fractions, Number* out) const {
    *out = *fractions * kFraction;
  }
};

struct Normal {
  using Number = float;
  static constexpr int kNumbers = 2, kWords = 2, kFractions = 2;
  void of(const std::uint32_t* words, Number* out) const {
    constexpr float kTurn = 0x1p-32F * 2 * std::numbers::pi_v<float>;
    finish(unit(words[0]), static_cast<float>(words[1]) * kTurn + kTurn / 2, out);
  }
  void of_fractions(const std::uint32_t* fractions, Number* out) const {
    finish(static_cast<float>(fractions[0] * kFraction),
           static_cast<float>(fractions[1] * kFraction) * (2 * std::numbers::pi_v<float>), out);
  }

  float mean, stddev;

 private:
  void finish(float radius_source, float angle, float* out) const {
    normal_pair(radius_source, angle, out);
    for (int i = 0; i < kNumbers; ++i) out[i] = mean + stddev * out[i];
  }
};

struct NormalDouble {
  using Number = double;
  static constexpr int kNumbers = 2, kWords = 4, kFractions = 2;
  void of(const std::uint32_t* words, Number* out) const {
    const double half_turns = 2 * unit(words[2], words[3]);
    finish(unit(words[0], words[1]), half_turns * std::numbers::pi, out);
  }
  void of_fractions(const std::uint32_t* fractions, Number* out) const {
    finish(fractions[0] * kFraction, fractions[1] * kFraction * (2 * std::numbers::pi), out);
  }

  double mean, stddev;

 private:
  void finish(double radius_source, double angle, double* out) const {
    normal_pair(radius_source, angle, out);
    for (int i = 0; i < kNumbers; ++i) out[i] = mean + stddev * out[i];
  }
};

}  // namespace host_murand
