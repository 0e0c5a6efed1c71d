// The handles that cublasLtCreate returned and cublasLtDestroy has not yet destroyed.
#pragma once

namespace torchada {

bool is_known_handle(const void* handle);

// False if there is no room for another one.
bool remember_handle(void* handle);

// False if it is not known. If several threads forget the same handle, one succeeds.
bool forget_handle(void* handle);

}  // namespace torchada
