#pragma once

namespace host_murand {

// x with erfc(x) = value, for 0 < value <= 1, accurate to a few units in the last place.
double inverse_erfc(double value);

}  // namespace host_murand
