// Lines "torchada: TEXT" on standard error. {} in a text stands for an argument, as in fmt.
#pragma once

#include <fmt/core.h>

namespace torchada {

enum class Severity { kInfo, kWarning, kError };

// Compiled once: in each file that writes a line, fmt would take two seconds of compile time.
void write_message(Severity severity, fmt::string_view text, fmt::format_args arguments);

#if FMT_VERSION >= 80000
template <typename... T>
using Format = fmt::format_string<T...>;
#else
template <typename...>
using Format = fmt::string_view;  // Debian 11's checks nothing when it compiles.
#endif

template <typename... T>
void log_info(Format<const T&...> text, const T&... arguments) {
  write_message(Severity::kInfo, text, fmt::make_format_args(arguments...));
}
template <typename... T>
void log_warning(Format<const T&...> text, const T&... arguments) {
  write_message(Severity::kWarning, text, fmt::make_format_args(arguments...));
}
template <typename... T>
void log_error(Format<const T&...> text, const T&... arguments) {
  write_message(Severity::kError, text, fmt::make_format_args(arguments...));
}

}  // namespace torchada
