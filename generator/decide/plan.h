// Plans a replacement library (library_plan.h).
#pragma once

#include "generator/decide/library_plan.h"
#include "generator/tables/tables.h"

namespace torchada {

// Throws TableError if an export has no row, or if what its row says is not possible.
LibraryPlan plan_library(const Tables& tables, const Output& output);

}  // namespace torchada
