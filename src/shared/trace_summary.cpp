#include "src/shared/trace_summary.h"

#include <algorithm>

#include "src/shared/print.h"
#include "src/shared/printable_string.h"

namespace torchada::trace {
namespace {

double in_microseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e3; }

void keep_called(std::vector<FunctionTotal>* totals) {
  totals->erase(std::remove_if(totals->begin(), totals->end(),
                               [](const FunctionTotal& total) { return total.calls == 0; }),
                totals->end());
  std::stable_sort(
      totals->begin(), totals->end(),
      [](const FunctionTotal& a, const FunctionTotal& b) { return a.nanoseconds > b.nanoseconds; });
}

}  // namespace

void write_summary(fmt::memory_buffer* out, const std::string& who,
                   std::vector<FunctionTotal> totals) {
  keep_called(&totals);
  FunctionTotal all;
  for (const FunctionTotal& total : totals) {
    all.calls += total.calls;
    all.errors += total.errors;
  }
  print(out, "torchada: trace: {} made {} calls of {} functions; {} returned an error\n", who,
        all.calls, totals.size(), all.errors);
  if (totals.empty()) return;
  print(out, "{:>12} {:>9} {:>12} {:>12} {:>12}  {}\n", "calls", "errors", "total ms", "mean us",
        "longest us", "function");
  for (const FunctionTotal& total : totals) {
    print(out, "{:>12} {:>9} {:>12.3f} {:>12.3f} {:>12.3f}  {} ({})\n", total.calls, total.errors,
          in_microseconds(total.nanoseconds) / 1e3,
          in_microseconds(total.nanoseconds) / static_cast<double>(total.calls),
          in_microseconds(total.longest), printable(total.function), printable(total.library));
  }
}

void write_summary_json(fmt::memory_buffer* out, int process, std::vector<FunctionTotal> totals) {
  keep_called(&totals);
  print(out, "{{\"event\": \"summary\", \"process\": {}, \"functions\": [", process);
  const char* comma = "";
  for (const FunctionTotal& total : totals) {
    print(out,
          "{}{{\"library\": \"{}\", \"function\": \"{}\", \"calls\": {}, \"errors\": {}, "
          "\"total_ns\": {}, \"longest_ns\": {}}}",
          comma, total.library, total.function, total.calls, total.errors, total.nanoseconds,
          total.longest);
    comma = ", ";
  }
  print(out, "]}}");
}

}  // namespace torchada::trace
