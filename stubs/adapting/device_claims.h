// Answers about a device for which MUSA's own would mislead a program, the same through the runtime
// and the driver.
#pragma once

namespace torchada {

// The compute capability that a program shall see where MUSA says `value`: what
// TORCHADA_COMPUTE_CAPABILITY says ("8.6"). MUSA's own (2.1, 2.2, 3.1) reads as a device of 2010 to
// programs that know CUDA's numbers.
int major_to_tell(int value);
int minor_to_tell(int value);

// Whether the opened MUSA exports memory pools. If not, the device has none, whatever MUSA says.
bool has_memory_pools();

}  // namespace torchada
