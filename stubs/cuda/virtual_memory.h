// What CUDA's virtual memory has and MUSA's is not known to have.
#pragma once

namespace torchada::driver {

// 0 if MUSA knows places of this type, or the status to return. `location` is a CUmemLocation.
int check_place(const char* function, const char* parameter, const void* location);

// The same for what memory is to be like. `wanted` is a CUmemAllocationProp, or null.
int check_properties(const char* function, const void* wanted);

}  // namespace torchada::driver
