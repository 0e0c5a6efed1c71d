#pragma once

#include <string>

namespace torchada {

// All that can be read from the file. Empty if it cannot be opened.
std::string file_contents(const char* path);

}  // namespace torchada
