// Describes how extracted facts differ from a table's.
#pragma once

#include <string>
#include <vector>

#include "generator/tables/model.h"

namespace torchada {

// "cudaError_t (void **, size_t)"
std::string describe(const Prototype& prototype);

// One text per difference: "size: table 8, extracted 16". Empty if they agree.
std::vector<std::string> differences(const TypeFact& table, const TypeFact& extracted);
std::vector<std::string> differences(const EnumLayout& table, const EnumLayout& extracted);
std::vector<std::string> differences(const StructLayout& table, const StructLayout& extracted);

}  // namespace torchada
