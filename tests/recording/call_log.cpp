#include "tests/recording/call_log.h"

#include <algorithm>
#include <iomanip>
#include <optional>
#include <sstream>
#include <string_view>

namespace recording {
namespace {

constexpr std::size_t kMostDifferences = 20;  // One defect may show in hundreds of calls.

struct Field {
  std::string name;
  std::string value;
};

std::string hexadecimal(std::uint64_t value) {
  std::ostringstream out;
  out << "0x" << std::hex << std::setw(16) << std::setfill('0') << value;
  return out.str();
}

// A call as a list of fields, always in the same order.
std::vector<Field> fields_of(const LoggedCall& call) {
  static const char* const kIntegers[] = {"rdi", "rsi", "rdx", "rcx", "r8", "r9"};
  const recording_arguments& arguments = call.exchange.arguments;
  const recording_results& results = call.exchange.results;
  std::vector<Field> out{{"name", call.musa}};
  const auto add = [&](const std::string& name, std::uint64_t value) {
    out.push_back({name, hexadecimal(value)});
  };
  for (int i = 0; i < 6; ++i) add(kIntegers[i], arguments.integers[i]);
  add("rax", arguments.rax);
  add("r10", arguments.r10);
  for (int i = 0; i < 8; ++i) {
    add("xmm" + std::to_string(i), arguments.vectors[i][0]);
    add("xmm" + std::to_string(i) + " high", arguments.vectors[i][1]);
  }
  for (int i = 0; i < RECORDING_STACK_WORDS; ++i) {
    add("stack[" + std::to_string(i) + "]", arguments.stack[i]);
  }
  add("returned rax", results.rax);
  add("returned rdx", results.rdx);
  add("returned xmm0", results.xmm0[0]);
  add("returned xmm0 high", results.xmm0[1]);
  return out;
}

CallLog collect(std::optional<std::uint64_t> thread) {
  CallLog out;
  for (std::size_t i = 0, count = recording_count(); i < count; ++i) {
    const recording_call call = recording_get(i);
    // Adapters of cuBLAS ask for a pending error before each call.
    const bool asks = call.name == std::string_view("musaPeekAtLastError");
    if (asks || call.version_probe || (thread && call.thread != *thread)) continue;
    out.push_back({"", call.name, call.exchange});
  }
  return out;
}

class Report {
 public:
  void add(const std::string& line) {
    if (++count_ <= kMostDifferences) text_ << line << "\n";
  }
  std::string text() const {
    if (count_ <= kMostDifferences) return text_.str();
    return text_.str() + "and " + std::to_string(count_ - kMostDifferences) + " more\n";
  }

 private:
  std::ostringstream text_;
  std::size_t count_ = 0;
};

std::string place_of(std::size_t index, const LoggedCall& call) {
  return "call " + std::to_string(index) + " " + call.cuda + ": ";
}

// Whether both are about the same call, however badly it arrived. Otherwise a single missing call
// would make every later line differ. No two calls have the same random arguments.
bool same_call(const LoggedCall& application, const LoggedCall& backend) {
  const recording_arguments& ours = application.exchange.arguments;
  const recording_arguments& theirs = backend.exchange.arguments;
  return ours.integers[0] == theirs.integers[0] || ours.stack[0] == theirs.stack[0] ||
         ours.vectors[0][0] == theirs.vectors[0][0];
}

void compare(const std::string& place, const LoggedCall& application, const LoggedCall& backend,
             Report* report) {
  const std::vector<Field> ours = fields_of(application), theirs = fields_of(backend);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].value == theirs[i].value) continue;
    report->add(place + ours[i].name + ": application " + ours[i].value + ", backend " +
                theirs[i].value);
  }
}

}  // namespace

CallLog backend_log(std::uint64_t thread) { return collect(thread); }
CallLog backend_log() { return collect(std::nullopt); }

std::string format_call(const LoggedCall& call) {
  std::ostringstream out;
  for (const Field& field : fields_of(call)) {
    if (field.name == "name") {
      out << field.value;
    } else {
      out << " " << field.name << "=" << field.value;
    }
  }
  return out.str();
}

std::string difference(const CallLog& application, const CallLog& backend) {
  Report report;
  std::size_t j = 0;
  for (std::size_t i = 0; i < application.size(); ++i) {
    const auto found =
        std::find_if(backend.begin() + static_cast<std::ptrdiff_t>(j), backend.end(),
                     [&](const LoggedCall& call) { return same_call(application[i], call); });
    if (found == backend.end()) {
      report.add(place_of(i, application[i]) + application[i].musa + " never reached the backend");
      continue;
    }
    const auto at = static_cast<std::size_t>(found - backend.begin());
    for (; j < at; ++j) report.add("nobody called, or not now: " + format_call(backend[j]));
    compare(place_of(i, application[i]), application[i], backend[j++], &report);
  }
  for (; j < backend.size(); ++j) {
    report.add("nobody called, or not now: " + format_call(backend[j]));
  }
  return report.text();
}

}  // namespace recording
