// Checks that `attributes` of mappings/forward/ holds what the adapters of an output need.
#pragma once

#include "generator/tables/tables.h"

namespace torchada {

// Throws TableError at the first defect.
void check_attributes(const Tables& tables, const Output& output);

}  // namespace torchada
