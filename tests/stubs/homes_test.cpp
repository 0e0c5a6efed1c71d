// Where the backend's libraries are found: those of the SDK in one root, the driver with libmusart,
// in the root or in the system's folders. Link stubs are never opened.
//
// Each case runs this program anew with an environment of its own, because the loader reads
// LD_LIBRARY_PATH when a process starts.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/stubs/probe.h"
#include "tests/stubs/probe_tables.h"

namespace {

namespace fs = std::filesystem;

// The copies of the driver, by what they return.
enum Driver { kSystem = 1, kCarried, kStub, kNeeded };

class Homes : public testing::Test {
 protected:
  Homes() { fs::create_directories(root / "lib"); }
  ~Homes() override { fs::remove_all(room); }

  void put(const std::string& file, const fs::path& to) {
    fs::create_directories(to.parent_path());
    fs::copy_file(file, to, fs::copy_options::overwrite_existing);
  }
  void put_runtime() { put(PROBE_BACKEND, root / "lib/libback.so.2"); }
  void put_driver(Driver driver, const fs::path& folder) {
    put(PROBE_DRIVERS + std::to_string(driver) + "/libbackdriver.so.1",
        folder / "libbackdriver.so.1");
  }

  // What `--ask FUNCTION` prints in a process with these variables.
  std::string ask(const std::string& function, const std::string& library_path,
                  const std::string& more = "") {
    const std::string command = "PROBE_NO_CALL_BACK=1 TORCHADA_PROBE_ROOT=\"" + asked_root +
                                "\" LD_LIBRARY_PATH=\"" + library_path + "\" " + more + " /proc/" +
                                std::to_string(getpid()) + "/exe --ask " + function + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
    EXPECT_EQ(pclose(pipe), 0) << command << "\n" << text;
    return text;
  }

  // The driver answered, it is the one in `folder`, and there is no other in the process.
  void expect_driver(Driver driver, const fs::path& folder, const std::string& said) {
    const std::string mapped = "mapped " + (folder / "libbackdriver.so.1").string() + "\n";
    EXPECT_NE(said.find("answer " + std::to_string(driver) + "\n"), std::string::npos) << said;
    EXPECT_NE(said.find(mapped), std::string::npos) << said;
    EXPECT_EQ(said.find("libbackdriver"), said.rfind("libbackdriver")) << said;
  }

  fs::path room =
      fs::canonical(testing::TempDir()) / ("torchada-homes-" + std::to_string(getpid()));
  fs::path root = room / "root", system = room / "system", stubs = root / "lib/stubs";
  std::string asked_root = root;
};

TEST_F(Homes, DriverLiesInTheSystem) {
  put_runtime();
  put_driver(kStub, stubs);
  put_driver(kSystem, system);
  expect_driver(kSystem, system, ask("driver", system));
}

TEST_F(Homes, TheRootCarriesADriver) {
  put_runtime();
  put_driver(kCarried, root / "lib");
  put_driver(kSystem, system);
  expect_driver(kCarried, root / "lib", ask("driver", system));
}

TEST_F(Homes, TheRuntimeNeedsItsOwnDriver) {
  put(PROBE_BACKEND_WITH_DRIVER, root / "lib/libback.so.2");
  put_driver(kNeeded, root / "lib/driver");  // The runtime's RUNPATH leads there.
  put_driver(kCarried, root / "lib");
  expect_driver(kNeeded, root / "lib/driver", ask("driver", ""));
}

TEST_F(Homes, OneInTheProcessWins) {
  put_runtime();
  put_driver(kCarried, root / "lib");
  put_driver(kSystem, system);
  const std::string present = system / "libbackdriver.so.1";
  expect_driver(kSystem, system, ask("driver", "", "PROBE_PRESENT=" + present));
}

TEST_F(Homes, TheRuntimesDriverWinsOverAnotherInTheProcess) {
  put(PROBE_BACKEND_WITH_DRIVER, root / "lib/libback.so.2");
  put_driver(kNeeded, root / "lib/driver");
  // Another file name, so the loader does not take it for the one that the runtime needs.
  put(PROBE_BACKEND, system / "libbackdriver.so.9");
  const std::string present = system / "libbackdriver.so.9";
  const std::string said = ask("driver", "", "PROBE_PRESENT=" + present);
  EXPECT_NE(said.find("answer 4\n"), std::string::npos) << said;
}

TEST_F(Homes, StubInTheLibraryPathIsPassedOver) {
  put_runtime();
  put_driver(kStub, stubs);
  put_driver(kSystem, system);
  expect_driver(kSystem, system, ask("driver", stubs.string() + ":" + system.string()));
}

TEST_F(Homes, LinkToAStubInTheLibraryPathIsPassedOver) {
  put_runtime();
  put_driver(kStub, stubs);
  put_driver(kSystem, system);
  fs::create_symlink(stubs, room / "links");
  expect_driver(kSystem, system, ask("driver", (room / "links").string() + ":" + system.string()));
}

TEST_F(Homes, NothingButAStub) {
  put_runtime();
  put_driver(kStub, stubs);
  const std::string said = ask("driver", stubs);
  EXPECT_NE(said.find("answer " + std::to_string(kProbeNoBackend) + "\n"), std::string::npos)
      << said;
  EXPECT_NE(said.find("cannot open libbackdriver.so.1: the first one in LD_LIBRARY_PATH, " +
                      stubs.string() +
                      "/libbackdriver.so.1, is a stub for linking; remove its directory from "
                      "LD_LIBRARY_PATH\n"),
            std::string::npos)
      << said;
  EXPECT_EQ(said.find("mapped " + stubs.string()), std::string::npos) << said;
}

// A library of the SDK that is a link to its stub is missing, like one that is not there.
TEST_F(Homes, StubOfTheSdkIsNotOpened) {
  put_runtime();
  put(PROBE_SIBLING, stubs / "x86_64/libbackblas.so.1");
  fs::create_symlink("stubs/x86_64/libbackblas.so.1", root / "lib/libbackblas.so.1");
  const std::string said = ask("sibling", stubs, "TORCHADA_LOG=debug");
  EXPECT_NE(said.find("answer " + std::to_string(kProbeNoBackend) + "\n"), std::string::npos)
      << said;
  EXPECT_NE(said.find("passed over " + root.string()), std::string::npos) << said;
  EXPECT_EQ(said.find("mapped " + stubs.string()), std::string::npos) << said;
}

TEST_F(Homes, StubOfTheRuntimeIsNotOpenedByName) {
  put(PROBE_BACKEND, stubs / "libback.so.2");
  put(PROBE_BACKEND, system / "libback.so.2");
  asked_root = "";
  const std::string said = ask("add", stubs.string() + ":" + system.string());
  EXPECT_NE(said.find("answer 3\n"), std::string::npos) << said;
  EXPECT_NE(said.find("mapped " + (system / "libback.so.2").string()), std::string::npos) << said;
  EXPECT_EQ(said.find("mapped " + stubs.string()), std::string::npos) << said;
}

// The user's own path may have a folder of that name.
TEST_F(Homes, RootBelowAFolderNamedStubs) {
  root = room / "stubs/root";
  asked_root = root;
  put_runtime();
  put_driver(kCarried, root / "lib");
  expect_driver(kCarried, root / "lib", ask("driver", ""));
}

// Prints what the call returned, then each file of the backend in the process.
int answer(const char* function) {
  if (const char* present = getenv("PROBE_PRESENT")) dlopen(present, RTLD_NOW | RTLD_LOCAL);
  int result = -1;
  if (strcmp(function, "driver") == 0) result = probe_driver();
  if (strcmp(function, "sibling") == 0) result = probe_sibling();
  if (strcmp(function, "add") == 0) result = probe_add(1, 2);
  printf("answer %d\n", result);
  std::ifstream maps("/proc/self/maps");
  std::string last;
  for (std::string line; std::getline(maps, line);) {
    const size_t at = line.find('/');
    if (at == std::string::npos || line.find("/libback") == std::string::npos) continue;
    if (line.substr(at) == last) continue;
    last = line.substr(at);
    printf("mapped %s\n", last.c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "--ask") == 0) return answer(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
