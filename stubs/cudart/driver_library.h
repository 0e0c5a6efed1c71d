// The driver's library that lies beside this one. cudaGetDriverEntryPoint finds its functions
// there, as NVIDIA's runtime finds them in NVIDIA's driver.
#pragma once

namespace torchada {

using GetProcAddress = int (*)(const char* name, void** function, int version,
                               unsigned long long flags, int* result);

// Its cuGetProcAddress_v2, whose status is a CUresult. Opens the library at the first call. Null if
// there is none, because it was not installed or is not offered to this program. A library of that
// name that is not torchada's is not opened.
GetProcAddress driver_get_proc_address();

}  // namespace torchada
