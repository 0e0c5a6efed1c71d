#include <algorithm>
#include <atomic>
#include <iterator>
#include <thread>
#include <utility>

#include "src/command/check/check.h"
#include "src/command/check/inputs.h"
#include "src/command/check/progress.h"

namespace torchada::check {
namespace {

Report report_on(const SkippedFolder& folder) {
  Report out;
  out.path = folder.path;
  out.kind = "folder";
  if (folder.unreadable) {
    out.verdict = Verdict::kUnreadable;
    out.reasons = {folder.reason};
  } else {
    out.unexamined = {folder.reason};
  }
  return out;
}

}  // namespace

Result examine_paths(const std::vector<std::string>& paths, const Standings& standings,
                     const Options& options, std::size_t jobs) {
  std::vector<SkippedFolder> skipped;
  const std::vector<Input> inputs = collect_inputs(paths, skipped);
  std::vector<std::vector<Report>> found(inputs.size());
  Progress progress(inputs.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t at = next++; at < inputs.size(); at = next++) {
      found[at] = examine_file(inputs[at].path, inputs[at].named, standings, options);
      progress.step();
    }
  };
  std::vector<std::thread> others;
  for (std::size_t job = 1; job < std::min(jobs, inputs.size()); ++job) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();

  Result out;
  for (const SkippedFolder& folder : skipped) out.reports.push_back(report_on(folder));
  for (std::vector<Report>& reports : found) {
    std::move(reports.begin(), reports.end(), std::back_inserter(out.reports));
  }
  for (const Input& input : inputs) out.files.push_back(input.path);
  return out;
}

}  // namespace torchada::check
