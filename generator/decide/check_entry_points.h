// Checks that mappings/cuda/entry_points.yaml and the exports of its library agree.
#pragma once

#include <string>
#include <vector>

#include "generator/tables/tables.h"

namespace torchada {

// One line "FILE:LINE: ..." for each defect: a function that is no export, an export that no
// request means, a per-thread function that does not belong to exactly one other function of its
// name, a version that no release of the tables has. Empty for outputs of other libraries.
std::vector<std::string> entry_point_defects(const Tables& tables, const Output& output);

// The functions per thread of a name: of cuMemcpy_ptds, cuMemcpy. Null if there is none.
const EntryPoint* per_thread_of(const std::vector<EntryPoint>& entries, const EntryPoint& plain);

// 12090 for "12.9", the number that CUDA's version functions return.
int cuda_version_number(const std::string& release);

// The number of the newest release of the tables: the version of the driver that the libraries
// report.
int newest_cuda_version(const Tables& tables);

}  // namespace torchada
