// share/tables.bin: what torchada-gen knows about exports, MUSA functions, types and facts.
#pragma once

#include <string>

#include "src/shared/records.h"

namespace torchada::tables {

// Maps the file below the installation's root, until the command ends. Throws Failure with the
// file's path if it is missing or damaged.
const Tables& read(const std::string& root);

}  // namespace torchada::tables
