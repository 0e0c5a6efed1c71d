// How the commands write lists and indented lines.
#pragma once

#include <string>
#include <vector>

namespace torchada {

// "a, b, c". Skips empty items at the beginning; later ones count.
std::string joined(const std::vector<std::string>& items, const char* separator = ", ");

// `text` and a newline, indented by two spaces for each level of `depth`. `text` may come from
// files and devices: it is escaped, so it cannot be coloured.
std::string line(int depth, const std::string& text);

}  // namespace torchada
