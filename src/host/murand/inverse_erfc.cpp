#include "src/host/murand/inverse_erfc.h"

#include <cmath>
#include <numbers>

namespace host_murand {

// Abramowitz and Stegun's formula 26.2.23, accurate to 5e-4, then two steps of Halley's method.
double inverse_erfc(double value) {
  const double t = std::sqrt(-2 * std::log(value / 2));
  const double numerator = 2.515517 + t * (0.802853 + t * 0.010328);
  const double denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  double x = (t - numerator / denominator) / std::numbers::sqrt2;
  for (int step = 0; step < 2; ++step) {
    // For results near 0, erf() keeps the digits that erfc() near 1 loses.
    const double excess = value > 0.5 ? (1 - value) - std::erf(x) : std::erfc(x) - value;
    const double newton = excess / (2 * std::numbers::inv_sqrtpi * std::exp(-x * x));
    x += newton / (1 - x * newton);
  }
  return x;
}

}  // namespace host_murand
