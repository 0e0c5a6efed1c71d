#include "stubs/reporting/report.h"

#include <string.h>

#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"
#include "stubs/reporting/summary.h"
#include "stubs/system/environment.h"
#include "stubs/system/loader.h"

namespace torchada {
namespace {

uint8_t no_backend_reported;
char last_line[sizeof(Line)];

void append_result(Line* line, const Symbol& symbol, FailureKind failure) {
  if (symbol.returns != Returns::kStatus) return;
  if (const OwnStatus* const own = own_status(symbol, failure)) {
    *line << "; returning " << own->status;
    return;
  }
  const Status& status = torchada_library.status[static_cast<int>(failure)];
  *line << "; returning " << status.name << " (" << status.value << ")";
}

bool is_first(uint8_t* flag) { return __atomic_exchange_n(flag, 1, __ATOMIC_RELAXED) == 0; }

void append_places(Line* line) {
  bool ordered = false;
  for (const char* const* name = torchada_backend_table.root_variables; *name; ++name) {
    const char* root = is_order(*name) ? environment(*name) : nullptr;
    if (!root) continue;
    *line << " below " << *name << "=" << root;
    ordered = true;
  }
  if (!ordered) *line << " (TORCHADA_LOG=debug lists the places tried)";
}

}  // namespace

const char* last_refusal() { return last_line; }

void report_refusal(bool first, const Line& text, const Line& row, LogLevel level) {
  memcpy(last_line, text.c_str(), text.size() + 1);
  if (strict()) stop_with_backtrace(text);
  if (first) log(level, text);
  count_refusal(row);
}

bool every_refusal_counts() { return strict() || summary(); }

void report_once(uint8_t* flag, const Line& text) { report_refusal(is_first(flag), text, text); }

void report_unsupported(const Symbol& symbol, FailureKind failure, const char* reason) {
  Line line;
  line << torchada_library.strings + symbol.name << " is not supported: " << reason;
  append_result(&line, symbol, failure);
  report_once(&torchada_reported[&symbol - torchada_library.symbols], line);
}

void report_no_backend(const Symbol& symbol, const char* musart) {
  // A call that succeeds without a driver is not refused.
  const OwnStatus* const own = own_status(symbol, FailureKind::kNoBackend);
  if (own && own->status == 0) return;
  Line line;
  if (musart) {
    const char* const slash = strrchr(musart, '/');
    line << "no usable " << torchada_backend_table.names[static_cast<int>(symbol.backend)]
         << " in ";
    line.append(musart, slash ? static_cast<size_t>(slash - musart) : 0);
  } else if (!in_base_namespace()) {
    line << "opened by dlmopen in a namespace of its own, and MUSA is opened only in the main one; "
            "load this library with dlopen";
  } else {
    line << "no MUSA found";
    append_places(&line);
  }
  const char* const name = torchada_library.strings + symbol.name;
  Line row;  // Unlike the line, there is one per function.
  row << name << ": " << line.c_str();
  append_result(&row, symbol, FailureKind::kNoBackend);
  line << "; first call: " << name;
  append_result(&line, symbol, FailureKind::kNoBackend);
  report_refusal(is_first(&no_backend_reported), line, row, LogLevel::kWarn);
}

}  // namespace torchada
