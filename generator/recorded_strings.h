// mappings/cuda/strings.yaml: what the real libraries' functions from a status to a text return.
// Programs compare and print these, with or without a GPU, so they are recorded by calling them.
#pragma once

#include <string>
#include <vector>

#include "tables.h"

namespace torchada {

RecordedStrings read_recorded_strings(const std::string& file);
std::string write_recorded_strings(const RecordedStrings& strings);

// True for a prototype "const char * (STATUS)" with STATUS an enum of the tables.
bool is_string_function(const Tables& tables, const Prototype& prototype);

// Calls every such function of the release found below `roots`, for each enumerator and one
// number that is none. The libraries are opened in this process.
RecordedStrings record_strings(const Tables& tables, const std::string& release,
                               const std::vector<std::string>& roots);

// Joins records of several releases; equal answers become one record.
void merge_recorded_strings(RecordedStrings* into, const RecordedStrings& from);

}  // namespace torchada
