// How the commands write lists and indented lines.
#pragma once

#include <string>
#include <vector>

namespace torchada {

// "a, b, c"; empty items count, but for the first ones.
std::string joined(const std::vector<std::string>& items, const char* separator = ", ");

// `text` and the end of its line, two blanks further in for each step of `depth`.
std::string line(int depth, const std::string& text);

}  // namespace torchada
