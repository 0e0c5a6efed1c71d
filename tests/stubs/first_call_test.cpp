// What the first call of a symbol must preserve.
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <string.h>

#include "tests/stubs/probe_test.h"

namespace {

TEST(FirstCall, VariadicWithFloatingArguments) {
  EXPECT_EQ(probe_variadic(3, 1.5, 2.25, 4.0), 7.75);
  EXPECT_EQ(probe_variadic(3, 1.5, 2.25, 4.0), 7.75);
}

#if defined(__x86_64__)
uint64_t call_with_al(uint64_t (*function)(), unsigned al) {
  uint64_t result = al;
  __asm__ volatile("call *%[f]"
                   : "+a"(result)
                   : [f] "r"(function)
                   : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
  return result;
}

uint64_t call_with_r10(uint64_t (*function)(), uint64_t value) {
  uint64_t result;
  __asm__ volatile("movq %[v], %%r10; call *%[f]"
                   : "=a"(result)
                   : [f] "b"(function), [v] "r"(value)
                   : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
  return result;
}

TEST(FirstCall, RegisterAlForEveryCount) {
  for (unsigned al = 0; al <= 8; ++al) EXPECT_EQ(call_with_al(probe_register_al, al), al);
}

TEST(FirstCall, RegisterAlOfTheVeryFirstCall) { EXPECT_EQ(call_with_al(probe_register_al, 5), 5u); }

TEST(FirstCall, StaticChainRegister) {
  EXPECT_EQ(call_with_r10(probe_register_r10, 0x1234567890abcdefu), 0x1234567890abcdefu);
}

template <size_t kBytes>
struct Patterns {
  unsigned char bytes[8][kBytes];

  Patterns() {
    for (unsigned seed = 0; seed < 8; ++seed) {
      for (unsigned i = 0; i < kBytes; ++i)
        bytes[seed][i] = static_cast<unsigned char>(seed * 17 + i * 5);
    }
  }

  uint64_t sum() const {
    uint64_t total = 0;
    for (const auto& vector : bytes) {
      for (const unsigned char byte : vector) total = total * 31 + byte;
    }
    return total;
  }
};

// Vectors stay inside these functions: how other functions return one depends on their build flags.
__attribute__((target("avx2"))) void test_ymm() {
  const Patterns<sizeof(__m256i)> patterns;
  __m256i v[8];
  memcpy(v, patterns.bytes, sizeof v);
  EXPECT_EQ(probe_ymm(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]), patterns.sum());
}

__attribute__((target("avx512f"))) void test_zmm() {
  const Patterns<sizeof(__m512i)> patterns;
  __m512i v[8];
  memcpy(v, patterns.bytes, sizeof v);
  EXPECT_EQ(probe_zmm(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]), patterns.sum());
}

// A vector whose upper part is zero is an argument too: the constructor fills that part with ones.
__attribute__((target("avx2"))) void test_ymm_with_zero_upper_half() {
  Patterns<sizeof(__m256i)> patterns;
  for (auto& vector : patterns.bytes) memset(vector + 16, 0, 16);
  __m256i v[8];
  memcpy(v, patterns.bytes, sizeof v);
  EXPECT_EQ(probe_ymm(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]), patterns.sum());
}

__attribute__((target("avx512f"))) void test_zmm_with_one_part(int part) {
  Patterns<sizeof(__m512i)> patterns;
  for (int i = 0; i < 8; ++i) {
    for (int other = 0; other < 4; ++other) {
      if (other != part || i != part + 3) memset(patterns.bytes[i] + 16 * other, 0, 16);
    }
  }
  __m512i v[8];
  memcpy(v, patterns.bytes, sizeof v);
  EXPECT_EQ(probe_zmm(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]), patterns.sum());
}

TEST(FirstCall, YmmArgumentsWithZeroUpperHalf) {
  if (!__builtin_cpu_supports("avx2")) {
    GTEST_SKIP() << "SKIPPED: this CPU has no AVX2, so ymm arguments were not tested";
  }
  test_ymm_with_zero_upper_half();
}

TEST(FirstCall, YmmArgumentsOnACpuWithoutZmm) {
  if (!__builtin_cpu_supports("avx2")) {
    GTEST_SKIP() << "SKIPPED: this CPU has no AVX2, so ymm arguments were not tested";
  }
  probe_set_vector_width(32);
  test_ymm();
}

TEST(FirstCall, YmmWithZeroUpperHalfOnACpuWithoutZmm) {
  if (!__builtin_cpu_supports("avx2")) {
    GTEST_SKIP() << "SKIPPED: this CPU has no AVX2, so ymm arguments were not tested";
  }
  probe_set_vector_width(32);
  test_ymm_with_zero_upper_half();
}

TEST(FirstCall, DoublesOnACpuWithoutAvx) {
  probe_set_vector_width(16);
  double expected = 0;
  for (int i = 1; i <= 9; ++i) expected = expected * 3 + i * 0.5;
  EXPECT_EQ(probe_nine_doubles(0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5), expected);
}

TEST(FirstCall, ZmmArgumentsWithOnePartThatIsNotZero) {
  if (!__builtin_cpu_supports("avx512f")) {
    GTEST_SKIP() << "SKIPPED: this CPU has no AVX-512, so zmm arguments were not tested";
  }
  for (int part = 0; part < 4; ++part) {
    // Each in a child, where it is the first call.
    const pid_t child = fork();
    if (child == 0) {
      test_zmm_with_one_part(part);
      _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "part " << part;
  }
}

// The constructor changes how its thread rounds. A dlopen in a call must not change the results of
// the program that made the call.
TEST(FirstCall, KeepsTheControlWords) {
  const uint32_t mxcsr = __builtin_ia32_stmxcsr();
  uint16_t before = 0, after = 0;
  __asm__ volatile("fnstcw %0" : "=m"(before));
  probe_add(1, 2);
  __asm__ volatile("fnstcw %0" : "=m"(after));
  EXPECT_EQ(__builtin_ia32_stmxcsr(), mxcsr);
  EXPECT_EQ(after, before);
}

TEST(FirstCall, YmmArguments) {
  if (!__builtin_cpu_supports("avx2")) {
    GTEST_SKIP() << "SKIPPED: this CPU has no AVX2, so ymm arguments were not tested";
  }
  test_ymm();
}

TEST(FirstCall, ZmmArguments) {
  if (!__builtin_cpu_supports("avx512f")) {
    GTEST_SKIP() << "SKIPPED: this CPU has no AVX-512, so zmm arguments were not tested";
  }
  test_zmm();
}
#endif

TEST(FirstCall, TenIntegers) {
  const int64_t all[] = {-1, 2, -3, 4, -5, 6, -7, 8, -9, 10};
  EXPECT_EQ(static_cast<uint64_t>(probe_ten_integers(-1, 2, -3, 4, -5, 6, -7, 8, -9, 10)),
            weighted(all, sizeof all));
}

TEST(FirstCall, NineDoubles) {
  double expected = 0;
  for (int i = 1; i <= 9; ++i) expected = expected * 3 + i * 0.5;
  EXPECT_EQ(probe_nine_doubles(0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5), expected);
}

TEST(FirstCall, StructOf128BytesByValue) {
  Bytes128 bytes;
  for (unsigned i = 0; i < 128; ++i) bytes.byte[i] = static_cast<unsigned char>(255 - i);
  EXPECT_EQ(probe_bytes_by_value(3, bytes, 5), weighted(&bytes, sizeof bytes) + 21 + 55);
}

TEST(FirstCall, LongDouble) { EXPECT_EQ(probe_long_double(1.25L), 2.5L); }

TEST(FirstCall, StructReturnedInRegisters) {
  const Pair pair = probe_returns_pair(-5, 2.5);
  EXPECT_EQ(pair.a, 2.5);
  EXPECT_EQ(pair.b, -5);
}

TEST(FirstCall, StructReturnedInMemory) {
  const Bytes128 bytes = probe_returns_memory(9);
  for (unsigned i = 0; i < 128; ++i) EXPECT_EQ(bytes.byte[i], static_cast<unsigned char>(9 + i));
}

TEST(FirstCall, KeepsErrno) {
  errno = 77;
  EXPECT_EQ(probe_errno(), 77);
  EXPECT_EQ(errno, 77);
}

TEST(FirstCall, ExceptionPassesThrough) {
  for (int i = 0; i < 2; ++i) {
    try {
      probe_throws(42 + i);
      FAIL() << "nothing was thrown";
    } catch (const int code) {
      EXPECT_EQ(code, 42 + i);
    }
  }
}

// The backend's constructor runs below the cold path. Its backtrace must cross our frames and reach
// the function that made the call.
__attribute__((noinline)) int call_and_keep_frame() {
  const int result = probe_add(1, 2);
  __asm__ volatile("");
  return result + 1;
}

TEST(FirstCall, BacktraceCrossesTheColdPath) {
  ASSERT_EQ(call_and_keep_frame(), 4);
  void* handle = dlopen("libback.so.2", RTLD_NOLOAD | RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  using Frames = int (*)(void***);
  const auto get = reinterpret_cast<Frames>(dlsym(handle, "back_constructor_frames"));
  ASSERT_NE(get, nullptr);
  void** frames = nullptr;
  const int count = get(&frames);
  const auto* start = reinterpret_cast<const char*>(call_and_keep_frame);
  bool found = false;
  for (int i = 0; i < count; ++i) {
    const auto* frame = static_cast<const char*>(frames[i]);
    if (frame > start && frame < start + 256) found = true;
  }
  EXPECT_TRUE(found) << count << " frames";
}

TEST(FirstCall, ConstructorOfTheBackendCallsBack) { EXPECT_EQ(probe_called_back(), 1); }

TEST(FirstCall, SecondCandidate) { EXPECT_EQ(probe_two_spellings(), 2); }

TEST(FirstCall, WeakNameAndItsAlias) {
  void* self = dlopen("libprobe.so.1", RTLD_NOLOAD | RTLD_NOW);
  ASSERT_NE(self, nullptr);
  void* weak = dlsym(self, "probe_weak");
  EXPECT_EQ(weak, dlsym(self, "probe_strong"));
  ASSERT_NE(weak, nullptr);
  EXPECT_EQ(reinterpret_cast<int (*)()>(weak)(), 77);
}

TEST(FirstCall, AdapterServesWhereTheBackendDoesNot) {
  EXPECT_EQ(stderr_of([] { EXPECT_EQ(probe_lent(5), 2007); }), "");
  EXPECT_EQ(probe_lent(6), 2008);
  // The backend has this function, so the slot holds a bare jump.
  void* self = dlopen("libprobe.so.1", RTLD_NOLOAD | RTLD_NOW);
  const auto many = reinterpret_cast<int (*)(int)>(dlsym(self, "probe_many_0"));
  ASSERT_NE(many, nullptr);
  EXPECT_EQ(many(3), 300);
}

TEST(FirstCall, AdapterCallsTheBackendThroughAHiddenTrampoline) {
  EXPECT_EQ(probe_adapted(5), 1006);
  void* self = dlopen("libprobe.so.1", RTLD_NOLOAD | RTLD_NOW);
  EXPECT_EQ(dlsym(self, "torchada_adapter_probe_adapted"), nullptr);
}

}  // namespace
