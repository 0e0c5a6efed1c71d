#include "src/host/mufft/bluestein.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace host_mufft {
namespace {

// The angle is exact up to its last rounding, because k^2 is reduced modulo 2 * length in integers.
// Each square follows from the one before, so nothing overflows.
std::vector<Complex> make_chirp(std::size_t length) {
  std::vector<Complex> chirp(length);
  const std::uint64_t period = 2 * std::uint64_t{length};
  std::uint64_t square = 0;
  for (std::uint64_t k = 0; k < length; ++k) {
    const double angle =
        std::numbers::pi * static_cast<double>(square) / static_cast<double>(length);
    chirp[k] = Complex(std::cos(angle), -std::sin(angle));
    square = (square + 2 * k + 1) % period;
  }
  return chirp;
}

}  // namespace

std::size_t Bluestein::padded(std::size_t length) { return std::bit_ceil(2 * length - 1); }

Bluestein::Bluestein(std::size_t length)
    : convolution_(padded(length)),
      chirp_(make_chirp(length)),
      kernel_(padded(length)),
      signal_(padded(length)),
      spectrum_(padded(length)) {
  const std::size_t period = signal_.size();
  const double scale = 1.0 / static_cast<double>(period);
  for (std::size_t k = 0; k < length; ++k) {
    const Complex value = std::conj(chirp_[k]) * scale;
    signal_[k] = value;
    signal_[(period - k) % period] = value;
  }
  convolution_.forward(signal_.data(), kernel_.data());
}

void Bluestein::forward(const Complex* in, Complex* out) {
  const std::size_t length = chirp_.size();
  for (std::size_t j = 0; j < length; ++j) signal_[j] = in[j] * chirp_[j];
  std::fill(signal_.begin() + static_cast<std::ptrdiff_t>(length), signal_.end(), Complex());
  convolution_.forward(signal_.data(), spectrum_.data());
  // The inverse of a transform is the conjugate of the transform of the conjugate.
  for (std::size_t k = 0; k < spectrum_.size(); ++k) {
    spectrum_[k] = std::conj(spectrum_[k] * kernel_[k]);
  }
  convolution_.forward(spectrum_.data(), signal_.data());
  for (std::size_t k = 0; k < length; ++k) out[k] = std::conj(signal_[k]) * chirp_[k];
}

}  // namespace host_mufft
