// Where the distributions that have glibc keep their libraries. Header only: the audit module needs
// libc alone.
#pragma once

#include "src/shared/machine.h"

namespace torchada {

struct SystemFolder {
  const char* path;
  bool is_default;  // The loader looks there last, without any entry in ld.so.conf.
};

// In the order in which they are searched.
inline constexpr SystemFolder kSystemFolders[] = {
    {"/lib/" TORCHADA_MULTIARCH, true},
    {"/usr/lib/" TORCHADA_MULTIARCH, true},
    {"/lib64", true},
    {"/usr/lib64", true},
    {"/usr/local/lib", false},
    {"/lib", true},
    {"/usr/lib", true},
};

}  // namespace torchada
