// Formatted text at the end of a buffer. Also compiled into the command.
#pragma once

#include <fmt/format.h>

#include <iterator>

namespace torchada::trace {

// fmt::format_to for every release of fmt that distributions have (format strings are a type of
// their own in newer ones only). Throws fmt::format_error.
template <typename... Arguments>
void print(fmt::memory_buffer* out, fmt::string_view text, const Arguments&... arguments) {
  fmt::vformat_to(std::back_inserter(*out), text, fmt::make_format_args(arguments...));
}

}  // namespace torchada::trace
