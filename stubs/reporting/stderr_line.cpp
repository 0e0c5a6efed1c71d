#include "stubs/reporting/stderr_line.h"

#include "src/shared/said_on_node.h"
#include "src/shared/write_line.h"
#include "stubs/table.h"

namespace torchada {

TORCHADA_APART void print_line(const Line& text) {
  Text<1200> line;
  line << "torchada: " << torchada_library.soname << ": ";
  write_line(&line, text);
}

bool is_repeated(LogLevel level, const Line& text) {
  return level == LogLevel::kWarn && is_said_on_node(torchada_library.soname, text.c_str());
}

void warn(const Line& text) {
  if (log_level() >= LogLevel::kWarn && !is_repeated(LogLevel::kWarn, text)) print_line(text);
}

}  // namespace torchada
