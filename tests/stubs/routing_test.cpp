// Where a symbol may lead: missing and refused functions, no backend, and the user's overrides.
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/stubs/probe_test.h"

namespace {

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

TEST(Missing, NobodyReadsStandardError) {
  EXPECT_EQ(child_status([] {
              int ends[2];
              if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0) _exit(2);
              close(ends[0]);
              close(ends[1]);
              _exit(probe_refused() == kProbeUnsupported ? 0 : 3);
            }),
            0);
}

TEST(Missing, StrictStopsWithABacktrace) {
  EXPECT_EXIT(
      {
        setenv("TORCHADA_STRICT", "1", 1);
        probe_refused();
        _exit(0);
      },
      testing::KilledBySignal(SIGABRT),
      "probe_refused is not supported[^\n]*\n(.*\n)*.*stubs_test");
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

// The override library links with the replacement library, so a lookup in it finds our own
// trampoline.
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
  EXPECT_NE(
      text.find("TORCHADA_OVERRIDE=/nonexistent/override.so is ignored: /nonexistent/override.so"),
      std::string::npos)
      << text;
}

}  // namespace
