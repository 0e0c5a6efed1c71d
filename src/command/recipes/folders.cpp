#include "src/command/recipes/folders.h"

#include <algorithm>
#include <filesystem>

#include "src/command/command.h"
#include "src/command/installation.h"
#include "src/command/variables.h"
#include "src/host/shared/files.h"

namespace torchada::recipes {

namespace fs = std::filesystem;

std::string installed_recipes() { return installation_root() + "/share/recipes"; }

std::vector<std::string> names_of_installed() {
  std::vector<std::string> out;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(installed_recipes(), error)) {
    if (entry.path().extension() == ".yaml") out.push_back(entry.path().stem());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string kernels_folder() {
  if (const std::string named = environment_variable("TORCHADA_KERNELS_FOLDER"); !named.empty()) {
    return fs::absolute(named).lexically_normal();
  }
  // The XDG base directory specification: a relative path is ignored.
  if (const std::string cache = environment_variable("XDG_CACHE_HOME"); cache.starts_with('/')) {
    return cache + "/torchada/kernels";
  }
  const std::string home = environment_variable("HOME");
  if (home.empty()) {
    throw Failure(
        "neither TORCHADA_KERNELS_FOLDER nor HOME is set, so there is no folder for kernels");
  }
  return home + "/.cache/torchada/kernels";
}

std::string objects_folder() { return kernels_folder() + "/objects"; }

void enter_objects_folder() {
  std::error_code error;
  fs::current_path(objects_folder(), error);
  if (error) throw Failure(objects_folder() + ": " + error.message());
}

void make_own_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  const host::OwnFolder folder(path);
  if (!folder.why().empty()) throw Failure(path + " is not used: " + folder.why());
}

}  // namespace torchada::recipes
