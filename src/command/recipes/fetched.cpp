#include "src/command/recipes/fetched.h"

#include <algorithm>
#include <filesystem>

namespace torchada::recipes {

std::string mark_of(const Recipe& recipe, const Fetched& item) {
  return recipe.root + "/fetched/" + item.sha256;
}

bool is_there(const Recipe& recipe, const Fetched& item) {
  return std::filesystem::exists(mark_of(recipe, item));
}

bool is_complete(const Recipe& recipe) {
  return std::all_of(recipe.fetch.begin(), recipe.fetch.end(),
                     [&](const Fetched& item) { return is_there(recipe, item); }) &&
         std::all_of(recipe.generate.begin(), recipe.generate.end(), [&](const Generated& item) {
           return std::filesystem::exists(recipe.root + "/" + item.makes);
         });
}

std::string sources_missing(const Recipe& recipe, const std::string& named) {
  return "the sources of recipe " + recipe.name + " are not there; run: torchada kernels fetch " +
         named;
}

}  // namespace torchada::recipes
