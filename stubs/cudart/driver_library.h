// torchada's library of the driver, if this process is offered one. cudaGetDriverEntryPoint finds
// its functions there, as NVIDIA's runtime finds them in NVIDIA's driver.
#pragma once

namespace torchada {

using GetProcAddress = int (*)(const char* name, void** function, int version,
                               unsigned long long flags, int* result);

// Its cuGetProcAddress_v2, whose status is a CUresult. Null if the process has not loaded it and no
// folder in TORCHADA_AUDIT_LIB or LD_LIBRARY_PATH has it: torchada run puts its folder there.
// Otherwise opens it. A library of that name that is not torchada's is not opened.
GetProcAddress driver_get_proc_address();

}  // namespace torchada
