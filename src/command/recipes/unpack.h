// Takes files out of archives and wheels.
#pragma once

#include <string>

#include "src/command/recipes/recipe.h"

namespace torchada::recipes {

// Those members that the recipe wants, to the folder. Returns how many. Throws Failure.
int unpack(const std::string& archive, const Fetched& item, const std::string& folder);

}  // namespace torchada::recipes
