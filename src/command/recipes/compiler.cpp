#include "src/command/recipes/compiler.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>

#include "src/command/installation.h"
#include "src/command/recipes/child.h"
#include "src/host/shared/compile_cache.h"

namespace torchada::recipes {
namespace {

constexpr int kHasNone = 4;  // the source has no kernel or variable of that name

// The line with the first error, else the first line.
std::string first_error(const std::string& source, const std::string& messages) {
  std::istringstream lines(messages);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error: ") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first.empty() ? source + ": error: the compiler ended without a message" : first;
}

void read_report(const std::string& file, Outcome* outcome) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("file ")) outcome->files.push_back(line.substr(5));
    if (line == "whole") outcome->is_whole = true;
  }
}

}  // namespace

Compiler::Compiler(const std::string& arch, const std::vector<std::string>& flags,
                   const std::string& cache)
    : folder_(installation_root() + "/host/kernels"), arch_(arch), flags_(flags), cache_(cache) {
  if (access((folder_ + "/torchada-kernels").c_str(), X_OK) != 0) {
    missing_ =
        "this installation has no compiler of device code (torchada-host of a system that has "
        "clang-19)";
  } else if (const std::string clang = host::clang_words().front(); !is_program(clang)) {
    missing_ = clang + " is not installed";
  }
}

std::vector<std::string> Compiler::words_for(const Order& order) const {
  std::vector<std::string> out = {folder_ + "/torchada-kernels",
                                  "--headers=" + folder_ + "/include",
                                  "--output=" + order.output,
                                  "--report=" + order.output + ".report",
                                  "--arch=" + arch_,
                                  "--jobs=1",
                                  "--cache=" + cache_,
                                  "--parent=" + std::to_string(getpid())};
  if (order.front_end_only) out.emplace_back("--front-end-only");
  if (!order.kernels.empty() || !order.variables.empty()) out.emplace_back("--whole-if-variables");
  for (const std::string& name : order.kernels) out.push_back("--kernel=" + name);
  for (const std::string& name : order.variables) out.push_back("--variable=" + name);
  out.insert(out.end(), flags_.begin(), flags_.end());
  out.insert(out.end(), {"--", order.source});
  return out;
}

Outcome Compiler::run(const Order& order, std::atomic<int>* child) const {
  const auto begin = std::chrono::steady_clock::now();
  const ChildEnd end = run_child(words_for(order), child);
  Outcome out;
  out.messages = end.messages;
  const std::string report = order.output + ".report";
  read_report(report, &out);
  unlink(report.c_str());
  if (end.status != -1 && WIFEXITED(end.status)) {
    const int status = WEXITSTATUS(end.status);
    out.kind = status == 0          ? Outcome::kMade
               : status == kHasNone ? Outcome::kHasNone
                                    : Outcome::kFailed;
  }
  if (end.status != -1 && WIFSIGNALED(end.status)) {
    out.error = order.source + ": error: compiling it ended with signal " +
                std::to_string(WTERMSIG(end.status)) + " (" + strsignal(WTERMSIG(end.status)) + ")";
  } else if (out.kind == Outcome::kFailed) {
    out.error = first_error(order.source, end.messages);
  }
  if (out.kind != Outcome::kMade) unlink(order.output.c_str());
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

}  // namespace torchada::recipes
