// Device attributes for which MUSA's own answer would mislead a program.
#pragma once

namespace torchada {

// The value of a device attribute (by its number, which is the same in CUDA and MUSA) that a
// program shall see, in cudaDeviceGetAttribute and in cudaGetDeviceProperties:
// - the compute capability is what TORCHADA_COMPUTE_CAPABILITY says ("8.6"): MUSA's own (2.1, 2.2,
//   3.1) reads as a device of 2010 to programs that know CUDA's numbers;
// - if the opened MUSA does not export memory pools, the device has none, whatever MUSA says.
int attribute_to_tell(int attribute, int value);

}  // namespace torchada
