// The refusal of a name that a program asks a module or a library for.
#pragma once

namespace torchada::kernels {

// Says that no kernel library has `name`. Returns fail(status).
int refuse_name(const char* function, const char* name, int status);

}  // namespace torchada::kernels
