// Drafts rows for exports that have none, from the facts alone. A maintainer reviews and commits
// them.
#pragma once

#include <string>

#include "generator/tables/tables.h"

namespace torchada {

// YAML lines for the `rows` of one library, sorted by name; empty if every export has a row.
std::string propose_rows(const Tables& tables, const std::string& library);

}  // namespace torchada
