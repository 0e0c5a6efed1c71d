// Text in the data of a binary: names of libraries that it may open, and other markers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace torchada {

// Strings that end in a shared library's name ("libX.so", "/opt/libX.so.12"), each once, in the
// order of their first occurrence.
std::vector<std::string> library_strings(std::string_view data);

// Calls `visit` with each whole string that is an identifier and begins with one of these letters.
void visit_identifiers(std::string_view data, std::string_view first_letters,
                       const std::function<void(std::string_view)>& visit);

// The same for identifiers with dots between them ("a.b.c"), as modules of Python have.
void visit_dotted_names(std::string_view data, const std::function<void(std::string_view)>& visit);

// Where the text begins, or npos. Fast on large files.
std::size_t find_text(std::string_view data, std::string_view text);

// Whether the text is present as a whole string: with a null on both sides.
bool has_string(std::string_view data, std::string_view text);

}  // namespace torchada
