// torchada check
#include "command.h"

#include <dirent.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "check.h"
#include "common_options.h"
#include "inputs.h"
#include "installation.h"
#include "output.h"
#include "progress.h"

namespace torchada {
namespace {

// In addition to the shared statuses: the files were examined and cannot run.
constexpr int kExitCannot = 4;
// The major that an unversioned library name means in an installation.
constexpr const char* kDefaultAbi = "12";
constexpr int kMostJobs = 256;

struct {
  std::string format, abi;
  check::Options check;
  check::Shown shown;
  int jobs = 0;
} options;

check::Report unlistable(const std::string& folder) {
  check::Report out;
  out.path = folder;
  out.kind = "folder";
  out.verdict = check::Verdict::kUnreadable;
  errno = 0;
  DIR* handle = opendir(folder.c_str());
  out.reasons = {handle == nullptr ? std::strerror(errno) : "cannot be listed"};
  if (handle != nullptr) closedir(handle);
  return out;
}

check::Result examine(const std::vector<std::string>& paths, const check::Standings& standings) {
  std::vector<check::Input> folders;
  const std::vector<check::Input> inputs = check::collect_inputs(paths, folders);
  std::vector<std::vector<check::Report>> found(inputs.size());
  check::Progress progress(inputs.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t at = next++; at < inputs.size(); at = next++) {
      found[at] = check::examine_file(inputs[at].path, inputs[at].named, standings, options.check);
      progress.step();
    }
  };
  std::vector<std::thread> others;
  const auto jobs = std::min(static_cast<std::size_t>(options.jobs), inputs.size());
  for (std::size_t job = 1; job < jobs; ++job) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();

  check::Result out;
  out.files = inputs.size();
  for (const check::Input& folder : folders) out.reports.push_back(unlistable(folder.path));
  for (std::vector<check::Report>& reports : found) {
    std::move(reports.begin(), reports.end(), std::back_inserter(out.reports));
  }
  return out;
}

int status_of(const check::Result& result) {
  if (result.whole() == check::Verdict::kCannot) return kExitCannot;
  if (result.whole() == check::Verdict::kUnreadable) return kExitFailed;
  return result.whole() <= check::Verdict::kRuns ? kExitOk : kExitNo;
}

int run_check(const Invocation& invocation) {
  if (invocation.words.empty()) throw UsageError("nothing to check: give a file or a folder");
  if (invocation.given.count("jobs") == 0) {
    options.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  if (options.jobs < 1 || options.jobs > kMostJobs) {
    throw UsageError("--jobs is from 1 to " + std::to_string(kMostJobs));
  }
  options.check.abi = std::stoi(options.abi);
  const tables::Tables tables = tables::read(installation_root());
  const check::Standings standings(tables);
  const check::Result result = examine(invocation.words, standings);
  std::string text;
  if (options.format == "json") {
    text = write_json(result, options.shown)
               .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
           "\n";
  } else {
    text = write_text(result, options.shown);
  }
  return write_output(text, status_of(result));
}

Option abi() {
  Option out = abi_option(&options.abi, "the CUDA major where nothing else tells it");
  options.abi = kDefaultAbi;
  return out;
}

}  // namespace

const Command& check_command() {
  static const Command command = {
      "check",
      "whether a program, a library or a package will run",
      "PATH ...",
      Words::kSome,
      Kind::kFile,
      {"Reads programs and libraries, folders with everything below them (so installed Python "
       "packages), wheels and other archives (zip, ar, tar, .deb), and sources (C, C++, CUDA, "
       "Python), without running any of it. Of each file that needs CUDA it tells the libraries "
       "and symbols and how these stand in torchada, device code and its architectures, and a "
       "verdict.",
       "Of a source every name is counted that torchada's libraries have, outside comments, with "
       "its lines. What a program looks up at run time under a name that it puts together is not "
       "seen."},
      {format_option(&options.format, {"text", "json"}),
       {"all", Kind::kSwitch, "", "list also files that have nothing of CUDA", &options.shown.all},
       {"symbols", Kind::kSwitch, "", "list also symbols that are supported",
        &options.shown.symbols},
       {"kernels", Kind::kSwitch, "", "name the kernels", &options.check.kernels},
       abi(),
       {"jobs",
        Kind::kNumber,
        "N",
        "files examined at a time, by default one for each processor",
        &options.jobs,
        {},
        'j'}},
      {{kExitOk, "all of it runs, or has nothing of CUDA"},
       {kExitNo,
        "it runs in part: with symbols that are only assumed, functions that are not "
        "supported, or until it launches its own kernels"},
       {kExitUsage, "bad usage"},
       {kExitFailed,
        "a file could not be examined and no other cannot run, the installation is "
        "damaged, or the output could not be written"},
       {kExitCannot, "some of it cannot run"}},
      {{"check ./program", "what it needs, and a verdict"},
       {"check --kernels torch-2.9.0-cp311-cp311-linux_x86_64.whl", "a wheel, with its kernels"},
       {"check --format=json src", "the sources below a folder, for programs"}},
      run_check};
  return command;
}

}  // namespace torchada
