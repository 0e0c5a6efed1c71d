// Calls everything that a library exports.
#pragma once

#include <string>
#include <vector>

#include "generator/tables/tables.h"
#include "tests/no_musa/answer_table.h"

namespace no_musa {

// A library of one release, or ours with that SONAME.
struct Subject {
  const torchada::Tables* tables = nullptr;
  torchada::Output output;  // `releases`: those whose exports and types it has, newest last.
  std::string path;
};

// The release whose prototype and types apply to a symbol: the newest that exports it.
std::string release_of(const torchada::CudaSymbol& symbol, const torchada::Output& output);

// Opens the library in a new process and calls every function twice, each time in a child of that
// process: with every argument zero and, if a prototype is known, with pages of zeros for pointers.
// Exports that are not functions have the answer "data". Throws std::runtime_error if the library
// cannot be opened or lacks an export.
LibraryAnswers call_library(const Subject& subject, int seconds);

}  // namespace no_musa
