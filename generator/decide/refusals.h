// Which arguments the adapters of a library may refuse, with the names for the line about it.
#pragma once

#include "generator/decide/library_plan.h"
#include "generator/tables/tables.h"

namespace torchada {

RefusalPlan plan_refusals(const Tables& tables, const LibraryPlan& plan);

}  // namespace torchada
