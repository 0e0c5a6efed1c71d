// Bind dlopen and its relatives to the versions of glibc 2.2.5. Since 2.34 they live in libc.so.6
// under a new version, and a library built against that would not load on older systems.
#pragma once

#if defined(__SANITIZE_THREAD__)
// The test build: ThreadSanitizer's own dlopen has no version to bind to.
#define TORCHADA_OLD_GLIBC(name) static_assert(true)
#define TORCHADA_OLD_GLIBC_2_3_3(name) static_assert(true)
#elif defined(__x86_64__)
#define TORCHADA_OLD_GLIBC(name) __asm__(".symver " #name "," #name "@GLIBC_2.2.5")
// For dladdr1 and dlinfo, which came with that one.
#define TORCHADA_OLD_GLIBC_2_3_3(name) __asm__(".symver " #name "," #name "@GLIBC_2.3.3")
#elif defined(__aarch64__)
#define TORCHADA_OLD_GLIBC(name) __asm__(".symver " #name "," #name "@GLIBC_2.17")
#define TORCHADA_OLD_GLIBC_2_3_3(name) TORCHADA_OLD_GLIBC(name)
#else
#error "no glibc baseline is known for this architecture"
#endif
