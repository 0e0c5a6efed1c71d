#include "src/audit/messages.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace torchada {
namespace {

LogLevel log_level = LogLevel::kWarn;

constexpr size_t kLongest = 2400;  // Short, because threads with a small stack come here too.

// Names come from the program. A control character in one could change what a terminal shows.
// Leaves room for the end of the line.
void append_escaped(const char* text, Text<kLongest>* out) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (; *text && out->size() < kLongest - 8; ++text) {
    const auto byte = static_cast<unsigned char>(*text);
    if (byte >= ' ' && byte != 0x7f) {
      out->append(text, 1);
    } else {
      const char escaped[] = {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15], '\0'};
      *out << escaped;
    }
  }
}

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
  append_escaped(line.c_str(), &whole);
  whole << "\n";
  if (write(STDERR_FILENO, whole.c_str(), whole.size()) < 0) return;
}

void say(LogLevel level, const Text<2048>& line) {
  if (level <= log_level) say_always(line);
}

}  // namespace torchada
