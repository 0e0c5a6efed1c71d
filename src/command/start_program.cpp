#include "src/command/start_program.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "generated/own_libraries.h"
#include "src/command/common_options.h"
#include "src/command/help.h"
#include "src/command/installation.h"
#include "src/command/messages.h"
#include "src/shared/split.h"
#include "src/shared/word_pointers.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

void apply(const StartOptions& options, const EnvironmentVariable& variable) {
  const char* name = variable.name.c_str();
  if (variable.value) {
    if (options.verbose) log_info("{}={}", name, *variable.value);
    setenv(name, variable.value->c_str(), 1);
  } else if (std::getenv(name)) {
    if (options.verbose) log_info("{} is unset", name);
    unsetenv(name);
  }
}

bool wants_summary(const std::vector<EnvironmentVariable>& more) {
  const char* value = std::getenv("TORCHADA_SUMMARY");
  if (value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0) return true;
  return std::any_of(more.begin(), more.end(), [](const EnvironmentVariable& variable) {
    return variable.name == "TORCHADA_SUMMARY";
  });
}

Choice chosen_via(const StartOptions& options, const Program& program, bool summary) {
  const Wishes wishes{summary, !options.offer.abi.empty(), !options.offer.only.empty(),
                      !options.offer.has("cudart")};
  if (options.via == "auto") return choose_via(program, wishes);
  const std::string reason = "--via=" + options.via;
  if (options.via == "path") return {Via::kPath, reason};
  return {options.via == "preload" ? Via::kPreload : Via::kAudit, reason};
}

void say_program(const StartOptions& options, const Program& program, const Choice& choice) {
  if (!options.verbose || program.path.empty()) return;
  log_info("program: {}", program.path);
  if (!program.interpreter.empty()) log_info("interpreter: {}", program.interpreter);
  for (const std::string& name : program.needed) log_info("needs {}", name);
  if (!program.dynamic) {
    log_info("it is linked statically: only programs that it starts can use torchada's libraries");
  }
  constexpr const char* kNames[] = {"path", "preload", "audit"};
  log_info("via {}: {}", kNames[static_cast<int>(choice.via)], choice.reason);
}

// Returns whether the program was found.
bool offer_libraries(const StartOptions& options, const fs::path& root, const std::string& word,
                     bool summary) {
  const Program program = examine_program(word, root / "lib");
  const Choice choice = chosen_via(options, program, summary);
  say_program(options, program, choice);
  for (const EnvironmentVariable& variable :
       loader_variables(root, options.offer, choice.via, program)) {
    apply(options, variable);
  }
  return !program.path.empty();
}

void use_backend(const StartOptions& options, const fs::path& root, const Invocation& invocation) {
  const BackendChoice choice = choose_backend(options.backend, invocation);
  switch (choice.backend) {
    case Backend::kMusa:
      break;
    case Backend::kStandIn:
      if (const std::string gpu = choice.asked ? "" : nvidia_gpu(); !gpu.empty()) {
        log_warning(
            "this machine has an NVIDIA GPU ({}), and torchada does not use it: it is for Moore "
            "Threads GPUs. To use the NVIDIA GPU, start the program without torchada",
            gpu);
      }
      if (!choice.asked && !choice.root.empty()) {
        log_info("no MUSA found; using the CPU stand-in in {}", choice.root);
      }
      break;
    case Backend::kNone:
      if (choice.asked) {
        throw UsageError(
            "no MUSA found; name its directory with --musa-root, or use --backend=host");
      }
      log_warning(
          "no MUSA found, and no CPU stand-in in {}; CUDA calls will return the error for a "
          "missing driver",
          (root / "host" / "current").string());
      return;
  }
  if (options.verbose) log_info("MUSA: {}", choice.musart);
  if (!choice.root.empty()) apply(options, {"TORCHADA_MUSA_PATH", choice.root});
}

// "libnvidia-ml.so" for "nvml".
std::string file_of(const std::string& library) {
  for (const OwnLibrary& item : kOwnLibraries) {
    if (item.name == library) return item.stem + std::string(".so");
  }
  return library;
}

}  // namespace

int start_program(const StartOptions& options, const Invocation& invocation,
                  const std::vector<EnvironmentVariable>& more,
                  const std::function<void()>& before) {
  const std::vector<std::string>& words = invocation.program;
  const fs::path root = installation_root();
  bool is_there = false;
  try {
    // The search for MUSA comes first: it asks the loader, and must not see the variables set for
    // the program.
    use_backend(options, root, invocation);
    is_there = offer_libraries(options, root, words[0], wants_summary(more));
    if (const auto devices = devices_of_container()) apply(options, *devices);
    for (const EnvironmentVariable& variable : more) apply(options, variable);
  } catch (const std::runtime_error& error) {
    log_error("{}", error.what());
    return kExitUsage;
  }
  if (is_there && before) before();
  const std::vector<char*> arguments = word_pointers(words);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  log_error("cannot run {}: {}", words[0], std::strerror(error));
  return error == ENOENT ? kExitNotFound : kExitNotExecutable;
}

std::vector<Option> start_options(StartOptions* storage) {
  std::vector<Option> out = backend_options(&storage->backend);
  out.insert(out.begin(), abi_option(&storage->offer.abi,
                                     "offer only the libraries of this CUDA major version; without "
                                     "it, all are offered and unversioned names mean CUDA 12"));
  out.insert(out.begin() + 1,
             Option{"only", Kind::kChoices, "LIBRARY[,...]",
                    "offer only the libraries that are named (" +
                        listed(split(TORCHADA_LIBRARY_NAMES, ",")) +
                        ") and those that they need, without which they do not load",
                    &storage->offer.only, split(TORCHADA_LIBRARY_NAMES, ",")});
  for (auto& [library, is_requested] : storage->offer.requested) {
    out.push_back({library, Kind::kSwitch, "",
                   "also offer " + file_of(library) +
                       ", by which programs decide whose devices a machine has; " +
                       variable_that_requests(library) + "=1 does the same",
                   &is_requested});
  }
  out.push_back(
      {"via",
       Kind::kChoice,
       "",
       "how the program finds the libraries; auto: path if the program is linked with "
       "libraries that torchada replaces and has no DT_RPATH, and neither --abi, --only nor a "
       "summary is asked for; otherwise audit",
       &storage->via,
       {"auto", "path", "preload", "audit"}});
  out.push_back({"verbose",
                 Kind::kSwitch,
                 "",
                 "print everything that is found and set",
                 &storage->verbose,
                 {},
                 'v'});
  return out;
}

}  // namespace torchada
