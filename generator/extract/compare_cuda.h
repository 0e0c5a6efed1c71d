// Compares freshly extracted releases with the same releases of the committed tables.
#pragma once

#include <string>
#include <vector>

#include "generator/tables/cuda_tables.h"

namespace torchada {

// One line per difference: "cudart: cudaFoo: 13.0: prototype differs: table ..., extracted ...".
// `extracted` has the releases to compare; releases that only `table` has are ignored.
std::vector<std::string> compare_cuda(const CudaLibrary& table, const CudaLibrary& extracted);

}  // namespace torchada
