// The machine that torchada is built for, as files, folders and users name it.
#pragma once

#include <elf.h>

namespace torchada {

#if defined(__x86_64__)
#define TORCHADA_MACHINE "x86-64"
#define TORCHADA_MULTIARCH "x86_64-linux-gnu"  // Debian's name for it.
#define TORCHADA_BASE_GLIBC "GLIBC_2.2.5"      // The version of symbols that glibc always had.
inline constexpr unsigned kElfMachine = EM_X86_64;
#elif defined(__aarch64__)
#define TORCHADA_MACHINE "aarch64"
#define TORCHADA_MULTIARCH "aarch64-linux-gnu"
#define TORCHADA_BASE_GLIBC "GLIBC_2.17"
inline constexpr unsigned kElfMachine = EM_AARCH64;
#else
#error "this machine is not known; see CONTRIBUTING.md, 'Adding an architecture'"
#endif

}  // namespace torchada
