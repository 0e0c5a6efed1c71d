#include "stubs/environment.h"

#include <stdlib.h>
#include <string.h>

namespace torchada {
namespace {

bool is_on(const char* name) {
  const char* value = environment(name);
  return value && strcmp(value, "0") != 0;
}

}  // namespace

const char* environment(const char* name) {
  const char* value = secure_getenv(name);
  return value && *value ? value : nullptr;
}

bool is_order(const char* name) { return strncmp(name, "TORCHADA_", 9) == 0; }

LogLevel log_level() {
  const char* value = environment("TORCHADA_LOG");
  if (!value) return LogLevel::kWarn;
  if (strcmp(value, "off") == 0 || strcmp(value, "0") == 0) return LogLevel::kOff;
  if (strcmp(value, "info") == 0) return LogLevel::kInfo;
  if (strcmp(value, "debug") == 0) return LogLevel::kDebug;
  return LogLevel::kWarn;
}

bool strict() { return is_on("TORCHADA_STRICT"); }

bool summary() { return is_on("TORCHADA_SUMMARY"); }

bool disabled(const char* name) {
  const char* list = environment("TORCHADA_DISABLE");
  const size_t length = strlen(name);
  while (list && *list) {
    const size_t word = strcspn(list, ", ");
    if (word == length && memcmp(list, name, length) == 0) return true;
    list += word;
    list += strspn(list, ", ");
  }
  return false;
}

}  // namespace torchada
