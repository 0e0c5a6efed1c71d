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
#include "run_environment.h"

DEFINE_string(abi, "", "run: offer only this CUDA major: 11, 12 or 13");
DEFINE_string(backend, "auto",
              "run: musa, host (the CPU stand-in), or auto: musa where there is one");
DEFINE_string(musa_root, "", "run: the MUSA installation to use");
DEFINE_string(via, "auto", "run: path, preload, audit, or auto: what the program needs");
DEFINE_bool(v, false, "run: say everything that is set");

namespace torchada {
namespace {

namespace fs = std::filesystem;

// Bad usage, or an installation that is not fit for what is asked.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool given(const char* flag) { return !gflags::GetCommandLineFlagInfoOrDie(flag).is_default; }

void apply(const Variable& variable) {
  const char* name = variable.name.c_str();
  if (variable.value) {
    if (FLAGS_v) spdlog::info("{}={}", name, *variable.value);
    setenv(name, variable.value->c_str(), 1);
  } else if (std::getenv(name)) {
    if (FLAGS_v) spdlog::info("{} is unset", name);
    unsetenv(name);
  }
}

Choice chosen_via(const Program& program) {
  if (FLAGS_via == "auto") return choose_via(program);
  const std::string reason = "--via=" + FLAGS_via;
  if (FLAGS_via == "path") return {Via::kPath, reason};
  if (FLAGS_via == "preload") return {Via::kPreload, reason};
  if (FLAGS_via == "audit") return {Via::kAudit, reason};
  throw UsageError("--via is path, preload, audit or auto, not '" + FLAGS_via + "'");
}

void say_program(const Program& program, const Choice& choice) {
  if (!FLAGS_v || program.path.empty()) return;
  spdlog::info("program: {}", program.path);
  if (!program.interpreter.empty()) spdlog::info("interpreter: {}", program.interpreter);
  for (const std::string& name : program.needed) spdlog::info("needs {}", name);
  if (!program.dynamic) {
    spdlog::info("it has no dynamic loader: only programs that it starts find our libraries");
  }
  constexpr const char* kNames[] = {"path", "preload", "audit"};
  spdlog::info("via {}: {}", kNames[static_cast<int>(choice.via)], choice.reason);
}

void offer_libraries(const fs::path& root, const std::string& word) {
  if (FLAGS_abi.find_first_not_of("0123456789") != std::string::npos) {
    throw UsageError("--abi is 11, 12 or 13, not '" + FLAGS_abi + "'");
  }
  const Program program = examine_program(word, root / "lib");
  const Choice choice = chosen_via(program);
  say_program(program, choice);
  for (const Variable& variable : loader_variables(root, FLAGS_abi, choice.via, program)) {
    apply(variable);
  }
}

void use_given_musa() {
  if (FLAGS_backend == "host")
    throw UsageError("--musa-root and --backend=host exclude each other");
  // The program, or one that it starts, may go to another folder.
  const std::string root = FLAGS_musa_root.empty() ? "" : fs::absolute(FLAGS_musa_root).string();
  const std::string musa = root.empty() ? "" : find_musa_in(root);
  if (musa.empty()) {
    throw UsageError("--musa-root: no libmusart below '" + FLAGS_musa_root + "'");
  }
  if (FLAGS_v) spdlog::info("MUSA: {}", musa);
  apply({"TORCHADA_MUSA_PATH", root});
}

void use_stand_in(const fs::path& root) {
  const fs::path host = root / "host" / "current";
  const bool asked = FLAGS_backend == "host";
  if (!fs::is_directory(host)) {
    if (asked) throw UsageError("no CPU stand-in below " + host.string());
    spdlog::warn("no MUSA found, and no CPU stand-in below {}; calls will report no driver",
                 host.string());
    return;
  }
  if (!asked) spdlog::info("no MUSA found; using the CPU stand-in in {}", host.string());
  apply({"TORCHADA_MUSA_PATH", host.string()});
}

void choose_backend(const fs::path& root) {
  if (FLAGS_backend != "host" && FLAGS_backend != "auto" && FLAGS_backend != "musa") {
    throw UsageError("--backend is musa, host or auto, not '" + FLAGS_backend + "'");
  }
  if (given("musa_root")) return use_given_musa();
  if (FLAGS_backend == "host") return use_stand_in(root);
  const std::string musa = find_musa();
  if (!musa.empty()) {
    if (FLAGS_v) spdlog::info("MUSA: {}", musa);
    return;
  }
  if (FLAGS_backend == "musa") {
    throw UsageError("no MUSA found; give its folder with --musa-root, or try --backend=host");
  }
  use_stand_in(root);
}

}  // namespace

int run_command(std::vector<std::string> words) {
  if (words.empty()) {
    spdlog::error(
        "run: no command; usage: torchada run [--abi=N] [--backend=WHICH] -- COMMAND ...");
    return kExitUsage;
  }
  const fs::path root = installation_root();
  try {
    // First the search for MUSA, which asks the loader: what is set for the program is none of its
    // business.
    choose_backend(root);
    offer_libraries(root, words[0]);
  } catch (const std::runtime_error& error) {
    spdlog::error("{}", error.what());
    return kExitUsage;
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  spdlog::error("cannot run {}: {}", words[0], std::strerror(error));
  return error == ENOENT ? kExitNotFound : kExitNotExecutable;
}

}  // namespace torchada
