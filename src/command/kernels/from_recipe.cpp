// Takes sources and their flags from a recipe.
#include <filesystem>

#include "src/command/command.h"
#include "src/command/kernels/build.h"
#include "src/command/recipes/fetched.h"
#include "src/command/recipes/source_list.h"
#include "src/command/text_layout.h"

namespace torchada::kernels {
namespace {

// A path, or the name of one of the recipe's sources.
std::string source_for(const std::string& word, const recipes::Recipe& recipe,
                       const recipes::SourceList& sources) {
  if (std::filesystem::is_regular_file(word)) return word;
  const std::vector<std::string> found = sources.named(recipes::told_name(word));
  if (found.empty()) throw UsageError(word + ": no such file, and no source of " + recipe.name);
  if (found.size() > 1) {
    throw UsageError(word + ": recipe " + recipe.name +
                     " has several; name one by its path: " + joined(found));
  }
  return found.front();
}

}  // namespace

void add_recipe(const std::string& named, BuildRequest* request) {
  const recipes::Recipe recipe = recipes::read_recipe(named);
  if (!recipes::is_complete(recipe)) throw Failure(recipes::sources_missing(recipe, named));
  const recipes::SourceList sources(recipe);
  for (std::string& source : request->sources) source = source_for(source, recipe, sources);
  const std::vector<std::string> flags = recipes::compiler_flags(recipe);
  request->flags.insert(request->flags.end(), flags.begin(), flags.end());
}

}  // namespace torchada::kernels
