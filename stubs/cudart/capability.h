// The compute capability that the user wants programs to see: MUSA's own (2.1, 2.2, 3.1) reads as
// a device of 2010 to programs that know CUDA's numbers.
#pragma once

namespace torchada {

// From TORCHADA_COMPUTE_CAPABILITY, as "8.6": 10 * major + minor. 0 where it is not set; what is no
// capability is reported once and ignored.
int wanted_capability();

}  // namespace torchada
