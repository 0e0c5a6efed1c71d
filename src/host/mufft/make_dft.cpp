#include "src/host/mufft/make_dft.h"

#include "src/host/mufft/bluestein.h"
#include "src/host/mufft/mixed_radix.h"

namespace host_mufft {
namespace {

// Beyond this factor, Bluestein's algorithm takes less time than KissFFT.
constexpr std::size_t kLargestRadix = 50;

bool has_small_factors(std::size_t length) {
  for (std::size_t factor = 2; factor <= kLargestRadix; ++factor) {
    while (length % factor == 0) length /= factor;
  }
  return length == 1;
}

}  // namespace

std::unique_ptr<Dft> make_dft(std::size_t length) {
  if (has_small_factors(length)) return std::make_unique<MixedRadix>(length);
  return std::make_unique<Bluestein>(length);
}

std::size_t dft_bytes(std::size_t length) {
  if (has_small_factors(length)) return length * sizeof(Complex);
  return (4 * Bluestein::padded(length) + length) * sizeof(Complex);
}

}  // namespace host_mufft
