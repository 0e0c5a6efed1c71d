// Facts from C and C++ headers, read with libclang: names, numbers and layouts, never text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/extract/header_request.h"
#include "generator/tables/model.h"

namespace torchada {

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

// Throws ExtractError if the header is missing or does not parse.
HeaderFacts parse_header(const HeaderRequest& request);

// Adds `more`. Existing facts stay; a contradiction throws ExtractError.
void merge_facts(HeaderFacts& facts, const HeaderFacts& more);

bool same_fact(const TypeFact& left, const TypeFact& right);

}  // namespace torchada
