#include "src/companion/trace/record.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "src/companion/file_contents.h"
#include "src/companion/trace/thread.h"
#include "src/shared/print.h"
#include "src/shared/printable_string.h"

namespace torchada::trace {
namespace {

Style style_of(Format format) { return format == Format::kText ? Style::kText : Style::kJson; }

std::int64_t clock_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

// The words of the command line, separated by blanks.
std::string command() {
  std::string out = file_contents("/proc/self/cmdline");
  while (!out.empty() && out.back() == '\0') out.pop_back();
  std::replace(out.begin(), out.end(), '\0', ' ');
  return out;
}

std::string boot() {
  std::string out = file_contents("/proc/sys/kernel/random/boot_id");
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

// The name of a parameter, or its position if it has none.
std::string name_of(const Member& member, std::uint32_t index) {
  const char* name = text_at(member.name);
  return *name ? name : "argument" + std::to_string(index);
}

// A list of parameters of a function, as both formats write it.
class Parameters {
 public:
  Parameters(std::uint32_t first, std::uint32_t count) : first_(first), count_(count) {}

  const Member& at(std::uint32_t index) const { return prototype_members[first_ + index]; }
  std::uint32_t count() const { return count_; }

  void key(Buffer* out, std::uint32_t index, bool is_first) const {
    append(out, is_first ? "" : ", ");
    write_quoted(out, Style::kJson, name_of(at(index), index));
    append(out, ": ");
  }

 private:
  std::uint32_t first_, count_;
};

Parameters parameters_of(const Traced& traced) {
  return {traced.prototype->first, traced.prototype->count};
}

Parameters parameters_of(const Callback& callback) {
  const ValueType& type = callback.parameters();
  return {type.first, type.count};
}

void write_arguments(Buffer* out, const Parameters& parameters, void* const* arguments) {
  append(out, "{");
  for (std::uint32_t i = 0; i < parameters.count(); ++i) {
    parameters.key(out, i, i == 0);
    write_value(out, Style::kJson, type_at(parameters.at(i).type), arguments[i]);
  }
  append(out, "}");
}

bool comes_out(const Call& call, std::uint32_t index) {
  const Care care = call.traced->cares[index];
  return call.result && !call.failed && (care == Care::kAfter || care == Care::kCallbackOut);
}

void write_before(Buffer* out, const Call& call) {
  const Parameters parameters = parameters_of(*call.traced);
  bool is_first = true;
  append(out, "{");
  for (std::uint32_t i = 0; call.before && i < call.before->size(); ++i) {
    if ((*call.before)[i].empty()) continue;
    parameters.key(out, i, is_first);
    append(out, (*call.before)[i]);
    is_first = false;
  }
  append(out, "}");
}

void write_after(Buffer* out, const Call& call) {
  const Parameters parameters = parameters_of(*call.traced);
  bool is_first = true;
  append(out, "{");
  Buffer value;
  for (std::uint32_t i = 0; i < parameters.count(); ++i) {
    value.clear();
    if (!comes_out(call, i)) continue;
    if (!write_pointee(&value, Style::kJson, call.traced->type_of(i), word_at(call.arguments[i]))) {
      continue;
    }
    parameters.key(out, i, is_first);
    append(out, {value.data(), value.size()});
    is_first = false;
  }
  append(out, "}");
}

bool is_text(const ValueType& type) {
  return type.kind == ValueKind::kPointer && type_at(type.target).kind == ValueKind::kCharacter;
}

// What a call returned, with the text before it. An exception or the end of the thread may have
// ended the call.
void write_result_text(Buffer* out, const ValueType& type, const void* result) {
  if (!result) return append(out, " was left without returning");
  if (type.kind == ValueKind::kVoid) return;
  append(out, " = ");
  write_value(out, Style::kText, type, result);
  Buffer text;
  if (!is_text(type) || !write_pointee(&text, Style::kText, type, word_at(result))) return;
  append(out, " -> ");
  append(out, {text.data(), text.size()});
}

void write_result_json(Buffer* out, const ValueType& type, const void* result) {
  append(out, ", \"result\": ");
  if (!result) return append(out, "null, \"unwound\": true");
  write_value(out, Style::kJson, type, result);
  Buffer text;
  if (!is_text(type) || !write_pointee(&text, Style::kJson, type, word_at(result))) return;
  append(out, ", \"result_text\": ");
  append(out, {text.data(), text.size()});
}

// Indents by `depth` levels, relative to calls that the program makes itself.
void indent(Buffer* out, unsigned depth) {
  for (unsigned i = 0; i < depth; ++i) append(out, "  ");
}

void write_end(Buffer* out, const Call& call) {
  print(out, " [thread {}, {}.{:03} us]\n", thread_id(), call.duration / 1000,
        call.duration % 1000);
}

void write_text_arguments(Buffer* out, const Call& call) {
  const Parameters parameters = parameters_of(*call.traced);
  Buffer value;
  for (std::uint32_t i = 0; i < parameters.count(); ++i) {
    const ValueType& type = type_at(parameters.at(i).type);
    print(out, "{}{}=", i == 0 ? "" : ", ", name_of(parameters.at(i), i));
    write_value(out, Style::kText, type, call.arguments[i]);
    value.clear();
    if (call.before && !(*call.before)[i].empty()) {
      print(out, " -> {}", (*call.before)[i]);
    } else if (comes_out(call, i) &&
               write_pointee(&value, Style::kText, type, word_at(call.arguments[i]))) {
      append(out, " -> ");
      append(out, {value.data(), value.size()});
    }
  }
}

// The start of every JSON record of an event, without the closing brace.
void open_json(Buffer* out, const char* event) {
  print(out, "{{\"event\": \"{}\", \"process\": {}, \"thread\": {}", event, getpid(), thread_id());
}

void open_chrome(Buffer* out, const std::string& name, const char* category, const Call& call) {
  append(out, "{\"name\": ");
  write_quoted(out, Style::kJson, name);
  print(out,
        ", \"cat\": \"{}\", \"ph\": \"X\", \"ts\": {}.{:03}, \"dur\": {}.{:03}, "
        "\"pid\": {}, \"tid\": {}",
        category, call.start / 1000, call.start % 1000, call.duration / 1000, call.duration % 1000,
        getpid(), thread_id());
}

void write_call_json(Buffer* out, const Call& call) {
  append(out, ", \"arguments\": ");
  write_arguments(out, parameters_of(*call.traced), call.arguments);
  append(out, ", \"before\": ");
  write_before(out, call);
  append(out, ", \"after\": ");
  write_after(out, call);
  write_result_json(out, type_at(call.traced->prototype->returns), call.result);
}

std::string callback_name(const Callback& callback) {
  const std::string place = place_of_code(reinterpret_cast<std::uint64_t>(callback.function));
  return place.empty() ? fmt::format("{}", callback.function) : place;
}

}  // namespace

std::int64_t now() { return clock_of(CLOCK_MONOTONIC); }

std::vector<std::string> read_before(Format format, const Traced& traced, void* const* arguments) {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < traced.cares.size(); ++i) {
    if (traced.cares[i] != Care::kBefore) continue;
    Buffer value;
    if (!write_pointee(&value, style_of(format), traced.type_of(i), word_at(arguments[i])))
      continue;
    out.resize(traced.cares.size());
    out[i].assign(value.data(), value.size());
  }
  return out;
}

void write_call(Buffer* out, Format format, const Call& call) {
  const Traced& traced = *call.traced;
  switch (format) {
    case Format::kNone:
      return;
    case Format::kText:
      indent(out, call.depth);
      print(out, "{}(", traced.name());
      write_text_arguments(out, call);
      append(out, ")");
      write_result_text(out, type_at(traced.prototype->returns), call.result);
      return write_end(out, call);
    case Format::kJson:
      open_json(out, "call");
      print(out,
            ", \"start_ns\": {}, \"duration_ns\": {}, \"depth\": {}, \"library\": \"{}\", "
            "\"function\": \"{}\", \"failed\": {}",
            call.start, call.duration, call.depth, traced.library, traced.name(), call.failed);
      write_call_json(out, call);
      return append(out, "}\n");
    case Format::kChrome:
      open_chrome(out, traced.name(), traced.library, call);
      print(out, ", \"args\": {{\"failed\": {}", call.failed);
      write_call_json(out, call);
      return append(out, "}}");
  }
}

void write_begin(Buffer* out, Format format, const Call& call) {
  if (format == Format::kText) {
    indent(out, call.depth);
    print(out, "{}(", call.traced->name());
    write_text_arguments(out, call);
    print(out, ") begins [thread {}]\n", thread_id());
  } else if (format == Format::kJson) {
    open_json(out, "begin");
    print(out,
          ", \"start_ns\": {}, \"depth\": {}, \"library\": \"{}\", \"function\": \"{}\", "
          "\"arguments\": ",
          call.start, call.depth, call.traced->library, call.traced->name());
    write_arguments(out, parameters_of(*call.traced), call.arguments);
    append(out, "}\n");
  }
}

void write_callback_call(Buffer* out, Format format, const Callback& callback, const Call& call) {
  const Parameters parameters = parameters_of(callback);
  const ValueType& type = callback.parameters();
  switch (format) {
    case Format::kNone:
      return;
    case Format::kText:
      indent(out, call.depth);
      print(out, "callback {}(", callback_name(callback));
      for (std::uint32_t i = 0; i < parameters.count(); ++i) {
        print(out, "{}{}=", i == 0 ? "" : ", ", name_of(parameters.at(i), i));
        write_value(out, Style::kText, type_at(parameters.at(i).type), call.arguments[i]);
      }
      append(out, ")");
      write_result_text(out, type_at(type.target), call.result);
      print(out, " given to {}", callback.giver->name());
      return write_end(out, call);
    case Format::kJson:
      open_json(out, "callback");
      print(out,
            ", \"start_ns\": {}, \"duration_ns\": {}, \"depth\": {}, \"given_to\": \"{}\", "
            "\"function\": ",
            call.start, call.duration, call.depth, callback.giver->name());
      write_quoted(out, Style::kJson, callback_name(callback));
      append(out, ", \"arguments\": ");
      write_arguments(out, parameters, call.arguments);
      write_result_json(out, type_at(type.target), call.result);
      return append(out, "}\n");
    case Format::kChrome:
      open_chrome(out, "callback " + callback_name(callback), "callback", call);
      print(out, ", \"args\": {{\"given_to\": \"{}\", \"arguments\": ", callback.giver->name());
      write_arguments(out, parameters, call.arguments);
      return append(out, "}}");
  }
}

void write_process(Buffer* out, Format format) {
  const std::string words = command();
  switch (format) {
    case Format::kNone:
      return;
    case Format::kText:
      return print(out, "torchada: trace: process {}: {}\n", getpid(), printable(words));
    case Format::kJson: {
      open_json(out, "process");
      const std::int64_t time = now();
      print(out,
            ", \"parent\": {}, \"start_ns\": {}, \"clock_offset_ns\": {}, \"boot\": \"{}\", "
            "\"command\": ",
            getppid(), time, clock_of(CLOCK_REALTIME) - time, boot());
      write_quoted(out, Style::kJson, words);
      return append(out, "}\n");
    }
    case Format::kChrome:
      print(out,
            "{{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": {}, \"tid\": {}, "
            "\"args\": {{\"name\": ",
            getpid(), thread_id());
      write_quoted(out, Style::kJson, words);
      return append(out, "}}");
  }
}

void write_remark(Buffer* out, Format format, const std::string& text) {
  switch (format) {
    case Format::kNone:
      return;
    case Format::kText:
      return print(out, "torchada: trace: {}\n", printable(text));
    case Format::kJson:
      open_json(out, "remark");
      append(out, ", \"text\": ");
      write_quoted(out, Style::kJson, text);
      return append(out, "}\n");
    case Format::kChrome:
      print(out, "{{\"name\": ");
      write_quoted(out, Style::kJson, text);
      return print(out, ", \"ph\": \"i\", \"s\": \"p\", \"ts\": {}, \"pid\": {}, \"tid\": {}}}",
                   now() / 1000, getpid(), thread_id());
  }
}

}  // namespace torchada::trace
