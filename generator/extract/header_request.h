// Which header is read, and how.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace torchada {

// A header that cannot be parsed, or two headers that contradict each other.
class ExtractError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct HeaderRequest {
  std::string header;  // As written between <>; looked up in `include_folders`.
  std::vector<std::string> include_folders;  // Only declarations in these folders are facts.
  std::vector<std::string> defines;          // NAME or NAME=VALUE
  std::vector<std::string> includes_before;
  std::vector<std::string> macros;  // Integer macros to evaluate.
  std::string text_after;           // Declarations to parse after the header.
  bool cxx = false;
  bool tolerate_errors = false;  // Take what parses; drop a declaration with an error.
};

// Path of `header` in the first folder that has it; empty if none does.
std::string find_header(const std::string& header, const std::vector<std::string>& folders);

}  // namespace torchada
