#include "src/audit/messages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "src/shared/printable.h"
#include "src/shared/without_pipe_signal.h"

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
  append_printable(&whole, line.c_str(), line.size());  // Names come from the program.
  const WithoutPipeSignal quiet;
  char end[] = "\n";  // Apart, because escapes may have filled the line.
  const iovec parts[] = {{const_cast<char*>(whole.c_str()), whole.size()}, {end, 1}};
  if (writev(STDERR_FILENO, parts, 2) < 0) return;
}

void say(LogLevel level, const Text<2048>& line) {
  if (level <= log_level) say_always(line);
}

}  // namespace torchada
