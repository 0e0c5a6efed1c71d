#include "src/companion/trace/report.h"

#include <unistd.h>

#include "src/shared/print.h"

namespace torchada::trace {
namespace {

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

void write_memory(Buffer* out, bool as_json, const MemoryReport& report) {
  if (as_json) return write_memory_json(out, report);
  print(out,
        "torchada: trace: process {} allocated {} times and freed {} times; at most {} bytes "
        "at once; {} bytes in {} allocations not freed\n",
        getpid(), report.allocations, report.frees, report.peak_bytes, report.live_bytes,
        report.live_count);
  for (const Leak& leak : report.leaks) {
    print(out, "  not freed: {} bytes in {} allocations by {} at {}\n", leak.bytes, leak.count,
          leak.function, leak.caller);
  }
}

}  // namespace torchada::trace
