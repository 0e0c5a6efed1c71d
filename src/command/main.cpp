// torchada: the command that users meet.
#include <gflags/gflags.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "commands.h"

namespace GFLAGS_NAMESPACE {
extern void (*gflags_exitfunc)(int);  // Exported by the library, declared in none of its headers.
}

namespace torchada {
namespace {

constexpr char kUsageText[] =
    "usage: torchada COMMAND [--flag=value ...] [-- PROGRAM ...]\n"
    "\n"
    "  run -- PROGRAM ...   run an unmodified CUDA program on MUSA, or on the CPU stand-in where\n"
    "                       no MUSA is found (one line on stderr says so)\n"
    "      --abi=N            offer only CUDA 11, 12 or 13 (default: all, unversioned names are "
    "12)\n"
    "      --backend=WHICH    musa, host (the CPU stand-in), or auto (default)\n"
    "      --musa-root=DIR    the MUSA installation to use\n"
    "      --via=HOW          path: LD_LIBRARY_PATH alone; preload: also the CUDA runtime in\n"
    "                         LD_PRELOAD; audit: also LD_AUDIT, which leads every request for our\n"
    "                         names here, whatever DT_RPATH or folder it comes from; auto "
    "(default):\n"
    "                         path for a program that is linked with our names without DT_RPATH,\n"
    "                         audit for all others\n"
    "      -v                 say everything that is found and set\n"
    "\n"
    "      --version          print the version\n"
    "\n"
    "exit status of run: that of the program; 2 bad usage, 126 not executable, 127 not found\n";

// Words up to "--", or up to the first after the command's name that is no flag, are ours; the rest
// is the program's and is not looked into.
struct Words {
  std::vector<char*> own;
  std::vector<std::string> program;
};

bool takes_value(const std::string& flag) {
  return flag == "--abi" || flag == "--backend" || flag == "--musa-root" || flag == "--via";
}

// gflags knows flags by C++ names; people write --musa-root.
void dashes_to_underscores(const std::vector<char*>& words) {
  for (char* word : words) {
    if (std::strncmp(word, "--", 2) != 0) continue;
    for (char* c = word + 2; *c && *c != '='; ++c) {
      if (*c == '-') *c = '_';
    }
  }
}

Words split_words(int argc, char** argv) {
  Words out;
  int i = 0;
  for (bool named = false; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") {
      ++i;
      break;
    }
    const bool flag = word.size() > 1 && word[0] == '-';
    if (i > 0 && !flag) {
      if (named) break;
      named = true;
    }
    out.own.push_back(argv[i]);
    if (flag && takes_value(word) && i + 1 < argc) out.own.push_back(argv[++i]);
  }
  for (; i < argc; ++i) out.program.emplace_back(argv[i]);
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
  dashes_to_underscores(words.own);
  int own_count = static_cast<int>(words.own.size());
  char** own = words.own.data();
  // gflags ends the process itself on a flag it does not know.
  GFLAGS_NAMESPACE::gflags_exitfunc = [](int) { std::exit(kExitUsage); };
  gflags::ParseCommandLineFlags(&own_count, &own, true);
  const std::string command = own_count > 1 ? own[1] : "";
  if (command == "run") return run_command(words.program);
  std::fprintf(stderr, "%s%s",
               command.empty() ? "" : ("torchada: unknown command '" + command + "'\n").c_str(),
               kUsageText);
  return kExitUsage;
}
