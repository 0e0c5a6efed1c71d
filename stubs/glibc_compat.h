// Binds dlopen and its relatives to their glibc 2.2.5 versions. Since glibc 2.34 they live in
// libc.so.6 under a new version, and a library built against that does not load on older systems.
#pragma once

#if defined(__SANITIZE_THREAD__)
// For test builds: ThreadSanitizer's own dlopen has no version to bind to.
#define TORCHADA_OLD_GLIBC(name) static_assert(true)
#define TORCHADA_OLD_GLIBC_2_3_3(name) static_assert(true)
#elif defined(__x86_64__)
#define TORCHADA_OLD_GLIBC(name) __asm__(".symver " #name "," #name "@GLIBC_2.2.5")
// For dladdr1 and dlinfo, which are new in glibc 2.3.3.
#define TORCHADA_OLD_GLIBC_2_3_3(name) __asm__(".symver " #name "," #name "@GLIBC_2.3.3")
#elif defined(__aarch64__)
#define TORCHADA_OLD_GLIBC(name) __asm__(".symver " #name "," #name "@GLIBC_2.17")
#define TORCHADA_OLD_GLIBC_2_3_3(name) TORCHADA_OLD_GLIBC(name)
#else
#error "no glibc baseline is known for this architecture"
#endif
