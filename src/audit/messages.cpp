#include "src/audit/messages.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace torchada {
namespace {

LogLevel log_level = LogLevel::kWarn;

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
  Text<2100> whole;
  whole << "torchada: audit: " << line.c_str() << "\n";
  if (write(STDERR_FILENO, whole.c_str(), whole.size()) < 0) return;
}

void say(LogLevel level, const Text<2048>& line) {
  if (level <= log_level) say_always(line);
}

}  // namespace torchada
