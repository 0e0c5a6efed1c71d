// Answers that depend on what the process did before, each from a process of its own.
#include <array>
#include <cstdio>

#include "tests/host/musa/support.h"
#include "tests/host/shared/library.h"

namespace {

std::string answer(const std::string& tree, const std::string& runtime,
                   const std::string& question) {
  const std::string prefix = HOST_PREFIX;
  const std::string command = std::string(PROBE) + " " + prefix + "/driver/" + tree +
                              "/libmusa.so " + prefix + "/" + tree + "/lib/" + runtime + " " +
                              question;
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "no process";
  std::array<char, 256> chunk{};
  while (std::fgets(chunk.data(), chunk.size(), pipe) != nullptr) output += chunk.data();
  if (pclose(pipe) != 0) output += "failed";
  return output;
}

struct Row {
  const char* tree;
  const char* runtime;
  const char* expected;
};

// Before SDK 5 musaSetDevice leaves the context to the first call that needs one.
TEST(DriverProcess, CurrentContextAfterSetDevice) {
  for (const auto& [tree, runtime, expected] :
       {Row{"3.1", "libmusart.so.1.0", "start 0, chosen 0, used 1 on 1\n"},
        Row{"4.3", "libmusart.so.4", "start 0, chosen 0, used 1 on 1\n"},
        Row{"5.2", "libmusart.so.5", "start 0, chosen 1, used 1 on 1\n"}}) {
    EXPECT_EQ(answer(tree, runtime, "set-device"), expected) << tree;
  }
}

// SDK 3.1.0 has muGraphExecUpdate and refuses every call.
TEST(DriverProcess, ChangesOfExecutableGraphs) {
  for (const auto& [tree, runtime, expected] :
       {Row{"3.1", "libmusart.so.1.0", "update 801, parameters 801\n"},
        Row{"4.3", "libmusart.so.4", "update 1, parameters 1\n"},
        Row{"5.2", "libmusart.so.5", "update 1, parameters 1\n"}}) {
    EXPECT_EQ(answer(tree, runtime, "graph"), expected) << tree;
  }
}

TEST(DriverProcess, BeforeInitEveryCallSaysSo) {
  std::string names;
  size_t count = 0;
  for (const std::string& name : host_tests::exported_symbols(LIBRARY_FILE)) {
    // These need no initialisation.
    if (name == "muInit" || name == "muDriverGetVersion" || name == "muGetErrorName" ||
        name == "muGetErrorString" || name == "muGetProcAddress") {
      continue;
    }
    names += " " + name;
    ++count;
  }
  EXPECT_GT(count, 100U);
  EXPECT_EQ(answer("assumed", "libmusart.so.5", "before-init" + names), "");
}

TEST(DriverProcess, AForkedChildHasNoDriver) {
  EXPECT_EQ(answer("5.2", "libmusart.so.5", "fork"), "memory 3, init 3, version 0\n");
}

}  // namespace
