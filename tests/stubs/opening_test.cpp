// Which backend is opened, with which environment, and which lines are printed about it.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "tests/stubs/probe_test.h"

namespace {

// Runs in place of setenv of `before_setenv_of`, once, before it.
const char* before_setenv_of = nullptr;
void (*at_setenv)() = nullptr;

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

// Opens a file as other code in the process would, with a backend constructor that does not call us
// back.
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
  EXPECT_EQ(text,
            "torchada: libprobe.so.1: PROBE_DEVICES=1 has no effect: MUSA was opened "
            "before the first CUDA call; set BACK_DEVICES=1\n");
  EXPECT_STREQ(value_of("BACK_DEVICES"), "(unset)");
  EXPECT_EQ(stderr_of([] { probe_errno(); }), "");
}

TEST(Opening, TheInstanceInTheProcessIsTheOneUsed) {
  open_as_stranger(backend_file());
  setenv("TORCHADA_PROBE_ROOT", "/nonexistent", 1);
  EXPECT_EQ(probe_add(1, 2), 3);
}

// A folder for this process, removed at its end.
const std::string& room() {
  static const struct Room {
    std::string path = testing::TempDir() + "torchada-opening-" + std::to_string(getpid());
    Room() { std::filesystem::create_directories(path); }
    ~Room() { std::filesystem::remove_all(path); }
  } made;
  return made.path;
}

// A copy of the backend's file is loaded as a separate instance.
std::string copy_of_backend(const std::string& name) {
  const std::string path = room() + "/" + name;
  std::filesystem::copy_file(backend_file(), path);
  return path;
}

// The program loads another one while ours is being opened: the first in the loader's list is the
// one that everybody finds.
TEST(Opening, OneThatCameMeanwhileIsTheOneUsed) {
  static const std::string first = copy_of_backend("libback.so.9");
  setenv("TORCHADA_LOG", "info", 1);
  setenv("PROBE_DEVICES", "1", 1);
  // The library asks for this variable between the look at the loader's list and its own dlopen.
  before_setenv_of = "BACK_DEVICES";
  at_setenv = [] { open_as_stranger(first); };
  const std::string text = stderr_of([] { EXPECT_EQ(probe_add(1, 2), 3); });
  at_setenv = nullptr;
  EXPECT_NE(text.find("two MUSA runtimes are in this process: " + first + " is used, "),
            std::string::npos)
      << text;
}

TEST(Opening, SecondRuntimeIsReportedWithBothPaths) {
  // Opened first, it is first in the loader's list. The second is opened while the first is in use.
  const std::string first = copy_of_backend("libback.so.2"),
                    second = copy_of_backend("libback.so.9");
  open_as_stranger(first);
  open_as_stranger(second);
  const std::string text = stderr_of([] { probe_add(1, 2); });
  EXPECT_EQ(text, "torchada: libprobe.so.1: two MUSA runtimes are in this process: " + first +
                      " is used, " + second +
                      " is loaded too; point LD_LIBRARY_PATH and MUSA_HOME to the same MUSA\n");
}

// The backend does not tell its version before its constructor has ended, and then says 5.1.
TEST(Opening, VersionThatAConstructorHeardIsNotKept) {
  setenv("PROBE_ASKS_FOR_VERSION", "1", 1);
  EXPECT_EQ(probe_add(1, 2), 3);
  EXPECT_EQ(probe_old_only(), kProbeUnsupported);
}

TEST(Opening, RealLibraryOfOurNameIsReportedWithBothPaths) {
  const std::string real = copy_of_backend("libprobe-1a2b3c4d.so.1");
  open_as_stranger(real);
  const std::string text = stderr_of([] { probe_add(1, 2); });
  EXPECT_NE(text.find("two libraries of this name are in this process: "), std::string::npos)
      << text;
  EXPECT_NE(text.find("/libprobe.so.1 is torchada's, " + real + " is not; "), std::string::npos)
      << text;
}

std::string root_with_file(const std::string& content) {
  const std::string root = room() + "/root";
  std::filesystem::create_directories(root + "/lib");
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
    room();  // Created in the parent, so that the child does not remove it.
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

std::atomic<int> setenvs{0};

}  // namespace

std::atomic<bool> setenv_is_slow{false};
std::atomic<int> most_setenvs{0};

// The replacement library calls this one, because the program comes before the C library.
extern "C" int setenv(const char* name, const char* value, int overwrite) noexcept {
  if (at_setenv && strcmp(name, before_setenv_of) == 0) {
    void (*const call)() = at_setenv;
    at_setenv = nullptr;
    call();
  }
  using Setenv = int (*)(const char*, const char*, int);
  const int at_once = ++setenvs;
  if (at_once > most_setenvs) most_setenvs = at_once;
  if (setenv_is_slow) usleep(100000);
  const int status = reinterpret_cast<Setenv>(dlsym(RTLD_NEXT, "setenv"))(name, value, overwrite);
  --setenvs;
  return status;
}
