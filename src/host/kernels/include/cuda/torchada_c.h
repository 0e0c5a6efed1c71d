// What device code has of the C library but for mathematics.
#pragma once

#include "torchada_threads.h"

#ifdef TORCHADA_AT_RUN_TIME
// NVRTC knows these without a header.
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;
namespace torchada {
template <typename Type>
using Referred = __remove_reference_t(Type);
}  // namespace torchada
namespace std {
// The library's own are better matches, where a program includes them.
template <typename Type, typename... None>
TORCHADA_BOTH constexpr torchada::Referred<Type>&& move(Type&& value, None...) noexcept {
  return static_cast<torchada::Referred<Type>&&>(value);
}
template <typename Type, typename... None>
TORCHADA_BOTH constexpr Type&& forward(torchada::Referred<Type>& value, None...) noexcept {
  return static_cast<Type&&>(value);
}
template <typename Type, typename... None>
TORCHADA_BOTH constexpr Type&& forward(torchada::Referred<Type>&& value, None...) noexcept {
  return static_cast<Type&&>(value);
}
}  // namespace std
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
#endif

extern "C" {
__device__ void* malloc(__SIZE_TYPE__);
__device__ void free(void*);
__device__ int printf(const char*, ...);  // clang makes vprintf of it
}

TORCHADA_DEVICE void* memcpy(void* to, const void* from, __SIZE_TYPE__ size) {
  return __builtin_memcpy(to, from, size);
}
TORCHADA_DEVICE void* memmove(void* to, const void* from, __SIZE_TYPE__ size) {
  return __builtin_memmove(to, from, size);
}
TORCHADA_DEVICE void* memset(void* to, int value, __SIZE_TYPE__ size) {
  return __builtin_memset(to, value, size);
}
TORCHADA_DEVICE int memcmp(const void* a, const void* b, __SIZE_TYPE__ size) {
  return __builtin_memcmp(a, b, size);
}
TORCHADA_DEVICE __SIZE_TYPE__ strlen(const char* text) { return __builtin_strlen(text); }
TORCHADA_DEVICE int strcmp(const char* a, const char* b) { return __builtin_strcmp(a, b); }
TORCHADA_DEVICE int strncmp(const char* a, const char* b, __SIZE_TYPE__ size) {
  return __builtin_strncmp(a, b, size);
}
TORCHADA_DEVICE char* strcpy(char* to, const char* from) { return __builtin_strcpy(to, from); }
TORCHADA_DEVICE char* strncpy(char* to, const char* from, __SIZE_TYPE__ size) {
  return __builtin_strncpy(to, from, size);
}
TORCHADA_DEVICE char* strcat(char* to, const char* from) { return __builtin_strcat(to, from); }

// assert() ends the kernel, not the process.
__attribute__((noreturn)) TORCHADA_DEVICE void __assert_fail(const char* what, const char* file,
                                                             unsigned int line,
                                                             const char* function) {
  torchada_assert_fail(what, file, line, function);
}

// Both count nanoseconds, as the devices' clock rate says (src/host/musa/device_clock.h).
TORCHADA_DEVICE long long clock64() { return torchada_clock(); }
TORCHADA_DEVICE long clock() { return torchada_clock(); }

// There is one space of addresses. Those of shared memory are offsets in it, which fit 32 bits.
TORCHADA_DEVICE unsigned int __isShared(const void* pointer) {
  return pointer >= torchada_shared_begin() && pointer < torchada_shared_end();
}
// A block is a cluster of its own.
TORCHADA_DEVICE unsigned int __isCtaShared(const void* pointer) { return __isShared(pointer); }
TORCHADA_DEVICE unsigned int __isClusterShared(const void* pointer) { return __isShared(pointer); }
// Below the caller's variables, on its stack. Nobody has the 64 KiB above a stack
// (engine/fiber.cpp).
__attribute__((noinline)) __device__ inline unsigned int __isLocal(const void* pointer) {
  const char here = 0;
  const char* const below = &here;
  return static_cast<const char*>(pointer) >= below &&
         static_cast<const char*>(pointer) - below < 0x10000;
}
TORCHADA_DEVICE unsigned int __isConstant(const void*) { return 0; }  // as global memory
TORCHADA_DEVICE unsigned int __isGridConstant(const void*) { return 0; }
TORCHADA_DEVICE unsigned int __isGlobal(const void* pointer) {
  return !__isShared(pointer) && !__isLocal(pointer);
}
TORCHADA_DEVICE __SIZE_TYPE__ __cvta_generic_to_shared(const void* pointer) {
  return static_cast<const unsigned char*>(pointer) - torchada_shared_begin();
}
TORCHADA_DEVICE void* __cvta_shared_to_generic(__SIZE_TYPE__ address) {
  return torchada_shared_begin() + static_cast<unsigned int>(address);
}
#define TORCHADA_SPACE(name)                                                    \
  TORCHADA_DEVICE __SIZE_TYPE__ __cvta_generic_to_##name(const void* pointer) { \
    return reinterpret_cast<__SIZE_TYPE__>(pointer);                            \
  }                                                                             \
  TORCHADA_DEVICE void* __cvta_##name##_to_generic(__SIZE_TYPE__ address) {     \
    return reinterpret_cast<void*>(address);                                    \
  }
TORCHADA_FOR_EACH(TORCHADA_SPACE, global, constant, local, grid_constant)
#undef TORCHADA_SPACE
