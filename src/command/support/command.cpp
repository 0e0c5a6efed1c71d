// torchada support-bundle
#include "src/command/command.h"

#include <fnmatch.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "src/command/doctor/child.h"
#include "src/command/files.h"
#include "src/command/installation.h"
#include "src/command/output.h"
#include "src/command/support/private_text.h"
#include "src/command/variables.h"
#include "src/shared/file_pattern.h"
#include "src/shared/printable_string.h"
#include "src/shared/split.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;
using support::Origin;

constexpr std::uintmax_t kMostBytes = 64 << 10;  // Of the end of a file.
constexpr std::size_t kLogLines = 200;
constexpr std::size_t kTraceLines = 60;

struct Options {
  std::string output;
  std::string log_file;
  std::string trace_file;
  int timeout = 120;
};
Options options;

std::string section(const std::string& title, const std::string& text) {
  return "\n== " + title + "\n" + text;
}

std::string distribution() {
  std::ifstream in("/etc/os-release");
  const std::string key = "PRETTY_NAME=";
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(key, 0) != 0) continue;
    line.erase(0, key.size());
    line.erase(std::remove(line.begin(), line.end(), '"'), line.end());
    return printable(line);
  }
  return "unknown distribution";
}

std::string versions() {
  utsname system{};
  uname(&system);
  return std::string("torchada " TORCHADA_VERSION "\n") + distribution() + ", " + system.sysname +
         " " + system.release + " " + system.machine + ", glibc " + gnu_get_libc_version() + "\n";
}

// Only those that concern CUDA, MUSA and the loader: the names of others are nobody's business.
std::string names_of_variables() {
  static const std::vector<std::string> kBeginnings = {
      "TORCHADA_", "MUSA_", "MUBLAS_", "MCCL_",  "MTHREADS_",  "CUDA_",   "CUBLAS_", "NCCL_",
      "NVIDIA_",   "LD_",   "GLIBC_",  "SLURM_", "OMPI_COMM_", "MASTER_", "TRITON_"};
  static const std::set<std::string> kWhole = {
      "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX", "OMP_NUM_THREADS",
      "RANK",       "WORLD_SIZE", "LOCAL_RANK",  "NO_COLOR",
  };
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name = std::string(*entry).substr(0, std::string(*entry).find('='));
    const bool begins =
        std::any_of(kBeginnings.begin(), kBeginnings.end(),
                    [&](const std::string& start) { return name.rfind(start, 0) == 0; });
    if (begins || kWhole.count(name) != 0) names.push_back(printable(name));
  }
  std::sort(names.begin(), names.end());
  std::string out;
  for (const std::string& name : names) out += name + "\n";
  return out.empty() ? "none\n" : out;
}

// The output of another subcommand, started by itself: it may crash, or wait for a driver. It adds
// nothing to the user's own log and trace.
std::string answer(const std::string& root, const std::vector<std::string>& words) {
  std::vector<std::string> all = {root + "/bin/torchada"};
  all.insert(all.end(), words.begin(), words.end());
  const doctor::Output output = doctor::output_of(all,
                                                  {{"TORCHADA_LOG_FILE", std::nullopt},
                                                   {"TORCHADA_SUMMARY", std::nullopt},
                                                   {"TORCHADA_TRACE", std::nullopt}},
                                                  options.timeout);
  const std::string end = output.ended
                              ? "status " + std::to_string(output.status)
                              : "did not end in " + std::to_string(options.timeout) + " seconds";
  return support::without_private(output.out + output.err, root, Origin::kAdvice) + "(" + end +
         ")\n";
}

// The newest file for a pattern with %p: that of the last process.
fs::path file_of(const std::string& pattern) {
  const fs::path path = fs::absolute(expanded(pattern));
  if (!names_process(pattern)) return path;
  std::string name = base_name_of(pattern);
  for (std::size_t at = name.find("%p"); at != std::string::npos; at = name.find("%p", at + 7)) {
    name.replace(at, 2, "[0-9]*");
  }
  name = base_name_of(expanded(name));
  fs::path newest;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path.parent_path(), error)) {
    if (!entry.is_regular_file(error)) continue;
    if (fnmatch(name.c_str(), entry.path().filename().c_str(), 0) != 0) continue;
    if (newest.empty() || entry.last_write_time(error) > fs::last_write_time(newest, error)) {
      newest = entry.path();
    }
  }
  return newest;
}

// The last lines of a file. Text that programs wrote, so it may hold anything.
std::string end_of(const fs::path& path, std::size_t lines) {
  std::error_code error;
  if (path.empty() || !fs::is_regular_file(path, error)) return "no such file\n";
  std::ifstream in(path, std::ios::binary);
  const std::uintmax_t size = fs::file_size(path, error);
  if (size > kMostBytes) in.seekg(static_cast<std::streamoff>(size - kMostBytes));
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (!in.good() && !in.eof()) return "cannot be read\n";
  if (size > kMostBytes) text.erase(0, text.find('\n') + 1);  // The first is not whole.
  std::size_t begin = text.size();
  for (std::size_t count = 0; begin > 0 && count <= lines; ++count) {
    const std::size_t newline = begin < 2 ? std::string::npos : text.rfind('\n', begin - 2);
    if (count == lines) break;
    begin = newline == std::string::npos ? 0 : newline + 1;
  }
  std::string out;
  for (const std::string& line : split(text.substr(begin), "\n")) out += printable(line) + "\n";
  return text.empty() ? "empty\n" : out;
}

std::string end_of_record(const char* what, const std::string& option, const std::string& pattern,
                          std::size_t lines, const std::string& root) {
  const std::string title = std::string("the end of the ") + what;
  if (pattern.empty()) return section(title, "none was named (--" + option + ")\n");
  return section(title,
                 support::without_private(end_of(file_of(pattern), lines), root, Origin::kRecord));
}

// The file in TORCHADA_TRACE=WORD,...:FILE.
std::string traced_file() {
  const std::string order = environment_variable("TORCHADA_TRACE");
  const std::size_t colon = order.find(':');
  return colon == std::string::npos ? "" : order.substr(colon + 1);
}

std::string bundle(const Invocation& invocation) {
  const std::string root = installation_root();
  std::string out =
      "torchada support bundle. It names no host, user or path outside the installation, and no "
      "value\nof an environment variable. Read it before you send it.\n";
  out += section("versions", versions());
  out += section("variables that are set (names only)", names_of_variables());
  out += section("torchada info", answer(root, {"info"}));
  std::vector<std::string> doctor = {"doctor"};
  if (!invocation.program.empty()) {
    doctor.insert(doctor.end(), {"--run", "--"});
    doctor.insert(doctor.end(), invocation.program.begin(), invocation.program.end());
  }
  out +=
      section(invocation.program.empty() ? "torchada doctor" : "torchada doctor --run -- PROGRAM",
              answer(root, doctor));
  out += end_of_record(
      "log, with the summary", "log-file",
      options.log_file.empty() ? environment_variable("TORCHADA_LOG_FILE") : options.log_file,
      kLogLines, root);
  out += end_of_record("trace", "trace-file",
                       options.trace_file.empty() ? traced_file() : options.trace_file, kTraceLines,
                       root);
  return out;
}

int run_support_bundle(const Invocation& invocation) {
  if (!invocation.words.empty()) {
    throw UsageError("write -- before the command: -- " + invocation.words.front());
  }
  if (options.timeout < 1)
    throw UsageError("--timeout=" + std::to_string(options.timeout) +
                     ": expected a number of seconds, at least 1");
  for (const std::string& file : {options.log_file, options.trace_file}) {
    if (!file.empty() && !fs::exists(file_of(file))) throw UsageError(file + ": no such file");
  }
  if (options.output.empty()) return write_output(bundle(invocation), kExitOk);
  std::ofstream out(options.output, std::ios::binary | std::ios::trunc);
  if (out) out << bundle(invocation);
  out.close();
  if (!out) throw Failure("cannot write " + options.output);
  return kExitOk;
}

}  // namespace

const Command& support_bundle_command() {
  static const Command command = {
      "support-bundle",
      "collect in one text what an issue should contain",
      "[-- PROGRAM [ARGUMENT...]]",
      Words::kSomeAndProgram,
      Kind::kFile,
      {"Writes one text for a report of a defect: the versions, the names of the variables that "
       "are set, the outputs of `torchada info` and `torchada doctor`, and the ends of a log file, "
       "where the summary is, and of a trace. With PROGRAM, doctor examines it as `torchada run` "
       "would start it. The program is not started.",
       "The text has no name of a host or a user, no path outside the installation, no value of an "
       "environment variable and no argument of the program. Of a path, the name of the file "
       "stays. Nothing is sent anywhere. Read the text before you send it."},
      {{"output",
        Kind::kFile,
        "FILE",
        "where the text goes (default: standard output)",
        &options.output,
        {},
        'o'},
       {"log-file", Kind::kFile, "FILE",
        "the log of the program, as torchada run --log-file or a redirection wrote it (default: "
        "what TORCHADA_LOG_FILE names); with %p, the newest",
        &options.log_file},
       {"trace-file", Kind::kFile, "FILE",
        "a trace, as torchada trace --output wrote it (default: what TORCHADA_TRACE names)",
        &options.trace_file},
       {"timeout", Kind::kNumber, "SECONDS", "how long to wait for each part", &options.timeout}},
      {{kExitOk, "the text was written, whatever it says"},
       {kExitUsage, "bad usage"},
       {kExitFailed, "the text could not be written"}},
      {{"support-bundle -o bundle.txt -- python3 my_cuda_script.py",
        "what doctor says of a program"},
       {"support-bundle --log-file=run.log", "with the end of a log"}},
      run_support_bundle};
  return command;
}

}  // namespace torchada
