// Whose device code an image is. NVIDIA's is recognised to be refused; it is never read further.
#pragma once

#include <stddef.h>

namespace torchada::kernels {

// Says what NVIDIA's image begins at `image` ("PTX", "a cubin", ...), or null if it is none of
// NVIDIA's. `size`: bytes that may be read; kUnknownSize for what cuModuleLoadData takes, whose
// length only the image tells. Never reads beyond the length that the image states.
const char* name_of_nvidia_image(const void* image, size_t size);

inline constexpr size_t kUnknownSize = static_cast<size_t>(-1);

// The same for a file; null also if it cannot be read.
const char* name_of_nvidia_file(const char* path);

}  // namespace torchada::kernels
