// torchada: the command that users meet.
#include <gflags/gflags.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>

#include "commands.h"

namespace torchada {
namespace {

constexpr char kUsageText[] =
    "usage: torchada COMMAND [--flag=value ...] [-- PROGRAM ...]\n"
    "\n"
    "  run -- PROGRAM ...   run an unmodified CUDA program on MUSA, or on the CPU stand-in where\n"
    "                       no MUSA is found (one line on stderr says so)\n"
    "      --abi=N            offer only CUDA 11, 12 or 13 (default: all, unversioned names are "
    "12)\n"
    "      --backend=WHICH    musa, host, or auto (default)\n"
    "      -v                 say everything that is set\n"
    "\n"
    "      --version          print the version\n"
    "\n"
    "exit status of run: that of the program; 2 bad usage, 126 not executable, 127 not found\n";

// Words up to "--" are ours, the rest is the program's and is not looked into.
struct Words {
  std::vector<char*> own;
  std::vector<std::string> program;
};

Words split_words(int argc, char** argv) {
  Words out;
  int i = 0;
  for (; i < argc && std::string(argv[i]) != "--"; ++i) out.own.push_back(argv[i]);
  for (++i; i < argc; ++i) out.program.emplace_back(argv[i]);
  return out;
}

}  // namespace
}  // namespace torchada

int main(int argc, char** argv) {
  using namespace torchada;
  spdlog::set_default_logger(spdlog::stderr_color_st("torchada"));
  spdlog::set_pattern("%n: %v");
  Words words = split_words(argc, argv);
  for (const char* word : words.own) {
    const std::string text = word;
    if (text == "--help" || text == "-h" || text == "help") {
      std::fputs(kUsageText, stdout);
      return kExitOk;
    }
    if (text == "--version") {
      std::puts("torchada " TORCHADA_VERSION);
      return kExitOk;
    }
  }
  int own_count = static_cast<int>(words.own.size());
  char** own = words.own.data();
  gflags::ParseCommandLineFlags(&own_count, &own, true);
  const std::string command = own_count > 1 ? own[1] : "";
  if (command == "run") {
    // Without "--" what follows the command's name is the program.
    for (int i = own_count - 1; i >= 2; --i) words.program.insert(words.program.begin(), own[i]);
    return run_command(words.program);
  }
  std::fprintf(stderr, "%s%s",
               command.empty() ? "" : ("torchada: unknown command '" + command + "'\n").c_str(),
               kUsageText);
  return kExitUsage;
}
