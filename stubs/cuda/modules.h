// MUSA's modules, and those of a bundle, which are several of MUSA's behind one handle
// (stubs/kernels/bundle.h).
//
// `function` is the caller's name. All return the status to return. A row whose adapter calls
// load_bundle lists muModuleLoadData and muModuleUnload among its calls.
#pragma once

#include <stddef.h>

namespace torchada::driver {

// `image` is a bundle.
int load_bundle(const char* function, void** module, const void* image);
// Whether load_bundle gave that handle.
bool is_bundle_module(const void* module);
int unload_bundle(const char* function, void* module);

// The module is unloaded: what is kept for its functions goes.
void forget_functions_of(const void* module);

// Of MUSA, of a bundle, or of names (named_modules.h).
int unload_module(const char* function, void* module);

// In whichever part has it.
int module_get_function(const char* function, void** out, void* module, const char* name);
int module_get_global(const char* function, unsigned long long* address, size_t* bytes,
                      void* module, const char* name);

// 0 for a module of MUSA's, or the status to return.
int require_musas(const char* function, void* module);

// The handle that the program has for a module of MUSA's.
void* handle_of_part(void* module);

}  // namespace torchada::driver
