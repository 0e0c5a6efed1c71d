// What every part of an image shares: in C++, for the system's compiler and for libclang.
#pragma once

#include "torchada_image.h"

extern "C" {
__attribute__((weak, visibility("hidden"))) uint32_t torchada_shared_variables = 0;

#ifndef TORCHADA_PARSE
__attribute__((weak, visibility("hidden"))) __thread torchada_state torchada_of_os_thread;

#define TORCHADA_END(type, name) \
  extern const type* const name[] __attribute__((weak, visibility("hidden")));
TORCHADA_END(torchada_kernel, __start_torchada_kernels)
TORCHADA_END(torchada_kernel, __stop_torchada_kernels)
TORCHADA_END(torchada_variable, __start_torchada_variables)
TORCHADA_END(torchada_variable, __stop_torchada_variables)
#undef TORCHADA_END

TORCHADA_SEAL;  // in every source; the first in the image counts

// What the driver looks for in an image. Every source has it, and the linker keeps one.
__attribute__((weak, visibility("default"))) extern const torchada_image torchada_image = {
    TORCHADA_IMAGE_FORMAT,     TORCHADA_WARP_SIZE,        [] { return &torchada_of_os_thread; },
    __start_torchada_kernels,  __stop_torchada_kernels,   __start_torchada_variables,
    __stop_torchada_variables, &torchada_shared_variables};
#endif
}
