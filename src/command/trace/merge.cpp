#include "src/command/trace/merge.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "src/command/command.h"
#include "src/command/messages.h"
#include "src/shared/printable_string.h"
#include "src/shared/trace_summary.h"

namespace torchada::trace {
namespace {

using Json = nlohmann::ordered_json;

// The offset of one process's clock from its machine's wall clock, and the machine.
struct Clock {
  std::int64_t offset = 0;
  std::string boot;
};

struct Source {
  std::vector<Json> records;
  std::map<std::int64_t, Clock> clocks;  // By process number.
};

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& what) {
  throw Failure(file + ":" + std::to_string(line) + ": " + what);
}

Source read_lines(const std::string& file, std::istream* in) {
  Source out;
  std::size_t number = 0;
  for (std::string line; std::getline(*in, line);) {
    ++number;
    if (line.empty()) continue;
    Json record = Json::parse(line, nullptr, false);
    const bool is_last = in->eof();  // Ends without a line feed.
    if (record.is_discarded() && is_last) {
      log_warning("{}:{}: ignoring the last record, which is incomplete", file, number);
      break;
    }
    if (!record.is_object() || !record.contains("event"))
      refuse(file, number, "not a trace record; expected an object from --format=json");
    for (const char* key : {"process", "thread", "start_ns", "duration_ns", "clock_offset_ns"}) {
      if (record.contains(key) && !record[key].is_number_integer())
        refuse(file, number, "\"" + std::string(key) + "\" is no whole number");
    }
    if (record["event"] == "process") {
      out.clocks[record.value("process", 0)] = {record.value("clock_offset_ns", std::int64_t{0}),
                                                record.value("boot", "")};
    }
    out.records.push_back(std::move(record));
  }
  return out;
}

std::vector<Json> read_events(const std::string& file, std::istream* in) {
  std::ostringstream text;
  text << in->rdbuf();
  Json out = Json::parse(text.str(), nullptr, false);
  if (!out.is_array())
    refuse(file, 1, "not a trace in Chrome's format; expected a JSON list of events");
  for (const Json& event : out) {
    if (!event.is_object() || !event.contains("ph"))
      refuse(file, 1, "an event has no \"ph\" (phase)");
  }
  return out.get<std::vector<Json>>();
}

// Records about a whole process have no start time and come last.
std::int64_t time_of(const Json& record) {
  return record.value("start_ns", std::numeric_limits<std::int64_t>::max());
}

void use_wall_clock(Source* source) {
  for (Json& record : source->records) {
    if (!record.contains("start_ns")) continue;
    const auto clock = source->clocks.find(record.value("process", 0));
    if (clock == source->clocks.end()) continue;
    record["start_ns"] = record["start_ns"].get<std::int64_t>() + clock->second.offset;
  }
}

// Escapes what is not ASCII: a trace file may hold anything.
std::string ascii(const Json& value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string value_text(const Json& value) {
  if (!value.is_string()) return ascii(value);
  const auto& text = value.get_ref<const std::string&>();
  // Enumerators and addresses stay unquoted. Any other text was a string of the program.
  const bool is_word =
      !text.empty() &&
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
          std::string::npos;
  return is_word ? text : ascii(value);
}

std::string arguments_text(const Json& record) {
  std::string out;
  const Json none = Json::object();
  const Json& before = record.contains("before") ? record["before"] : none;
  const Json& after = record.contains("after") ? record["after"] : none;
  const Json& arguments = record.contains("arguments") ? record["arguments"] : none;
  for (const auto& [name, value] : arguments.items()) {
    out += (out.empty() ? "" : ", ") + printable(name) + "=" + value_text(value);
    if (before.contains(name)) out += " -> " + value_text(before[name]);
    if (after.contains(name)) out += " -> " + value_text(after[name]);
  }
  return out;
}

}  // namespace

Merged merge(const std::vector<std::string>& files) {
  Merged out;
  std::vector<Source> sources;
  std::set<std::string> boots;
  for (const std::string& file : files) {
    std::error_code error;
    if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error)) {
      throw Failure(file + ": is not a regular file");
    }
    std::ifstream in(file);
    const int first = in.peek();
    if (!in.is_open() || in.bad()) throw Failure(file + ": cannot be read");
    // Its first line might have any length.
    if (first == '\0') throw Failure(file + ": is not a text");
    if (first == '[') {
      const std::vector<Json> events = read_events(file, &in);
      out.events.insert(out.events.end(), events.begin(), events.end());
      continue;
    }
    sources.push_back(read_lines(file, &in));
    for (const auto& [process, clock] : sources.back().clocks) boots.insert(clock.boot);
  }
  for (Source& source : sources) {
    if (boots.size() > 1) use_wall_clock(&source);
    std::move(source.records.begin(), source.records.end(), std::back_inserter(out.records));
  }
  std::stable_sort(out.records.begin(), out.records.end(),
                   [](const Json& a, const Json& b) { return time_of(a) < time_of(b); });
  std::stable_sort(out.events.begin(), out.events.end(), [](const Json& a, const Json& b) {
    return a.value("ts", 0.0) < b.value("ts", 0.0);
  });
  return out;
}

Json chrome_event(const Json& record) {
  const std::string event = record.value("event", "");
  Json out;
  const auto in_microseconds = [&](const char* name) {
    return static_cast<double>(record.value(name, std::int64_t{0})) / 1000;
  };
  const auto begin = [&](const std::string& name, const char* phase) {
    out["name"] = name;
    out["ph"] = phase;
    out["pid"] = record.value("process", 0);
    out["tid"] = record.value("thread", record.value("process", 0));
  };
  if (event == "process") {
    begin("process_name", "M");
    out["args"] = {{"name", record.value("command", "")}};
    return out;
  }
  if (event != "call" && event != "callback") {
    begin(event, "i");
    out["s"] = "p";
    out["ts"] = in_microseconds("start_ns");
    out["args"] = record;
    return out;
  }
  const std::string name = record.value("function", "");
  begin(event == "call" ? name : "callback " + name, "X");
  out["cat"] = record.value("library", event);
  out["ts"] = in_microseconds("start_ns");
  out["dur"] = in_microseconds("duration_ns");
  Json arguments;
  for (const char* key :
       {"failed", "given_to", "arguments", "before", "after", "result", "result_text", "unwound"}) {
    if (record.contains(key)) arguments[key] = record[key];
  }
  out["args"] = arguments;
  return out;
}

std::string text_line(const Json& record) {
  const std::string event = record.value("event", "");
  const std::string process = std::to_string(record.value("process", 0));
  if (event == "process") {
    return "torchada: trace: process " + process + ": " + printable(record.value("command", "")) +
           "\n";
  }
  if (event == "remark") return "torchada: trace: " + printable(record.value("text", "")) + "\n";
  if (event != "call" && event != "callback" && event != "begin") return ascii(record) + "\n";
  const std::string name = printable(record.value("function", ""));
  std::string out(2 * record.value("depth", std::size_t{0}), ' ');
  out += (event == "callback" ? "callback " : "") + name + "(" + arguments_text(record) + ")";
  const bool has_result = record.contains("result") && !record["result"].is_null();
  if (has_result) out += " = " + value_text(record["result"]);
  if (record.contains("result_text")) out += " -> " + ascii(record["result_text"]);
  if (record.value("unwound", false)) out += " was left without returning";
  if (event == "callback") out += " given to " + printable(record.value("given_to", ""));
  if (event == "begin") out += " begins";
  out += " [process " + process + ", thread " + std::to_string(record.value("thread", 0));
  if (event != "begin") {
    out += fmt::format(", {:.3f} us",
                       static_cast<double>(record.value("duration_ns", std::int64_t{0})) / 1000);
  }
  return out + "]\n";
}

std::string summary_of(const Merged& merged, bool as_json) {
  std::map<std::pair<std::string, std::string>, FunctionTotal> totals;
  std::set<std::int64_t> processes;
  const auto add = [&](const std::string& library, const std::string& function,
                       std::uint64_t nanoseconds, bool failed) {
    FunctionTotal& total = totals[{library, function}];
    total.library = library;
    total.function = function;
    ++total.calls;
    if (failed) ++total.errors;
    total.nanoseconds += nanoseconds;
    total.longest = std::max(total.longest, nanoseconds);
  };
  for (const Json& record : merged.records) {
    processes.insert(record.value("process", 0));
    if (record.value("event", "") != "call") continue;
    add(record.value("library", ""), record.value("function", ""),
        record.value("duration_ns", std::uint64_t{0}), record.value("failed", false));
  }
  for (const Json& event : merged.events) {
    processes.insert(event.value("pid", 0));
    if (event.value("ph", "") != "X" || event.value("cat", "") == "callback") continue;
    add(event.value("cat", ""), event.value("name", ""),
        static_cast<std::uint64_t>(std::llround(event.value("dur", 0.0) * 1000)),
        event.contains("args") && event["args"].value("failed", false));
  }
  std::vector<FunctionTotal> list;
  for (auto& [key, total] : totals) list.push_back(std::move(total));
  fmt::memory_buffer out;
  if (as_json) {
    write_summary_json(&out, 0, std::move(list));
    out.push_back('\n');
  } else {
    write_summary(
        &out,
        processes.size() == 1 ? "one process" : std::to_string(processes.size()) + " processes",
        std::move(list));
  }
  return fmt::to_string(out);
}

}  // namespace torchada::trace
