#include "stubs/system/environment.h"

#include <stdlib.h>
#include <string.h>

#include <atomic>

namespace torchada {
namespace {

bool is_on(const char* name) {
  const char* value = environment(name);
  return value && strcmp(value, "0") != 0;
}

bool is_traced() {
  const char* value = environment("TORCHADA_TRACE");
  return value && strcmp(value, "0") != 0 && strcmp(value, "off") != 0;
}

constexpr uint8_t kKept = 128;
std::atomic<uint8_t> kept{0};  // The requests as last read, with kKept once they are kept.

uint8_t read_requests() {
  unsigned found = 0;
  if (environment("TORCHADA_DISABLE")) found |= kDisable;
  if (environment("TORCHADA_OVERRIDE")) found |= kOverride;
  if (log_level() >= LogLevel::kDebug) found |= kLogRoutes;
  if (summary()) found |= kSummary;
  if (is_traced()) found |= kTrace;
  return static_cast<uint8_t>(found);
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

unsigned requests() {
  uint8_t known = kept.load(std::memory_order_relaxed);
  if ((known & kKept) != 0) return known;
  const uint8_t found = read_requests();
  kept.compare_exchange_strong(known, found, std::memory_order_relaxed);
  return found;
}

void keep_requests() { kept.fetch_or(kKept, std::memory_order_relaxed); }

}  // namespace torchada
