// torchada check
#include "src/command/command.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "src/command/check/check.h"
#include "src/command/check/follow_loads.h"
#include "src/command/common_options.h"
#include "src/command/installation.h"
#include "src/command/output.h"
#include "src/shared/processor_count.h"

namespace torchada {
namespace {

// The major that an unversioned library name means in an installation.
constexpr const char* kDefaultAbi = "12";
constexpr int kMostJobs = 256;

struct {
  std::string format, abi, kernels;
  check::Options check;
  check::Shown shown;
  int jobs = 0;
} options;

// What the paths have and load, with verdicts.
check::Result judged(const std::vector<std::string>& paths, const check::Standings& standings) {
  check::Result out =
      check::examine_paths(paths, standings, options.check, static_cast<std::size_t>(options.jobs));
  check::LoadFollower follower(out.files, standings, options.check);
  follower.add_members(out.reports);
  for (check::Report& report : out.reports) {
    follower.follow(report);
    judge(report);
  }
  // What stops the program comes first.
  std::stable_sort(
      out.reports.begin(), out.reports.end(),
      [](const check::Report& a, const check::Report& b) { return a.verdict > b.verdict; });
  return out;
}

int status_of(const check::Result& result) {
  if (result.whole() == check::Verdict::kCannot) return kExitCannot;
  if (result.whole() == check::Verdict::kUnreadable) return kExitFailed;
  return result.whole() <= check::Verdict::kRuns ? kExitOk : kExitNo;
}

int run_check(const Invocation& invocation) {
  if (invocation.words.empty()) throw UsageError("nothing to check: name a file or a directory");
  if (invocation.given.count("jobs") == 0) {
    options.jobs = static_cast<int>(processor_count());
  }
  if (options.jobs < 1 || options.jobs > kMostJobs) {
    throw UsageError("--jobs=" + std::to_string(options.jobs) + ": expected a number from 1 to " +
                     std::to_string(kMostJobs));
  }
  options.check.abi = std::stoi(options.abi);
  const check::Standings standings(installation_root());
  std::unique_ptr<KernelLibraries> libraries;
  if (!options.kernels.empty()) {
    libraries = std::make_unique<KernelLibraries>("--kernels", options.kernels);
    options.check.kernels = true;
    options.check.kernel_libraries = libraries.get();
    libraries->warn_of_unread();
  }
  const check::Result result = judged(invocation.words, standings);
  std::string text;
  if (options.format == "json") {
    text = json_text(write_json(result, options.shown));
  } else {
    text = write_text(result, options.shown);
  }
  return write_output(text, status_of(result));
}

Option abi() {
  Option out =
      abi_option(&options.abi, "the CUDA major version to assume for files that do not name one");
  options.abi = kDefaultAbi;
  return out;
}

}  // namespace

const Command& check_command() {
  static const Command command = {
      "check",
      "say whether a program, library or package will run",
      "PATH ...",
      Words::kSome,
      Kind::kFile,
      {"Reads programs, libraries, directories with everything below them (such as installed "
       "Python packages), archives (zip and wheels, ar, tar, .deb) and sources (C, C++, CUDA, "
       "Python). Nothing is run. For each file that uses CUDA, prints a verdict, the libraries and "
       "symbols that it uses with their standing in torchada (torchada coverage --help explains "
       "the words), and its device code with the "
       "architectures. NVIDIA's own libraries in a directory are read as far as the verdict needs "
       "it: name one for its device code.",
       "In sources, looks for every name that CUDA's libraries export, except in comments, and "
       "prints the lines. Follows the imports of Python scripts: finds the modules as Python "
       "would, by reading directories, and examines their files. No module is imported and no code "
       "of a .pth file is run. A module that is not found makes the verdict \"not examined in "
       "full\". Also follows the libraries that a program named on the command line needs, and "
       "those that a module names and its package brings. Names that a program assembles at run "
       "time are not found.",
       "If you name a program and directories, the overall verdict is the program's; files that it "
       "does not load are judged separately. A program cannot run if it cannot be loaded, or if no "
       "CUDA call that was found can work: it calls no CUDA runtime that torchada replaces, and "
       "every other CUDA library that it calls is missing. It also cannot run if it looks for "
       "/dev/nvidia0, which only NVIDIA's driver creates. "
       "Without --kernels, no kernel of a program has an image for MUSA, except those that it "
       "compiles at run time with NVRTC. With it, a program whose "
       "kernels are all in the kernel libraries is not held up by them. torchada kernels list says "
       "how the names of kernels are found; a program that may have others is \"not examined in "
       "full\".",
       "Links to directories outside the named one are not followed, and directories whose files "
       "the kernel makes up (/proc, /sys) are left out; each gets a line. Files are read in place. "
       "Each job holds at most 32 MiB of an archive's member in memory. A larger ELF file is read "
       "as a stream, of which at most 256 MiB are kept (symbols, and pages with names of libraries "
       "and functions). An archive in an archive may have 256 MiB. One such large member is "
       "examined at a time. Beyond these limits a file is not examined, which the verdict says."},
      {format_option(&options.format, {"text", "json"}),
       {"all", Kind::kSwitch, "", "also list files that do not use CUDA", &options.shown.all},
       {"symbols", Kind::kSwitch, "", "also list supported symbols", &options.shown.symbols},
       {"kernels", Kind::kFile, "FILE:FOLDER:...",
        "judge as for torchada run --kernels: look for the program's kernels in these kernel "
        "libraries; a folder stands for the files in it",
        &options.kernels},
       abi(),
       {"python-path", Kind::kText, "DIR[:DIR...]",
        "directories in which to look for imported Python modules, before PYTHONPATH and the "
        "packages of the script's interpreter, of VIRTUAL_ENV or of python3",
        &options.check.python_path},
       {"python", Kind::kFile, "PROGRAM",
        "the Python interpreter that runs the scripts, whose packages are searched (default: that "
        "of a script's first line, of VIRTUAL_ENV, or python3)",
        &options.check.python},
       {"jobs",
        Kind::kNumber,
        "N",
        "number of files to examine at the same time (default: one for each processor)",
        &options.jobs,
        {},
        'j'}},
      {{kExitOk, "everything was examined, and runs or does not use CUDA"},
       {kExitNo,
        "something runs in part (it uses assumed symbols or unsupported functions, or launches its "
        "own kernels), or a part was not examined, such as a module that was not found"},
       {kExitUsage, "bad usage"},
       {kExitFailed,
        "a file could not be examined (and no file got status 4), the installation is damaged, or "
        "the output could not be written"},
       {kExitCannot, "something cannot run"}},
      {{"check ./program", "a verdict, and what the program needs"},
       {"check --kernels=kernels.image ./program", "the same, if its kernels come from there"},
       {"check torch-2.9.0-cp311-cp311-linux_x86_64.whl", "all that a wheel brings"},
       {"check --format=json src", "the sources below a directory, as JSON"}},
      run_check};
  return command;
}

}  // namespace torchada
