// Whether what a recipe fetches is there.
#pragma once

#include <string>

#include "src/command/recipes/recipe.h"

namespace torchada::recipes {

// The file that says that it was unpacked as a whole.
std::string mark_of(const Recipe& recipe, const Fetched& item);
bool is_there(const Recipe& recipe, const Fetched& item);
bool is_complete(const Recipe& recipe);
// What to do if it is not. `named`: as the recipe is named for `kernels fetch`.
std::string sources_missing(const Recipe& recipe, const std::string& named);

}  // namespace torchada::recipes
