// Text in the data of a binary: names of libraries that it may open, and other markers.
#pragma once

#include <bitset>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace torchada {

// Strings that end in a shared library's name ("libX.so", "/opt/libX.so.12"), each once, in the
// order of their first occurrence. Sets `has_mark` if the text `mark` is in the data.
std::vector<std::string> library_strings(std::string_view data, std::string_view mark,
                                         bool& has_mark);

// The first two letters of some names. Few words of a program begin with those of CUDA's.
class Beginnings {
 public:
  void add(std::string_view name) {
    pairs_[pair(name[0], name[1])] = true;
  }  // Two letters or more.
  bool has(char first, char second) const { return pairs_[pair(first, second)]; }
  bool has(std::string_view name) const { return name.size() > 1 && has(name[0], name[1]); }

 private:
  static std::size_t pair(char first, char second) {
    return static_cast<unsigned char>(first) * 256U + static_cast<unsigned char>(second);
  }
  std::bitset<std::size_t{256} * 256> pairs_;
};

// Calls `visit` with each whole string that is an identifier and begins so.
void visit_identifiers(std::string_view data, const Beginnings& beginnings,
                       const std::function<void(std::string_view)>& visit);

// The same for identifiers with dots between them ("a.b.c"), as modules of Python have.
void visit_dotted_names(std::string_view data, const std::function<void(std::string_view)>& visit);

// Where the text begins, or npos. Fast on large files.
std::size_t find_text(std::string_view data, std::string_view text);

// Whether the text is present as a whole string: with a null on both sides.
bool has_string(std::string_view data, std::string_view text);

}  // namespace torchada
