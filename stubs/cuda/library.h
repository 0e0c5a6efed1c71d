// Libraries of device code have handles of their own (library.cpp), which the runtime's libraries
// share.
#pragma once

namespace torchada::driver {

bool is_library(void* handle);

}  // namespace torchada::driver
