// Facts from C and C++ headers, read with libclang: names, numbers and layouts, never text.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "generator/tables/model.h"

namespace torchada {

// A header that cannot be parsed, or two headers that contradict each other.
class ExtractError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct HeaderFunction {
  Prototype prototype;
  std::string header;  // Relative to its include folder: "crt/host_runtime.h".
  std::string name;    // As written; for C++ linkage the linker's name differs.
};

struct HeaderType {
  TypeFact fact;
  std::string header;
};

struct HeaderFacts {
  std::map<std::string, HeaderFunction> functions;  // By the linker's name.
  std::map<std::string, HeaderType> types;
  std::map<std::string, std::int64_t> macros;  // The requested ones that have an integer value.
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

// Throws ExtractError if the header is missing or does not parse.
HeaderFacts parse_header(const HeaderRequest& request);

// Path of `header` in the first folder that has it; empty if none does.
std::string find_header(const std::string& header, const std::vector<std::string>& folders);

// Adds `more`. Existing facts stay; a contradiction throws ExtractError.
void merge_facts(HeaderFacts& facts, const HeaderFacts& more);

bool same_fact(const TypeFact& left, const TypeFact& right);

}  // namespace torchada
