// Formatted text at the end of a buffer. Also compiled into the command.
#pragma once

#include <fmt/format.h>

#include <iterator>

namespace torchada::trace {

// fmt::format_to for every fmt release in distributions (only newer ones have a separate type for
// format strings). Throws fmt::format_error.
template <typename... Arguments>
void print(fmt::memory_buffer* out, fmt::string_view text, const Arguments&... arguments) {
  fmt::vformat_to(std::back_inserter(*out), text, fmt::make_format_args(arguments...));
}

}  // namespace torchada::trace
