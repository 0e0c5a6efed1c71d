// One-dimensional discrete Fourier transforms of any length.
#pragma once

#include <complex>
#include <cstddef>

namespace host_mufft {

using Complex = std::complex<double>;

class Dft {
 public:
  Dft() = default;
  virtual ~Dft() = default;
  Dft(const Dft&) = delete;
  Dft& operator=(const Dft&) = delete;

  // out[k] = sum of in[j] * exp(-2 pi i j k / length), not normalised. The arrays have the length
  // of the transform and do not overlap. One thread at a time: the object contains scratch memory.
  virtual void forward(const Complex* in, Complex* out) = 0;
};

}  // namespace host_mufft
