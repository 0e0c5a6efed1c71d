// Bluestein's algorithm (chirp-z): a transform of any length as a convolution whose length is a
// power of two. Since 2 j k = j^2 + k^2 - (k - j)^2,
//   out[k] = w(k) * sum over j of in[j] * w(j) * conj(w(k - j)),  w(k) = exp(-pi i k^2 / length).
#pragma once

#include <cstddef>
#include <vector>

#include "src/host/mufft/mixed_radix.h"

namespace host_mufft {

class Bluestein : public Dft {
 public:
  explicit Bluestein(std::size_t length);

  void forward(const Complex* in, Complex* out) override;

  // The length of the convolution: a power of two in which no sum wraps around.
  static std::size_t padded(std::size_t length);

 private:
  MixedRadix convolution_;
  std::vector<Complex> chirp_;     // w
  std::vector<Complex> kernel_;    // transform of conj(w), divided by the convolution's length
  std::vector<Complex> signal_;    // scratch
  std::vector<Complex> spectrum_;  // scratch
};

}  // namespace host_mufft
