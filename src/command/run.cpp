// torchada run -- COMMAND: the environment in which a program finds our libraries.
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "backend_choice.h"
#include "command.h"
#include "common_options.h"
#include "installation.h"
#include "requests.h"
#include "run_environment.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string abi;
  std::string via = "auto";
  bool verbose = false;
  BackendOptions backend;
};
Options options;
Requests requests;

void apply(const Variable& variable) {
  const char* name = variable.name.c_str();
  if (variable.value) {
    if (options.verbose) spdlog::info("{}={}", name, *variable.value);
    setenv(name, variable.value->c_str(), 1);
  } else if (std::getenv(name)) {
    if (options.verbose) spdlog::info("{} is unset", name);
    unsetenv(name);
  }
}

Choice chosen_via(const Program& program) {
  if (options.via == "auto") return choose_via(program);
  const std::string reason = "--via=" + options.via;
  if (options.via == "path") return {Via::kPath, reason};
  return {options.via == "preload" ? Via::kPreload : Via::kAudit, reason};
}

void say_program(const Program& program, const Choice& choice) {
  if (!options.verbose || program.path.empty()) return;
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
  const Program program = examine_program(word, root / "lib");
  const Choice choice = chosen_via(program);
  say_program(program, choice);
  for (const Variable& variable : loader_variables(root, options.abi, choice.via, program)) {
    apply(variable);
  }
}

void use_backend(const fs::path& root, const Invocation& invocation) {
  const BackendChoice choice = choose_backend(options.backend, invocation);
  switch (choice.backend) {
    case Backend::kMusa:
      break;
    case Backend::kStandIn:
      if (!choice.asked && !choice.root.empty()) {
        spdlog::info("no MUSA found; using the CPU stand-in in {}", choice.root);
      }
      break;
    case Backend::kNone:
      if (choice.asked) {
        throw UsageError("no MUSA found; give its folder with --musa-root, or try --backend=host");
      }
      spdlog::warn("no MUSA found, and no CPU stand-in below {}; calls will report no driver",
                   (root / "host" / "current").string());
      return;
  }
  if (options.verbose) spdlog::info("MUSA: {}", choice.musart);
  if (!choice.root.empty()) apply({"TORCHADA_MUSA_PATH", choice.root});
}

int run_program(const Invocation& invocation) {
  std::vector<std::string> words = invocation.program;
  if (words.empty()) {
    throw UsageError("run: no command; usage: torchada run [--abi=N] [--backend=WHICH] -- COMMAND");
  }
  const fs::path root = installation_root();
  try {
    // First the search for MUSA, which asks the loader: what is set for the program is none of its
    // business.
    use_backend(root, invocation);
    offer_libraries(root, words[0]);
    for (const Variable& variable : requested_variables(requests)) apply(variable);
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

std::vector<Option> run_options() {
  std::vector<Option> out = backend_options(&options.backend);
  out.insert(out.begin(), abi_option(&options.abi,
                                     "offer only this CUDA major; unversioned names "
                                     "are CUDA 12 otherwise"));
  out.push_back({"via",
                 Kind::kChoice,
                 "",
                 "how the program finds the libraries; auto: path for a program that is linked "
                 "with our names without DT_RPATH, audit for all others",
                 &options.via,
                 {"auto", "path", "preload", "audit"}});
  for (const Option& option : request_options(&requests)) out.push_back(option);
  out.push_back({"verbose",
                 Kind::kSwitch,
                 "",
                 "say everything that is found and set",
                 &options.verbose,
                 {},
                 'v'});
  return out;
}

}  // namespace

const Command& run_command() {
  static const Command command = {
      "run",
      "run an unmodified CUDA program on MUSA, or on the CPU stand-in",
      "[--] PROGRAM [ARGUMENT...]",
      Words::kProgram,
      Kind::kFile,
      {"Runs an unmodified CUDA program on MUSA, or on the CPU stand-in where no MUSA is found; "
       "one "
       "line on stderr says so.",
       "path sets LD_LIBRARY_PATH alone. preload also puts the CUDA runtime into LD_PRELOAD. audit "
       "also sets LD_AUDIT, which leads every request for our names here, whatever DT_RPATH or "
       "folder it comes from.",
       "Words from PROGRAM on are the program's."},
      run_options(),
      {{2, "bad usage, or the installation is not fit for what is asked"},
       {126, "the program cannot be executed"},
       {127, "the program was not found"},
       {0, "and all others: the program's"}},
      {{"run -- python3 my_cuda_script.py", "any program, whatever path it loads CUDA from"},
       {"run --abi=13 -- ./my_cuda_program", "offers only the CUDA 13 libraries"}},
      run_program};
  return command;
}

}  // namespace torchada
