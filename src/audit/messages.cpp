#include "src/audit/messages.h"

#include <stdlib.h>
#include <string.h>

#include "src/shared/said_on_node.h"
#include "src/shared/write_line.h"

namespace torchada {
namespace {

LogLevel log_level = LogLevel::kWarn;

constexpr size_t kLongest = 2400;  // Short, because threads with a small stack come here too.

}  // namespace

const char* environment(const char* name) {
  const char* value = secure_getenv(name);
  return value && *value ? value : nullptr;
}

bool is_on(const char* name) {
  const char* value = environment(name);
  return value && strcmp(value, "0") != 0;
}

void read_log_level() {
  const char* value = environment("TORCHADA_LOG");
  if (!value) return;
  if (strcmp(value, "off") == 0) log_level = LogLevel::kOff;
  if (strcmp(value, "info") == 0) log_level = LogLevel::kInfo;
  if (strcmp(value, "debug") == 0) log_level = LogLevel::kDebug;
}

void say_always(const Text<2048>& line) {
  Text<kLongest> whole;
  whole << "torchada: audit: ";
  write_line(&whole, line);
}

void say(LogLevel level, const Text<2048>& line) {
  if (level > log_level) return;
  if (level == LogLevel::kWarn && is_said_on_node("audit", line.c_str())) return;
  say_always(line);
}

}  // namespace torchada
