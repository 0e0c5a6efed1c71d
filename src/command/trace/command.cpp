// torchada trace
#include "command.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "common_options.h"
#include "companion/file_pattern.h"
#include "merge.h"
#include "output.h"
#include "start_program.h"

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
  if (is_recorded && options.format == "chrome" && options.output.empty()) {
    throw UsageError("trace: --format=chrome needs --output=FILE");
  }
  if (options.begin && options.format == "chrome") {
    throw UsageError("trace: --begin needs --format=text or json; chrome's has calls that ended");
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
      out += comma + event.dump();
      comma = ",\n";
    };
    for (const auto& event : merged.events) add(event);
    for (const auto& record : merged.records) add(trace::chrome_event(record));
    return out + "\n]\n";
  }
  for (const auto& record : merged.records) {
    out += format == "json" ? record.dump() + "\n" : trace::text_line(record);
  }
  return out;
}

int merge_files(const Invocation& invocation) {
  if (!invocation.program.empty())
    throw UsageError("trace: --merge reads files and starts nothing");
  if (invocation.words.empty()) throw UsageError("trace: nothing to merge: give files");
  const trace::Merged merged = trace::merge(invocation.words);
  std::string format = options.format;
  if (invocation.given.count("format") == 0) format = merged.events.empty() ? "json" : "chrome";
  if (!merged.events.empty() && format != "chrome" && !options.summary) {
    throw UsageError("trace: from files in Chrome's format come only such, or a summary");
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
    throw UsageError("trace: give the command after two dashes: torchada trace -- COMMAND");
  }
  return trace_program(invocation);
}

std::vector<Option> trace_options() {
  std::vector<Option> out = {
      format_option(&options.format, {"text", "json", "chrome"}),
      {"output", Kind::kFile, "FILE",
       "where the trace goes; %p stands for the process, %h for the host, %% for a percent sign "
       "(default: standard error)",
       &options.output},
      {"filter", Kind::kText, "GLOB,...", "only functions whose names match one of these",
       &options.filter},
      {"summary", Kind::kSwitch, "",
       "calls, errors and times of each function at the end; each call only with --format",
       &options.summary},
      {"memory", Kind::kSwitch, "",
       "memory that is allocated and not freed, and by whom, at the end; each call only with "
       "--format",
       &options.memory},
      {"begin", Kind::kSwitch, "",
       "also a record when a call begins: shows what never ends; with text and json",
       &options.begin},
      {"merge", Kind::kSwitch, "",
       "start nothing: merge files written with --format=json or chrome by time", &options.merge}};
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
      {"Runs a program as `torchada run` does, and writes each call of a CUDA function with names "
       "and values of its parameters, what came back behind pointers, the result, the thread and "
       "the time it took. Children are traced as well. A call is written when it ends; calls "
       "inside "
       "another one, as of a callback, stand before it and are indented.",
       "json: one object a line, times in nanoseconds. chrome: events for Perfetto and "
       "chrome://tracing. A record is written in whole before the program goes on, so that none is "
       "lost when a process dies; the call it died in shows only with --begin. Summary and memory "
       "are written when a process ends by exit().",
       "Not recorded are calls of MUSA's functions that torchada itself refuses: in a child of "
       "fork() once MUSA was used, and when exit has begun. What --memory names may have been "
       "freed by such a call.",
       "The same without this command: TORCHADA_TRACE=WORD[,WORD...][:FILE] with text, json, "
       "chrome, summary, memory, begin as words, or 1 for text; TORCHADA_TRACE_FILTER=GLOB,..."},
      trace_options(),
      {{2, "bad usage, or the installation is not fit for what is asked"},
       {3, "the output cannot be written, or a file to merge cannot be read"},
       {126, "the program cannot be executed"},
       {127, "the program was not found"},
       {0, "and all others: the program's"}},
      {{"trace -- python3 my_cuda_script.py", "every call, on standard error"},
       {"trace --summary -- ./my_program", "calls, errors and times of each function"},
       {"trace --memory --filter='cudaM*' -- ./my_program", "what is allocated and never freed"},
       {"trace --format=json --output=t.%p -- ./my_program", "a file for each process"},
       {"trace --merge --format=chrome --output=t.json t.4711 t.4712", "one file for Perfetto"}},
      run_trace};
  return command;
}

}  // namespace torchada
