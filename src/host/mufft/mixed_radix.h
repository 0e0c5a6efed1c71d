// KissFFT. Its time for one factor p of the length is O(length * p).
#pragma once

#include <cmath>
#include <cstddef>
#include <kissfft.hh>

#include "src/host/mufft/dft.h"

namespace host_mufft {

class MixedRadix : public Dft {
 public:
  explicit MixedRadix(std::size_t length) : kiss_(length, false) {}

  void forward(const Complex* in, Complex* out) override { kiss_.transform(in, out); }

 private:
  kissfft<double> kiss_;
};

}  // namespace host_mufft
