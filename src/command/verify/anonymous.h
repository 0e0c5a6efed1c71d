// Takes out of a text what tells one machine from another. Text from the loader and from drivers
// may hold it.
#pragma once

#include <string>

namespace torchada::verify {

// Of a path only the name of the file stays, without what is above it; `host_name` becomes
// "(host)", and a universally unique identifier, which serves as a serial number, "(uuid)".
std::string anonymous(const std::string& text, const std::string& host_name);

// `text` with `by` for `word` wherever it is a whole word; letters, digits, - and _ make words.
std::string without_word(const std::string& text, const std::string& word, const char* by);

// Of this machine. Empty if it has none.
std::string own_host_name();

}  // namespace torchada::verify
