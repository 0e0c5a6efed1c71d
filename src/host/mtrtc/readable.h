// Text for programs to print: compilers quote what sources say, and sources may hold anything.
#pragma once

#include <string>

namespace host_mtrtc {

// The text with a question mark for each byte that is neither part of UTF-8 nor printable, except
// tabs and the ends of lines.
std::string readable(const std::string& text);

}  // namespace host_mtrtc
