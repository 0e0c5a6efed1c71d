#include "src/command/requests.h"

#include <cstdlib>
#include <filesystem>

#include "src/command/recipes/recipe.h"
#include "src/shared/split.h"

namespace torchada {
namespace {

namespace files = std::filesystem;

constexpr const char* kCapability = "TORCHADA_COMPUTE_CAPABILITY";

// Relative to the present directory, even if the program changes directory before it looks for
// them.
std::string absolute_libraries(const std::string& libraries) {
  std::string out;
  for (const std::string& name : split(libraries, ":")) {
    if (name.empty()) continue;
    if (!files::exists(name)) {
      throw UsageError("--kernels: " + name +
                       " does not exist; name files of device code for MUSA, "
                       "or folders with such files");
    }
    out += (out.empty() ? "" : ":") + files::absolute(name).string();
  }
  if (out.empty()) throw UsageError("--kernels names no kernel library");
  return out;
}

// The name of a recipe, or the path of one.
std::string absolute_recipe(const std::string& recipe) {
  if (recipe.find('/') == std::string::npos && !files::is_regular_file(recipe)) return recipe;
  if (!files::is_regular_file(recipe)) {
    throw UsageError("--kernels-from: " + recipe +
                     " is not a file; give the path of a recipe, or the name of one of torchada's");
  }
  return files::absolute(recipe).string();
}

void add_recipes(const std::string& named, std::vector<EnvironmentVariable>* variables) {
  std::string recipes;
  std::string capability;
  for (const std::string& word : split(named, ":")) {
    const std::string recipe = absolute_recipe(word);
    recipes += (recipes.empty() ? "" : ":") + recipe;
    const std::string wanted = recipes::read_recipe(recipe).capability;
    if (capability.empty()) capability = wanted;
  }
  if (recipes.empty()) throw UsageError("--kernels-from names no recipe");
  variables->push_back({"TORCHADA_KERNELS_FROM", recipes});
  if (!capability.empty() && std::getenv(kCapability) == nullptr) {
    variables->push_back({kCapability, capability});
  }
}

}  // namespace

std::vector<Option> request_options(Requests* storage) {
  return {{"strict", Kind::kSwitch, "",
           "stop at the first unsupported call and print where it was made", &storage->strict},
          {"summary", Kind::kSwitch, "",
           "print at exit how often each unsupported call was made, and which CUDA libraries were "
           "not found",
           &storage->summary},
          {"log-file", Kind::kFile, "PATTERN",
           "append the libraries' messages to this file; %p stands for the process id",
           &storage->log_file},
          {"kernels", Kind::kFile, "FILE:FOLDER:...",
           "take the program's kernels from these kernel libraries, which were made for MUSA; a "
           "folder stands for the files in it",
           &storage->kernels},
          {"kernels-from", Kind::kFile, "RECIPE:RECIPE:...",
           "make each kernel that is in no kernel library when the program launches it, from its "
           "source, as the first RECIPE says that has it: a file, or the name of one of torchada's",
           &storage->kernels_from},
          {"record-kernels", Kind::kFile, "FILE",
           "append each kernel that the program launches to this file, for torchada kernels "
           "prepare --list",
           &storage->record_kernels}};
}

std::vector<EnvironmentVariable> requested_variables(const Requests& requests) {
  std::vector<EnvironmentVariable> out;
  if (requests.strict) out.push_back({"TORCHADA_STRICT", "1"});
  if (requests.summary) out.push_back({"TORCHADA_SUMMARY", "1"});
  if (!requests.log_file.empty()) {
    // Relative to the present directory, even if the program changes directory before its first
    // line.
    out.push_back({"TORCHADA_LOG_FILE", std::filesystem::absolute(requests.log_file)});
  }
  if (!requests.kernels.empty()) {
    out.push_back({"TORCHADA_KERNELS", absolute_libraries(requests.kernels)});
  }
  if (!requests.kernels_from.empty()) add_recipes(requests.kernels_from, &out);
  if (!requests.record_kernels.empty()) {
    out.push_back({"TORCHADA_RECORD_KERNELS", files::absolute(requests.record_kernels)});
  }
  return out;
}

}  // namespace torchada
