// Text of the companion's own, for people: on stderr, and in the file of TORCHADA_LOG_FILE.
#pragma once

#include <string>
#include <string_view>

namespace torchada {

// All of it, in one write() where the system takes it so. False where it cannot be written; does
// not wait longer than a second for a reader that does not read.
bool write_all(int descriptor, std::string_view text);

// The same for what is no pipe or socket, and cannot raise SIGPIPE: saves the calls that hold it
// back.
bool write_all_to_file(int descriptor, std::string_view text);

// A line in both places: on stderr "torchada: ", what comes `before`, and `text`.
void say(const char* library, const std::string& text, const std::string& before = "");

}  // namespace torchada
