// torchada kernels fetch: brings what a recipe names, with the user's own tools.
#pragma once

#include <string>
#include <vector>

namespace torchada::recipes {

// `from`: files that are used instead of downloads, if one has the wanted SHA-256. Returns the exit
// status.
int fetch(const std::string& recipe, const std::vector<std::string>& from);

}  // namespace torchada::recipes
