// Libraries of device code have handles of their own (library.cpp).
#pragma once

namespace torchada::driver {

bool is_library(const void* handle);

}  // namespace torchada::driver
