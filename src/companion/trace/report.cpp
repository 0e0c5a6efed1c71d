#include "report.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace torchada::trace {
namespace {

template <typename... Arguments>
void print(Buffer* out, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(*out), text, std::forward<Arguments>(arguments)...);
}

double in_milliseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

double mean_in_microseconds(const FunctionTotal& total) {
  return static_cast<double>(total.nanoseconds) / 1e3 / static_cast<double>(total.calls);
}

void write_summary_json(Buffer* out, const std::vector<FunctionTotal>& totals) {
  print(out, "{{\"event\": \"summary\", \"process\": {}, \"functions\": [", getpid());
  bool is_first = true;
  for (const FunctionTotal& total : totals) {
    print(out,
          "{}{{\"library\": \"{}\", \"function\": \"{}\", \"calls\": {}, \"errors\": {}, "
          "\"total_ns\": {}, \"longest_ns\": {}}}",
          is_first ? "" : ", ", total.library, total.function, total.calls, total.errors,
          total.nanoseconds, total.longest);
    is_first = false;
  }
  append(out, "]}\n");
}

void write_memory_json(Buffer* out, const MemoryReport& report) {
  print(out,
        "{{\"event\": \"memory\", \"process\": {}, \"allocations\": {}, \"frees\": {}, "
        "\"peak_bytes\": {}, \"live_count\": {}, \"live_bytes\": {}, \"leaks\": [",
        getpid(), report.allocations, report.frees, report.peak_bytes, report.live_count,
        report.live_bytes);
  bool is_first = true;
  for (const Leak& leak : report.leaks) {
    print(out, "{}{{\"function\": \"{}\", \"count\": {}, \"bytes\": {}, \"caller\": ",
          is_first ? "" : ", ", leak.function, leak.count, leak.bytes);
    write_quoted(out, Style::kJson, leak.caller);
    append(out, "}");
    is_first = false;
  }
  append(out, "]}\n");
}

}  // namespace

FunctionTotal total_of(const char* library, const char* function, const Counters& counters) {
  return {library,         function, counters.calls, counters.errors, counters.nanoseconds,
          counters.longest};
}

void write_summary(Buffer* out, bool as_json, std::vector<FunctionTotal> totals) {
  totals.erase(std::remove_if(totals.begin(), totals.end(),
                              [](const FunctionTotal& total) { return total.calls == 0; }),
               totals.end());
  std::stable_sort(
      totals.begin(), totals.end(),
      [](const FunctionTotal& a, const FunctionTotal& b) { return a.nanoseconds > b.nanoseconds; });
  if (as_json) return write_summary_json(out, totals);
  FunctionTotal all;
  for (const FunctionTotal& total : totals) {
    all.calls += total.calls;
    all.errors += total.errors;
  }
  print(out, "torchada: trace: process {} made {} calls of {} functions; {} returned an error\n",
        getpid(), all.calls, totals.size(), all.errors);
  if (totals.empty()) return;
  print(out, "{:>12} {:>9} {:>12} {:>12} {:>12}  {}\n", "calls", "errors", "total ms", "mean us",
        "longest us", "function");
  for (const FunctionTotal& total : totals) {
    print(out, "{:>12} {:>9} {:>12.3f} {:>12.3f} {:>12.3f}  {} ({})\n", total.calls, total.errors,
          in_milliseconds(total.nanoseconds), mean_in_microseconds(total),
          in_milliseconds(total.longest) * 1e3, total.function, total.library);
  }
}

void write_memory(Buffer* out, bool as_json, const MemoryReport& report) {
  if (as_json) return write_memory_json(out, report);
  print(out,
        "torchada: trace: process {} allocated {} times and freed {} times; at most {} bytes "
        "at once; {} bytes in {} allocations not freed\n",
        getpid(), report.allocations, report.frees, report.peak_bytes, report.live_bytes,
        report.live_count);
  for (const Leak& leak : report.leaks) {
    print(out, "  not freed: {} bytes in {} of {} called at {}\n", leak.bytes, leak.count,
          leak.function, leak.caller);
  }
}

}  // namespace torchada::trace
