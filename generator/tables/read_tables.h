// Reads all tables, and checks what one of them says of another.
#pragma once

#include <string>

#include "generator/tables/tables.h"

namespace torchada {

// Reads mappings/. Throws std::runtime_error with the first defect of each file, a line each.
Tables read_tables(const std::string& directory);
// Like read_tables, but without mappings/forward (for drafting it).
Tables read_facts(const std::string& directory);

}  // namespace torchada
