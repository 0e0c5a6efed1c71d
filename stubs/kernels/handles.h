// Handles of modules and libraries that know names only. None of MUSA's handles is one: they are
// addresses of other memory.
#pragma once

namespace torchada::kernels {

// Null without memory, or if there are too many. `context` is not null.
void* make_handle(void* context);

// The context with which it was made. Null if there is no such handle.
void* context_of_handle(const void* handle);

// False if there is none.
bool drop_handle(void* handle);

}  // namespace torchada::kernels
