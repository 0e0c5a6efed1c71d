#include "report.h"

#include "environment.h"
#include "log.h"

namespace torchada {
namespace {

uint8_t no_backend_reported;

void append_result(Line* line, const Symbol& symbol, const char* name, int status) {
  if (symbol.returns == Returns::kStatus) {
    *line << "; returning " << name << " (" << status << ")";
  }
}

}  // namespace

void report_once(uint8_t* flag, const Line& text) {
  if (__atomic_exchange_n(flag, 1, __ATOMIC_RELAXED) == 0) log(LogLevel::kWarn, text);
  if (strict()) stop_with_backtrace();
}

void report_unsupported(const Symbol& symbol, const char* reason) {
  Line line;
  line << torchada_library.strings + symbol.name << " is not supported: " << reason;
  if (symbol.decision == Decision::kNoImage) {
    append_result(&line, symbol, torchada_library.no_image_name, torchada_library.no_image);
  } else {
    append_result(&line, symbol, torchada_library.unsupported_name, torchada_library.unsupported);
  }
  report_once(&torchada_reported[&symbol - torchada_library.symbols], line);
}

void report_no_backend(const Symbol& symbol) {
  Line line;
  line << "no MUSA found";
  bool ordered = false;
  for (const char* const* name = torchada_backend_table.root_variables; *name; ++name) {
    const char* root = is_order(*name) ? environment(*name) : nullptr;
    if (!root) continue;
    line << " below " << *name << "=" << root;
    ordered = true;
  }
  if (!ordered) line << " (TORCHADA_LOG=debug lists the places tried)";
  line << "; first call: " << torchada_library.strings + symbol.name;
  append_result(&line, symbol, torchada_library.no_backend_name, torchada_library.no_backend);
  report_once(&no_backend_reported, line);
}

}  // namespace torchada
