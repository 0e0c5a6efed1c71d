// torchada trace
#include "src/command/command.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "src/command/common_options.h"
#include "src/command/output.h"
#include "src/command/start_program.h"
#include "src/command/trace/merge.h"
#include "src/shared/file_pattern.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

struct Options {
  StartOptions start;
  std::string format;
  std::string output;
  std::string filter;
  bool summary = false;
  bool memory = false;
  bool begin = false;
  bool merge = false;
};
Options options;

// Several processes append to one file, so clear what an earlier run left. Pipes and devices stay
// untouched: they have nothing to clear, and a reader would take it for the end.
void empty_output() {
  if (options.output.empty() || names_process(options.output)) return;
  const std::string path = expanded(options.output);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) return;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) throw Failure("cannot write " + path + ": " + std::strerror(errno));
  close(file);
}

int trace_program(const Invocation& invocation) {
  std::string order;
  const auto add = [&](const std::string& word) { order += (order.empty() ? "" : ",") + word; };
  // With only a summary, single calls need no records.
  const bool is_recorded = invocation.given.count("format") != 0 || options.begin ||
                           (!options.summary && !options.memory);
  if (is_recorded) add(options.format);
  if (options.begin) add("begin");
  if (options.summary) add("summary");
  if (options.memory) add("memory");
  add("status");
  if (is_recorded && options.format == "chrome" && options.output.empty()) {
    throw UsageError("--format=chrome needs --output=FILE");
  }
  if (options.begin && options.format == "chrome") {
    throw UsageError(
        "--begin cannot be given with --format=chrome, which only holds calls that ended; use "
        "--format=text or json");
  }
  std::vector<EnvironmentVariable> variables;
  // Absolute, because programs change their working directory.
  if (!options.output.empty()) order += ":" + fs::absolute(options.output).string();
  variables.push_back({"TORCHADA_TRACE", order});
  variables.push_back({"TORCHADA_TRACE_FILTER", std::nullopt});
  if (!options.filter.empty()) variables.back().value = options.filter;
  return start_program(options.start, invocation, variables, empty_output);
}

std::string merged_text(const trace::Merged& merged, const std::string& format) {
  std::string out;
  if (format == "chrome") {
    out = "[";
    const char* comma = "\n";
    const auto add = [&](const nlohmann::ordered_json& event) {
      out += comma + event.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
      comma = ",\n";
    };
    for (const auto& event : merged.events) add(event);
    for (const auto& record : merged.records) add(trace::chrome_event(record));
    return out + "\n]\n";
  }
  for (const auto& record : merged.records) {
    out += format == "json"
               ? record.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n"
               : trace::text_line(record);
  }
  return out;
}

int merge_files(const Invocation& invocation) {
  if (!invocation.program.empty())
    throw UsageError("--merge reads trace files and cannot start a program");
  if (invocation.words.empty()) throw UsageError("nothing to merge: name trace files");
  const trace::Merged merged = trace::merge(invocation.words);
  std::string format = options.format;
  if (invocation.given.count("format") == 0) format = merged.events.empty() ? "json" : "chrome";
  if (!merged.events.empty() && format != "chrome" && !options.summary) {
    throw UsageError(
        "files in Chrome's format can only be merged with --format=chrome or --summary");
  }
  const std::string text =
      options.summary
          ? trace::summary_of(merged, format == "json" && invocation.given.count("format") != 0)
          : merged_text(merged, format);
  if (options.output.empty()) return write_output(text, kExitOk);
  std::ofstream out(options.output, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw Failure("cannot write " + options.output);
  return kExitOk;
}

int run_trace(const Invocation& invocation) {
  if (options.merge) return merge_files(invocation);
  if (invocation.program.empty() || !invocation.words.empty()) {
    throw UsageError("write -- before the command: torchada trace -- COMMAND");
  }
  return trace_program(invocation);
}

std::vector<Option> trace_options() {
  std::vector<Option> out = {
      format_option(&options.format, {"text", "json", "chrome"}),
      {"output", Kind::kFile, "FILE",
       "write the trace to this file; %p stands for the process id, %h for the host name, %% for a "
       "percent sign (default: standard error)",
       &options.output},
      {"filter", Kind::kText, "GLOB,...",
       "trace only functions whose names match one of these patterns", &options.filter},
      {"summary", Kind::kSwitch, "",
       "print calls, errors and times of each function at exit; single calls are written only if "
       "--format is given",
       &options.summary},
      {"memory", Kind::kSwitch, "",
       "print at exit which memory was not freed, and where it was allocated; single calls are "
       "written only if --format is given",
       &options.memory},
      {"begin", Kind::kSwitch, "",
       "also write a record when a call begins, which shows calls that never end; only with text "
       "and json",
       &options.begin},
      {"merge", Kind::kSwitch, "",
       "start no program; merge files of --format=json or chrome in order of time",
       &options.merge}};
  for (const Option& option : start_options(&options.start)) out.push_back(option);
  return out;
}

}  // namespace

const Command& trace_command() {
  static const Command command = {
      "trace",
      "show every CUDA call that a program makes",
      "-- PROGRAM [ARGUMENT...] | --merge FILE...",
      Words::kSomeAndProgram,
      Kind::kFile,
      {"Runs a program as `torchada run` does, and writes a record of each CUDA call: parameter "
       "names and values, values returned through pointers, the result, the thread and the time "
       "taken. Child processes are traced too. A call is written when it ends. Calls inside "
       "another call, for example from a callback, are written before it and indented.",
       "json: one object per line, times in nanoseconds. chrome: events for Perfetto and "
       "chrome://tracing. Each record is complete before the program continues, so no record is "
       "lost when a process dies; the call in which it died is shown only with --begin. --summary "
       "and --memory are written when a process ends by exit().",
       "Calls that torchada itself refuses are not recorded: those in a child of fork() after MUSA "
       "was used, and those after exit has begun. Memory that --memory lists may have been freed "
       "by such a call.",
       "To trace without this command, set TORCHADA_TRACE=WORD[,WORD...][:FILE], where WORD is "
       "text (or 1), json, chrome, summary, memory, begin or status (end with status 3 if output "
       "was lost), and TORCHADA_TRACE_FILTER=GLOB,..."},
      trace_options(),
      {{2, "bad usage, or the installation lacks what the options ask for"},
       {3,
        "the output could not be written, whatever the program's own status, or a file to merge "
        "could not be read"},
       {126, "the program cannot be executed"},
       {127, "the program was not found"},
       {0, "and all other values: the program's exit status"}},
      {{"trace -- python3 my_cuda_script.py", "every call, on standard error"},
       {"trace --summary -- ./my_program", "calls, errors and times of each function"},
       {"trace --memory --filter='cudaM*' -- ./my_program", "memory that is never freed"},
       {"trace --format=json --output=t.%p -- ./my_program", "one file for each process"},
       {"trace --merge --format=chrome --output=t.json t.4711 t.4712", "one file for Perfetto"}},
      run_trace};
  return command;
}

}  // namespace torchada
