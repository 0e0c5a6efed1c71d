// Checks the sources of the facts about MUSA.
#pragma once

#include <string>
#include <vector>

#include "generator/tables/tables.h"

namespace torchada {

// "FILE:LINE: message" for each source that is not in sources.yaml, each fact whose tier is
// stronger than its sources, each range of SDKs that is wider than its sources show, and each
// listed source that no fact cites.
std::vector<std::string> source_defects(const Tables& tables);

}  // namespace torchada
