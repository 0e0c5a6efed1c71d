// The backend of the probe library. Its constructor destroys every vector register, calls back into
// the replacement library that is opening it, and records its own call stack: the worst that a MUSA
// could do.
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/stubs/probe.h"

namespace {

int called_back = 0;
void* constructor_frames[64];
int constructor_frame_count = 0;
int version = 0;  // The SDK's, told when the constructor has ended.

// A function of the program or the replacement library, or null.
template <typename Function>
Function* global(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void destroy_zmm() {
  __asm__ volatile(
      ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
      "vpternlogd $255, %%zmm\\n, %%zmm\\n, %%zmm\\n\n"
      ".endr\n" ::
          : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
            "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
__attribute__((target("avx2"))) void destroy_ymm() {
  __asm__ volatile(
      ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
      "vpcmpeqd %%ymm\\n, %%ymm\\n, %%ymm\\n\n"
      ".endr\n" ::
          : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
            "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
#endif

__attribute__((constructor)) void construct() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    destroy_zmm();
  else if (__builtin_cpu_supports("avx2"))
    destroy_ymm();
  const uint32_t mxcsr = __builtin_ia32_stmxcsr() | 0x8040;  // Denormal numbers become zero.
  __builtin_ia32_ldmxcsr(mxcsr);
  const uint16_t x87 = 0x7f;  // Single precision.
  __asm__ volatile("fldcw %0" ::"m"(x87));
#endif
  constructor_frame_count = backtrace(constructor_frames, 64);
  errno = 99;
  if (!getenv("PROBE_NO_CALL_BACK")) {
    auto* const add = global<int(int, int)>("probe_add");
    if (add && add(20, 22) == 42) ++called_back;
    auto* const old_only = global<int()>("probe_old_only");
    if (old_only && getenv("PROBE_ASKS_FOR_VERSION")) old_only();
  }
  const char* told = getenv("PROBE_VERSION");
  version = told ? atoi(told) : 50100;
}

uint64_t sum(const void* data, size_t size) {
  uint64_t total = 0;
  for (size_t i = 0; i < size; ++i) total = total * 31 + static_cast<const unsigned char*>(data)[i];
  return total;
}

}  // namespace

extern "C" {

double back_variadic(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  double total = 0;
  for (int i = 0; i < count; ++i) total += va_arg(arguments, double);
  va_end(arguments);
  return total;
}

int64_t back_ten_integers(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f,
                          int64_t g, int64_t h, int64_t i, int64_t j) {
  const int64_t all[] = {a, b, c, d, e, f, g, h, i, j};
  return static_cast<int64_t>(sum(all, sizeof all));
}

double back_nine_doubles(double a, double b, double c, double d, double e, double f, double g,
                         double h, double i) {
  const double all[] = {a, b, c, d, e, f, g, h, i};
  double total = 0;
  for (const double x : all) total = total * 3 + x;
  return total;
}

uint64_t back_bytes_by_value(int before, Bytes128 bytes, int after) {
  return sum(&bytes, sizeof bytes) + static_cast<uint64_t>(before) * 7 +
         static_cast<uint64_t>(after) * 11;
}

long double back_long_double(long double value) { return value * 2; }
Pair back_returns_pair(int64_t a, double b) { return {b, a}; }

Bytes128 back_returns_memory(unsigned char seed) {
  Bytes128 out;
  for (unsigned i = 0; i < sizeof out.byte; ++i) out.byte[i] = static_cast<unsigned char>(seed + i);
  return out;
}

void back_throws(int code) { throw code; }
int back_errno() { return errno; }
int back_add(int a, int b) { return a + b; }
int back_called_back() { return called_back; }
int back_second_spelling() { return 2; }
int back_old_only() { return 1; }

int musaRuntimeGetVersion(int* out) {
  *out = version;
  if (auto* const hook = global<void()>("probe_test_while_asked_for_version")) hook();
  return 0;
}
int back_weak() { return 77; }

// Where the constructor was called from, for the test of stack unwinding.
int back_constructor_frames(void*** frames) {
  *frames = constructor_frames;
  return constructor_frame_count;
}

#if defined(__x86_64__)
__attribute__((naked)) uint64_t back_register_al() { __asm__("endbr64; movzbl %al, %eax; ret"); }
__attribute__((naked)) uint64_t back_register_r10() { __asm__("endbr64; movq %r10, %rax; ret"); }

__attribute__((target("avx2"))) uint64_t back_ymm(__m256i a, __m256i b, __m256i c, __m256i d,
                                                  __m256i e, __m256i f, __m256i g, __m256i h) {
  alignas(32) __m256i all[] = {a, b, c, d, e, f, g, h};
  return sum(all, sizeof all);
}
__attribute__((target("avx512f"))) uint64_t back_zmm(__m512i a, __m512i b, __m512i c, __m512i d,
                                                     __m512i e, __m512i f, __m512i g, __m512i h) {
  alignas(64) __m512i all[] = {a, b, c, d, e, f, g, h};
  return sum(all, sizeof all);
}
#endif

#define MANY(n) \
  int back_many_##n(int x) { return x * 100 + n; }
// clang-format off
MANY(0) MANY(1) MANY(2) MANY(3) MANY(4) MANY(5) MANY(6) MANY(7) MANY(8) MANY(9) MANY(10) MANY(11)
MANY(12) MANY(13) MANY(14) MANY(15) MANY(16) MANY(17) MANY(18) MANY(19) MANY(20) MANY(21) MANY(22)
MANY(23) MANY(24) MANY(25) MANY(26) MANY(27) MANY(28) MANY(29) MANY(30) MANY(31)
// clang-format on

}  // extern "C"
