// Which of MUSA's functions the program got as what. A CUkernel is the function of MUSA's itself,
// so that launches, which take both, ask nothing. CUDA's other functions take one kind only.
//
// Kept by MUSA's handle. What the program got elsewhere, such as a cudaKernel_t of the runtime, is
// not known here: MUSA judges it.
#pragma once

#include <stdint.h>

namespace torchada::driver {

enum class Role : uint8_t { kFunction = 1, kKernel = 2 };

// The program got `handle` in this role, by this name. `module`: the handle with which it can be
// unloaded; null if code of kernel libraries, which modules share.
void note_given(const void* handle, Role role, const void* module, const char* name);
// The same for a handle that is known already; does nothing for another.
void note_also_given(const void* handle, Role role);

// False if the program got it in another role only.
bool passes_as(const void* handle, Role role);

// Null if it is not known.
const void* module_of_given(const void* handle);
// The same; it stays when the module is unloaded.
const char* name_of_given(const void* handle);

// The module is unloaded: MUSA may give its handles to others.
void forget_given_of(const void* module);

// 0 if MUSA knows the function, or the status to return. A row whose adapter includes this lists
// muFuncGetAttribute among its calls.
int require_function(const char* name, void* function);

}  // namespace torchada::driver
