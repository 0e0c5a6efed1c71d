// The generated reference: where each exported function leads, for people and for programs.
#pragma once

#include <string>

#include "generator/tables/tables.h"

namespace torchada {

// Writes below `directory`, touching only files whose content changes:
//   README.md        what the columns and fields mean, and the counts
//   LIBRARY.md       one row for each export and each way it is decided
//   assumptions.md   what rests on weak evidence, and on which; functions that programs use most
//                    (mappings/clients.csv) come first
//   clients.md       the functions that programs use, most used first
//   names.json       CUDA's names and MUSA's, for tools that port sources
// Same tables, same bytes. Throws TableError on a defect that check would report.
void emit_reference(const Tables& tables, const std::string& directory);

}  // namespace torchada
