#pragma once

namespace torchada {

// The value of a device attribute (by its number, which is the same in CUDA and MUSA) that a
// program shall see, in cudaDeviceGetAttribute and in cudaGetDeviceProperties; see device_claims.h.
int attribute_to_tell(int attribute, int value);

}  // namespace torchada
