// Variables of the environment with a number. A value that is none, or that is out of range, is
// told once for each variable; what holds without the variable stays.
#pragma once

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <system_error>

#include "src/host/shared/never_destroyed.h"
#include "src/host/shared/say.h"

namespace host {

// Once for each variable of a library.
inline void say_ignored(const char* variable, const std::string& value,
                        const std::string& expected) {
  static std::mutex* const mutex = new std::mutex;
  {
    const std::lock_guard lock(*mutex);
    if (!never_destroyed<std::set<std::string>>().insert(variable).second) return;
  }
  constexpr std::size_t kShown = 80;
  say(std::string(variable) + "=" + value.substr(0, kShown) + (value.size() > kShown ? "..." : "") +
      " is ignored: expected " + expected);
}

// A whole number from `least` to `most`; `otherwise` if the variable is not set or empty.
inline long number_variable(const char* variable, long least, long most, long otherwise) {
  const char* const text = secure_getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  long number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);  // errno is the program's.
  if (error == std::errc{} && stop == end && number >= least && number <= most) return number;
  say_ignored(variable, text,
              "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return otherwise;
}

}  // namespace host
