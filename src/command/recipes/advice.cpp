#include "src/command/recipes/advice.h"

#include <filesystem>

#include "src/command/recipes/arch.h"
#include "src/command/recipes/compiler.h"
#include "src/command/recipes/fetched.h"
#include "src/command/recipes/folders.h"
#include "src/command/recipes/program_check.h"
#include "src/command/recipes/recipe.h"
#include "src/command/text_layout.h"

namespace torchada::recipes {
namespace {

namespace fs = std::filesystem;

// Whether one of the folders above `path` has the program.
bool is_beside(const Recipe& recipe, const fs::path& path) {
  if (recipe.program.file.empty()) return false;
  for (fs::path folder = path.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (is_right_file(recipe, folder / recipe.program.file)) return true;
  }
  return false;
}

std::string lacking(const Recipe& recipe) {
  std::vector<std::string> out;
  if (!is_complete(recipe)) {
    out.push_back("its sources (torchada kernels fetch " + recipe.name + ")");
  }
  const Compiler compiler(image_arch(), {}, "");
  if (!compiler.missing().empty()) out.push_back("a compiler: " + compiler.missing());
  return joined(out, "; ");
}

}  // namespace

std::string advice_for(const std::string& path) {
  for (const std::string& name : names_of_installed()) {
    const Recipe recipe = read_recipe(name);
    if (!is_beside(recipe, path)) continue;
    const std::string missing = lacking(recipe);
    return recipe.program.name + ": its kernels run with torchada run --kernels-from=" + name +
           ", which makes them from their sources" +
           (missing.empty() ? "" : "; still lacking: " + missing) +
           (recipe.refused.empty() ? "" : "; refused all the same: " + joined(recipe.refused));
  }
  return "";
}

}  // namespace torchada::recipes
