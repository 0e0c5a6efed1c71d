#include "stubs/adapting/version_override.h"

#include "stubs/reporting/log.h"
#include "stubs/system/environment.h"

namespace torchada {
namespace {

bool read_number(const char** text, int* number) {
  int digits = 0;
  for (*number = 0; **text >= '0' && **text <= '9' && digits < 3; ++*text, ++digits) {
    *number = *number * 10 + (**text - '0');
  }
  return digits == 1 || digits == 2;
}

bool read_version(const char* text, Version* version) {
  version->patch = 0;
  if (!read_number(&text, &version->major) || *text++ != '.') return false;
  if (!read_number(&text, &version->minor)) return false;
  if (*text == '.' && (++text, !read_number(&text, &version->patch))) return false;
  return *text == '\0';
}

}  // namespace

bool version_override(const char* variable, Version* version) {
  const char* text = environment(variable);
  if (!text) return false;
  Version read;
  if (read_version(text, &read)) {
    *version = read;
    return true;
  }
  static uint8_t said;
  if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED) == 0) {
    ShownValue shown;
    shown << text;
    Line line;
    line << variable << "=" << shown.c_str()
         << " is ignored: expected MAJOR.MINOR or MAJOR.MINOR.PATCH, for example 12.4 or 2.27.3";
    log(LogLevel::kWarn, line);
  }
  return false;
}

}  // namespace torchada
