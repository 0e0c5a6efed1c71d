// The handles that cublasLtCreate gave out and cublasLtDestroy has not taken back.
#pragma once

namespace torchada {

bool is_known_handle(const void* handle);

// False where there is no room for another one.
bool remember_handle(void* handle);

// False where it was not known. Of several threads that forget the same handle one succeeds.
bool forget_handle(void* handle);

}  // namespace torchada
