// Modules and libraries of images that NVIDIA made, if the user named kernel libraries
// (stubs/kernels/files.h). Nothing is read from the image: what the program asks for by name comes
// from the kernel libraries. A row whose adapter includes this lists muCtxGetCurrent among its
// calls, or its table has it in kernel_calls.
#pragma once

#include <stddef.h>

#include "stubs/kernels/nvidia_image.h"

namespace torchada::driver {

// For an image of NVIDIA's: a module that knows names only, or without kernel libraries a refusal.
// Refuses as well what is damaged or no file. Returns the status to return.
int load_names(const char* function, const char* parameter, const kernels::ImageFinding& found,
               void** module);

// Whether load_names gave that handle. MUSA's handles are addresses of other memory.
bool is_named(const void* module);
int unload_names(void* module);

// What the kernel libraries have under that name, in the context in which the module was loaded.
// Return the status to return.
int find_kernel(const char* function, void* module, const char* name, void** out);
int find_variable(const char* function, void* module, const char* name, unsigned long long* address,
                  size_t* bytes);

// Whether a kernel of MUSA's belongs to a kernel library, so that its module is torchada's own.
bool is_from_kernel_library(const void* kernel);

// Refuses what nobody can answer about names.
int refuse_names(const char* function, const char* parameter);

}  // namespace torchada::driver
