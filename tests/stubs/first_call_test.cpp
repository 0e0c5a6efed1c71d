// What the first call of a symbol must preserve, and where it may lead. ctest runs every test in a
// process of its own, so the first call in a test is the first call of that symbol, and the first
// call of all opens the backend, whose constructor destroys the vector registers.
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <gtest/gtest.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "probe.h"
#include "probe_tables.h"

namespace {

// What `call` writes on stderr.
template <typename Call>
std::string stderr_of(Call call) {
  testing::internal::CaptureStderr();
  call();
  return testing::internal::GetCapturedStderr();
}

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

template <typename Vector>
Vector pattern(unsigned char seed) {
  Vector v;
  unsigned char bytes[sizeof v];
  for (unsigned i = 0; i < sizeof bytes; ++i)
    bytes[i] = static_cast<unsigned char>(seed * 17 + i * 5);
  memcpy(&v, bytes, sizeof v);
  return v;
}

template <typename Vector>
uint64_t sum_of_patterns() {
  uint64_t total = 0;
  for (unsigned char seed = 0; seed < 8; ++seed) {
    unsigned char bytes[sizeof(Vector)];
    const Vector v = pattern<Vector>(seed);
    memcpy(bytes, &v, sizeof v);
    for (const unsigned char byte : bytes) total = total * 31 + byte;
  }
  return total;
}

__attribute__((target("avx2"))) void test_ymm() {
  using V = __m256i;
  const uint64_t got = probe_ymm(pattern<V>(0), pattern<V>(1), pattern<V>(2), pattern<V>(3),
                                 pattern<V>(4), pattern<V>(5), pattern<V>(6), pattern<V>(7));
  EXPECT_EQ(got, sum_of_patterns<V>());
}

__attribute__((target("avx512f"))) void test_zmm() {
  using V = __m512i;
  const uint64_t got = probe_zmm(pattern<V>(0), pattern<V>(1), pattern<V>(2), pattern<V>(3),
                                 pattern<V>(4), pattern<V>(5), pattern<V>(6), pattern<V>(7));
  EXPECT_EQ(got, sum_of_patterns<V>());
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

uint64_t weighted(const void* data, size_t size) {
  uint64_t total = 0;
  for (size_t i = 0; i < size; ++i) total = total * 31 + static_cast<const unsigned char*>(data)[i];
  return total;
}

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

// The backend's constructor runs below the cold path; its backtrace must cross our frames and
// reach the function that made the call.
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

TEST(FirstCall, AdapterCallsTheBackendThroughAHiddenTrampoline) {
  EXPECT_EQ(probe_adapted(5), 1006);
  void* self = dlopen("libprobe.so.1", RTLD_NOLOAD | RTLD_NOW);
  EXPECT_EQ(dlsym(self, "torchada_adapter_probe_adapted"), nullptr);
}

TEST(Missing, CounterpartAbsentFromTheBackend) {
  int result = 0;
  const std::string text = stderr_of([&] { result = probe_absent(); });
  EXPECT_EQ(result, kProbeUnsupported);
  EXPECT_NE(text.find("torchada: libprobe.so.1: probe_absent is not supported: back_absent is not "
                      "exported by "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("; returning probeErrorNotSupported (801)\n"), std::string::npos) << text;
  EXPECT_EQ(stderr_of([&] { result = probe_absent(); }), "");
  EXPECT_EQ(result, kProbeUnsupported);
}

TEST(Missing, RefusedByItsRow) {
  int result = 0;
  const std::string text = stderr_of([&] { result = probe_refused(); });
  EXPECT_EQ(result, kProbeUnsupported);
  EXPECT_EQ(text,
            "torchada: libprobe.so.1: probe_refused is not supported: the table says so; returning "
            "probeErrorNotSupported (801)\n");
  EXPECT_EQ(stderr_of([&] { probe_refused(); }), "");
}

TEST(Missing, EveryKindOfResult) {
  stderr_of([] {
    EXPECT_EQ(probe_refused_float(), 0.0f);
    ASSERT_NE(probe_refused_string(), nullptr);
    EXPECT_GT(strlen(probe_refused_string()), 0u);
  });
}

TEST(Missing, SilentWhenLogIsOff) {
  setenv("TORCHADA_LOG", "off", 1);
  EXPECT_EQ(stderr_of([] { EXPECT_EQ(probe_refused(), kProbeUnsupported); }), "");
}

TEST(Missing, StrictStopsWithABacktrace) {
  EXPECT_EXIT(
      {
        setenv("TORCHADA_STRICT", "1", 1);
        probe_refused();
        _exit(0);
      },
      testing::KilledBySignal(SIGABRT),
      "probe_refused is not supported[^\n]*\n(.*\n)*.*first_call_test");
}

TEST(Missing, NoBackend) {
  setenv("TORCHADA_PROBE_ROOT", "/nonexistent", 1);
  int result = 0;
  const std::string text = stderr_of([&] { result = probe_add(1, 2); });
  EXPECT_EQ(result, kProbeNoBackend);
  EXPECT_EQ(text,
            "torchada: libprobe.so.1: no MUSA found below TORCHADA_PROBE_ROOT=/nonexistent; first "
            "call: probe_add; returning probeErrorNoDriver (35)\n");
  // One line for the library, not one for each symbol; unsupported symbols say "no driver" too.
  EXPECT_EQ(stderr_of([&] { result = probe_refused(); }), "");
  EXPECT_EQ(result, kProbeNoBackend);
}

TEST(Missing, NoBackendListsThePlacesTried) {
  setenv("TORCHADA_PROBE_ROOT", "/nonexistent", 1);
  setenv("TORCHADA_LOG", "debug", 1);
  const std::string text = stderr_of([] { probe_add(1, 2); });
  for (const char* place : {"/nonexistent/lib/libback.so.2", "/nonexistent/lib/libback.so.1",
                            "/nonexistent/other/lib/libback.so.1"}) {
    EXPECT_NE(text.find(place), std::string::npos) << text;
  }
}

TEST(Routing, Disable) {
  setenv("TORCHADA_DISABLE", "probe_other, probe_add", 1);
  int result = 0;
  const std::string text = stderr_of([&] { result = probe_add(1, 2); });
  EXPECT_EQ(result, kProbeUnsupported);
  EXPECT_NE(text.find("disabled by TORCHADA_DISABLE"), std::string::npos) << text;
  EXPECT_EQ(probe_errno(), errno);
}

TEST(Routing, OverrideWinsTheSlot) {
  setenv("TORCHADA_OVERRIDE", PROBE_OVERRIDE, 1);
  EXPECT_EQ(probe_add(1, 2), 1000003);
}

// The override library links with the shim, so a lookup on its handle finds our own trampoline.
TEST(Routing, OwnAddressCountsAsMissing) {
  setenv("TORCHADA_OVERRIDE", PROBE_OVERRIDE, 1);
  void* handle = dlopen(PROBE_OVERRIDE, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << dlerror();
  ASSERT_NE(dlsym(handle, "probe_ten_integers"), nullptr) << "the trap is not set";
  const int64_t zeros[10] = {};
  EXPECT_EQ(static_cast<uint64_t>(probe_ten_integers(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            weighted(zeros, sizeof zeros));
}

TEST(Routing, OverrideThatDoesNotOpenIsNamed) {
  setenv("TORCHADA_OVERRIDE", "/nonexistent/override.so", 1);
  int result = 0;
  const std::string text = stderr_of([&] { result = probe_add(1, 2); });
  EXPECT_EQ(result, 3);
  EXPECT_NE(text.find("TORCHADA_OVERRIDE is ignored: /nonexistent/override.so"), std::string::npos)
      << text;
}

constexpr int kThreads = 64;

template <typename Body>
void race(Body body) {
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < kThreads) std::this_thread::yield();
      body(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Race, ManyThreadsOneSymbol) {
  std::atomic<int> wrong{0};
  race([&](int i) {
    if (probe_add(i, 1) != i + 1) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Race, ManyThreadsAllSymbols) {
  std::atomic<int> wrong{0};
  race([&](int i) {
    for (int k = 0; k < 32; ++k) {
      const int n = (k + i) % 32;
      using Many = int (*)(int);
      char name[32];
      snprintf(name, sizeof name, "probe_many_%d", n);
      const auto many = reinterpret_cast<Many>(dlsym(RTLD_DEFAULT, name));
      if (!many || many(i) != i * 100 + n) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Race, LineIsPrintedOnce) {
  const std::string text = stderr_of([] { race([](int) { probe_refused(); }); });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

int child_status(void (*body)()) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Fork, BeforeFirstUse) {
  EXPECT_EQ(child_status([] { _exit(probe_add(20, 3)); }), 23);
  EXPECT_EQ(probe_add(1, 2), 3);
}

// MUSA has lost its threads and its device in the child: an error, as real CUDA gives, and no hang.
TEST(Fork, AfterFirstUse) {
  ASSERT_EQ(probe_add(1, 2), 3);
  EXPECT_EQ(child_status([] { _exit(probe_add(10, 7)); }), kProbeForked);
  EXPECT_EQ(child_status([] { _exit(probe_errno()); }), kProbeForked)
      << "first called in the child";
  EXPECT_EQ(child_status([] { _exit(probe_adapted(1) - 1000); }), kProbeForked) << "by an adapter";
  EXPECT_EQ(probe_add(1, 2), 3) << "the parent goes on";
}

TEST(Fork, AfterUseThenExec) {
  ASSERT_EQ(probe_add(1, 2), 3);
  EXPECT_EQ(child_status([] { execl("/bin/true", "true", static_cast<char*>(nullptr)); }), 0);
}

TEST(Fork, WhileOthersResolve) {
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) probe_add(1, 2);
  });
  for (int i = 0; i < 20; ++i) {
    const int status = child_status([] { _exit(probe_add(20, 3)); });
    // Before MUSA was opened by the other thread the child opens it itself.
    EXPECT_TRUE(status == kProbeForked || status == 23) << status;
  }
  stop = true;
  other.join();
}

// Calls from destructors and handlers, in a child whose exit is orderly.
int status_at_exit = -1;

int exit_of_child(void (*before_use)(), void (*after_use)()) {
  int channel[2];
  if (pipe(channel) != 0) return -1;
  static int report_to;
  report_to = channel[1];
  const pid_t child = fork();
  if (child == 0) {
    atexit([] {  // Registered first, runs last.
      const char value = static_cast<char>(status_at_exit);
      if (write(report_to, &value, 1) != 1) _exit(9);
    });
    if (before_use) before_use();
    probe_add(1, 2);
    if (after_use) after_use();
    exit(0);
  }
  close(channel[1]);
  char value = -2;
  if (read(channel[0], &value, 1) != 1) value = -3;
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  return value;
}

TEST(Exit, HandlerRegisteredBeforeTheFirstCall) {
  EXPECT_EQ(exit_of_child([] { atexit([] { status_at_exit = probe_add(1, 2); }); }, nullptr),
            kProbeUnloading);
}

TEST(Exit, SymbolFirstCalledThen) {
  EXPECT_EQ(exit_of_child([] { atexit([] { status_at_exit = probe_errno(); }); }, nullptr),
            kProbeUnloading);
}

// MUSA is still whole when handlers run that were registered after it was opened.
TEST(Exit, HandlerRegisteredAfterTheFirstCall) {
  EXPECT_EQ(exit_of_child(nullptr, [] { atexit([] { status_at_exit = probe_add(1, 2); }); }), 3);
}

TEST(Exit, DetachedThreadThatGoesOnCalling) {
  for (int i = 0; i < 10; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      probe_add(1, 2);
      for (int k = 0; k < 4; ++k) {
        std::thread([] {
          for (;;) probe_add(1, 2);
        }).detach();
      }
      exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
}

TEST(Exit, UnderscoreExitRunsNothing) {
  EXPECT_EQ(child_status([] {
              probe_add(1, 2);
              _exit(probe_add(20, 3));
            }),
            23);
}

const char* value_of(const char* name) {
  const char* value = getenv(name);
  return value ? value : "(unset)";
}

TEST(Environment, IsMappedJustBeforeOpening) {
  setenv("PROBE_DEVICES", "1,0", 1);
  setenv("PROBE_NET_DEBUG", "INFO", 1);
  setenv("PROBE_NET_PROTO", "LL", 1);
  setenv("PROBE_NET_BUFFER", "64", 1);
  setenv("BACK_NET_BUFFER", "128", 1);
  EXPECT_STREQ(value_of("BACK_DEVICES"), "(unset)");
  probe_add(1, 2);
  EXPECT_STREQ(value_of("BACK_DEVICES"), "1,0");
  EXPECT_STREQ(value_of("BACK_NET_DEBUG"), "INFO");
  EXPECT_STREQ(value_of("BACK_NET_PROTO"), "(unset)") << "listed as having no counterpart";
  EXPECT_STREQ(value_of("BACK_NET_BUFFER"), "128") << "the user's word on MUSA's name counts";
}

TEST(Environment, OfTheUserIsNotOverruled) {
  setenv("PROBE_DEVICES", "1", 1);
  setenv("BACK_DEVICES", "0", 1);
  probe_add(1, 2);
  EXPECT_STREQ(value_of("BACK_DEVICES"), "0");
}

// Opens a file as somebody else in the process would; the backend's constructor stays away from us.
void* open_as_stranger(const std::string& file) {
  setenv("PROBE_NO_CALL_BACK", "1", 1);
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << dlerror();
  return handle;
}

std::string backend_file() {
  return std::string(getenv("TORCHADA_PROBE_ROOT")) + "/lib/libback.so.2";
}

TEST(Environment, LateVariableIsReportedOnce) {
  open_as_stranger(backend_file());
  setenv("PROBE_DEVICES", "1", 1);
  const std::string text = stderr_of([] { probe_add(1, 2); });
  EXPECT_EQ(
      text,
      "torchada: libprobe.so.1: PROBE_DEVICES=1 came too late or is overruled: MUSA was opened "
      "before the first CUDA call; set BACK_DEVICES\n");
  EXPECT_STREQ(value_of("BACK_DEVICES"), "(unset)");
  EXPECT_EQ(stderr_of([] { probe_errno(); }), "");
}

TEST(Opening, TheInstanceInTheProcessIsTheOneUsed) {
  open_as_stranger(backend_file());
  setenv("TORCHADA_PROBE_ROOT", "/nonexistent", 1);
  EXPECT_EQ(probe_add(1, 2), 3);
}

// Copies of the backend's file are other instances.
std::string copy_of_backend(const std::string& name) {
  const std::string from = backend_file();
  const std::string folder = testing::TempDir() + "torchada-" + std::to_string(getpid());
  const std::string command =
      "mkdir -p '" + folder + "' && cp '" + from + "' '" + folder + "/" + name + "'";
  EXPECT_EQ(system(command.c_str()), 0);
  return folder + "/" + name;
}

TEST(Opening, SecondRuntimeIsReportedWithBothPaths) {
  // Opened before, the loader's list starts with it; the second comes while the first is in use.
  const std::string first = copy_of_backend("libback.so.2"),
                    second = copy_of_backend("libback.so.9");
  open_as_stranger(first);
  open_as_stranger(second);
  const std::string text = stderr_of([] { probe_add(1, 2); });
  EXPECT_EQ(text, "torchada: libprobe.so.1: two MUSA runtimes in this process: " + first +
                      " is used, " + second + " is loaded as well\n");
}

TEST(Opening, RealLibraryOfOurNameIsReportedWithBothPaths) {
  const std::string real = copy_of_backend("libprobe-1a2b3c4d.so.1");
  open_as_stranger(real);
  const std::string text = stderr_of([] { probe_add(1, 2); });
  EXPECT_NE(text.find("another library of this name in this process: "), std::string::npos) << text;
  EXPECT_NE(text.find("/libprobe.so.1 stands in for it, but " + real + " is loaded as well"),
            std::string::npos)
      << text;
}

std::string root_with_file(const std::string& content) {
  const std::string root = testing::TempDir() + "torchada-root-" + std::to_string(getpid());
  EXPECT_EQ(system(("mkdir -p '" + root + "/lib'").c_str()), 0);
  FILE* file = fopen((root + "/lib/libback.so.2").c_str(), "w");
  EXPECT_NE(file, nullptr);
  fwrite(content.data(), 1, content.size(), file);
  fclose(file);
  return root;
}

TEST(Opening, CorruptFileIsNamedAndEndsTheSearch) {
  std::string truncated;
  FILE* whole = fopen(backend_file().c_str(), "r");
  ASSERT_NE(whole, nullptr);
  truncated.resize(5000);
  truncated.resize(fread(truncated.data(), 1, truncated.size(), whole));
  fclose(whole);
  std::string other_machine = truncated;
  other_machine[18] = '\xb7';  // e_machine: aarch64.
  for (const std::string& content :
       {std::string("not an ELF file"), std::string(), truncated, other_machine}) {
    const pid_t child = fork();
    if (child == 0) {
      const std::string root = root_with_file(content);
      setenv("TORCHADA_PROBE_ROOT", root.c_str(), 1);
      int result = 0;
      const std::string text = stderr_of([&] { result = probe_add(1, 2); });
      const bool named =
          text.find("cannot open " + root + "/lib/libback.so.2: ") != std::string::npos;
      _exit(result == kProbeNoBackend && named ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << content.size() << " bytes";
  }
}

}  // namespace
