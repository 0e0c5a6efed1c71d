// What was refused in this process, printed at exit.
#include <pthread.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "src/companion/file_contents.h"
#include "src/companion/log_file.h"
#include "src/companion/output.h"
#include "src/companion/write_all.h"
#include "src/shared/companion_interface.h"
#include "src/shared/printable_string.h"

namespace torchada {
namespace {

struct Summary {
  std::mutex mutex;
  bool wanted = false;
  std::map<std::string, std::map<std::string, std::uint64_t>> calls;  // By library and row.
  std::uint64_t kernels[3] = {};                                      // By KernelOutcome.
  std::int64_t milliseconds = 0;  // Spent on those that were made.
};

// Never destroyed: threads may call while the process exits.
Summary& state() {
  static auto* const out = new Summary;
  return *out;
}

// A child of fork() has its own summary, and prints it only if something is refused there.
void before_fork() { state().mutex.lock(); }
void in_parent() { state().mutex.unlock(); }
void in_child() {
  state().calls.clear();
  std::fill(std::begin(state().kernels), std::end(state().kernels), 0);
  state().milliseconds = 0;
  state().wanted = false;
  state().mutex.unlock();
}

void watch_forks() {
  static const int status = pthread_atfork(before_fork, in_parent, in_child);
  static_cast<void>(status);
}

// The command line, cut short. The program's name alone says little if it is an interpreter.
std::string program() {
  constexpr std::size_t kMost = 80;
  std::string out = file_contents("/proc/self/cmdline");
  while (!out.empty() && out.back() == '\0') out.pop_back();
  std::replace(out.begin(), out.end(), '\0', ' ');
  out = printable(out);
  if (out.size() > kMost) out.replace(kMost, std::string::npos, "...");
  return out.empty() ? "unknown program" : out;
}

std::vector<std::string> lines_of_refusals(const Summary& summary) {
  std::size_t rows = 0;
  std::uint64_t total = 0;
  for (const auto& [library, calls] : summary.calls) {
    rows += calls.size();
    for (const auto& [row, count] : calls) total += count;
  }
  const std::string who = fmt::format("summary of process {} ({}): ", getpid(), program());
  if (total == 0) return {who + "no call was refused"};
  std::vector<std::string> out = {fmt::format("{}{} call{} refused for {} reason{}", who, total,
                                              total == 1 ? "" : "s", rows, rows == 1 ? "" : "s")};
  for (const auto& [library, calls] : summary.calls) {
    out.push_back("  " + library);
    std::vector<std::pair<std::string, std::uint64_t>> sorted(calls.begin(), calls.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [row, count] : sorted) out.push_back(fmt::format("{:>12}  {}", count, row));
  }
  return out;
}

std::vector<std::string> lines_of(const Summary& summary) {
  std::vector<std::string> out = lines_of_refusals(summary);
  const auto [made, kept, failed] = summary.kernels;
  if (made + kept + failed != 0) {
    out.push_back(fmt::format("kernels: {} made in {:.1f} s, {} kept, {} failed", made,
                              static_cast<double>(summary.milliseconds) / 1000, kept, failed));
  }
  return out;
}

void print(const std::vector<std::string>& lines) {
  bool in_file = has_log_file();
  std::string block;
  for (const std::string& line : lines) {
    in_file = in_file && log_to_file(LogLevel::kInfo, "torchada", line);
    block += "torchada: " + line + "\n";
  }
  if (!in_file) write_all(STDERR_FILENO, block);
}

// Runs after the atexit() handlers, in which programs may still call.
__attribute__((destructor)) void say_summary() try {
  const std::lock_guard<std::mutex> hold(state().mutex);
  if (state().wanted) print(lines_of(state()));
} catch (...) {
  write_all(STDERR_FILENO, "torchada: out of memory: no summary of refused calls\n");
}

}  // namespace
}  // namespace torchada

extern "C" void torchada_companion_summarize() try {
  torchada::watch_forks();
  const std::lock_guard<std::mutex> hold(torchada::state().mutex);
  torchada::state().wanted = true;
} catch (...) {
  // No memory. Nothing is counted then.
}

extern "C" void torchada_companion_refused(const char* library, const char* text) try {
  torchada::watch_forks();
  const std::lock_guard<std::mutex> hold(torchada::state().mutex);
  torchada::state().wanted = true;
  ++torchada::state().calls[library][text];
} catch (...) {
  // The call itself goes on as it would without a summary.
}

extern "C" void torchada_companion_count_kernel(int32_t outcome, int64_t milliseconds) try {
  torchada::watch_forks();
  const std::lock_guard<std::mutex> hold(torchada::state().mutex);
  torchada::Summary& summary = torchada::state();
  summary.wanted = true;
  ++summary.kernels[outcome];
  if (outcome == static_cast<int32_t>(torchada::KernelOutcome::kMade)) {
    summary.milliseconds += milliseconds;
  }
} catch (...) {
  // The kernel itself is there.
}
