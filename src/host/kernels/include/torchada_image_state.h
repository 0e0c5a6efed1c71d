// What every part of an image shares: in C++, for the system's compiler and for libclang.
#pragma once

#include "torchada_image.h"

extern "C" {
#ifndef TORCHADA_PARSE
__attribute__((weak, visibility("hidden"))) __thread torchada_state torchada_of_os_thread;
#endif
__attribute__((weak, visibility("hidden"))) uint32_t torchada_shared_variables = 0;
}
