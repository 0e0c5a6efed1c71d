// Text that the companion prints for users: on stderr, and in the file of TORCHADA_LOG_FILE.
#pragma once

#include <string>

namespace torchada {

// Prints a line in both places; on stderr it is "torchada: ", then `before`, then `text`.
void say(const char* library, const std::string& text, const std::string& before = "");

}  // namespace torchada
