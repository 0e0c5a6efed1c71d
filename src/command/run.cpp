// torchada run -- COMMAND: the environment in which a program finds our libraries.
#include <gflags/gflags.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "commands.h"
#include "installation.h"

DEFINE_string(abi, "", "run: offer only this CUDA major: 11, 12 or 13");
DEFINE_string(backend, "auto",
              "run: musa, host (the CPU stand-in), or auto: musa where there is one");
DEFINE_bool(v, false, "run: say everything that is set");

namespace torchada {
namespace {

namespace fs = std::filesystem;

void set_variable(const std::string& name, const std::string& value) {
  if (FLAGS_v) spdlog::info("{}={}", name, value);
  setenv(name.c_str(), value.c_str(), 1);
}

bool choose_libraries(const fs::path& root) {
  fs::path folder = root / "lib";
  if (!FLAGS_abi.empty()) folder /= "cu" + FLAGS_abi;
  if (!fs::is_directory(folder)) {
    spdlog::error(
        "{} does not exist: {}", folder.string(),
        FLAGS_abi.empty() ? "torchada is not installed completely" : "--abi is 11, 12 or 13");
    return false;
  }
  const char* present = std::getenv("LD_LIBRARY_PATH");
  // An empty element would mean the current folder.
  set_variable("LD_LIBRARY_PATH",
               present && *present ? folder.string() + ":" + present : folder.string());
  return true;
}

bool choose_backend(const fs::path& root) {
  const bool host_asked = FLAGS_backend == "host";
  if (!host_asked && FLAGS_backend != "auto" && FLAGS_backend != "musa") {
    spdlog::error("--backend is musa, host or auto, not '{}'", FLAGS_backend);
    return false;
  }
  if (!host_asked) {
    const std::string musa = find_musa();
    if (!musa.empty()) {
      if (FLAGS_v) spdlog::info("MUSA: {}", musa);
      return true;
    }
    if (FLAGS_backend == "musa") {
      spdlog::error("no MUSA found; set MUSA_HOME to its folder, or try --backend=host");
      return false;
    }
  }
  const fs::path host = root / "host" / "current";
  if (!fs::is_directory(host)) {
    spdlog::warn("no MUSA found, and no CPU stand-in below {}; calls will report no driver",
                 host.string());
    return !host_asked;
  }
  if (!host_asked) spdlog::info("no MUSA found; using the CPU stand-in in {}", host.string());
  set_variable("TORCHADA_MUSA_PATH", host);
  return true;
}

}  // namespace

int run_command(std::vector<std::string> words) {
  if (words.empty()) {
    spdlog::error(
        "run: no command; usage: torchada run [--abi=N] [--backend=WHICH] -- COMMAND ...");
    return kExitUsage;
  }
  const fs::path root = installation_root();
  if (!choose_libraries(root) || !choose_backend(root)) return kExitUsage;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  spdlog::error("cannot run {}: {}", words[0], std::strerror(error));
  return error == ENOENT ? kExitNotFound : kExitNotExecutable;
}

}  // namespace torchada
