#include "src/command/recipes/fetch.h"

#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "src/command/command.h"
#include "src/command/recipes/child.h"
#include "src/command/recipes/download.h"
#include "src/command/recipes/fetched.h"
#include "src/command/recipes/folders.h"
#include "src/command/recipes/recipe.h"
#include "src/command/recipes/say.h"
#include "src/command/recipes/source_lock.h"
#include "src/command/recipes/unpack.h"

namespace torchada::recipes {
namespace {

namespace fs = std::filesystem;

struct Given {
  std::string path;
  std::string sha256;
};

std::vector<Given> read_given(const std::vector<std::string>& paths, const Recipe& recipe) {
  std::vector<Given> out;
  for (const std::string& path : paths) {
    if (!fs::is_regular_file(path)) throw UsageError("--from=" + path + ": no such file");
    const std::string hash = sha256_of(path);
    const bool is_wanted = std::any_of(recipe.fetch.begin(), recipe.fetch.end(),
                                       [&](const Fetched& item) { return item.sha256 == hash; });
    if (!is_wanted) {
      throw Failure(path + " is none of the files that recipe " + recipe.name +
                    " names: its SHA-256 is " + hash);
    }
    out.push_back({path, hash});
  }
  return out;
}

std::string name_of(const Fetched& item) { return item.wheel.empty() ? item.file : item.wheel; }

void mark_as_there(const Recipe& recipe, const Fetched& item) {
  const fs::path mark = mark_of(recipe, item);
  fs::create_directories(mark.parent_path());
  std::ofstream out(mark);
  out << name_of(item) << '\n' << std::flush;
  if (!out) throw Failure(mark.string() + " cannot be written");
}

// What an older version of the recipe has left must not be compiled.
void clear_folder(const Recipe& recipe, const Fetched& item) {
  const auto shared = std::count_if(recipe.fetch.begin(), recipe.fetch.end(),
                                    [&](const Fetched& each) { return each.into == item.into; });
  if (shared == 1) fs::remove_all(fs::path(recipe.root) / item.into);
}

void bring(const Recipe& recipe, const Fetched& item, const std::vector<Given>& given) {
  const auto own = std::find_if(given.begin(), given.end(),
                                [&](const Given& each) { return each.sha256 == item.sha256; });
  const std::string folder = recipe.root + "/downloads";
  fs::create_directories(folder);
  const std::string file =
      own != given.end() ? own->path : download(item, folder, recipe.root + "/apt");
  clear_folder(recipe, item);
  unpack(file, item, (fs::path(recipe.root) / item.into).lexically_normal());
  mark_as_there(recipe, item);
  if (own == given.end()) fs::remove(file);
}

void generate(const Recipe& recipe, const Generated& item) {
  const std::string path = recipe.root + "/" + item.makes;
  if (fs::exists(path)) return;
  say("making " + item.makes);
  const int status = run_shown({"/bin/sh", "-c", item.run}, recipe.root);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !fs::exists(path)) {
    throw Failure(item.makes + " was not made by: " + item.run);
  }
}

}  // namespace

int fetch(const std::string& named, const std::vector<std::string>& from) {
  const Recipe recipe = read_recipe(named);
  if (recipe.fetch.empty()) {
    say("recipe " + recipe.name + " fetches nothing: its sources are in " + recipe.root);
    return kExitOk;
  }
  const std::vector<Given> given = read_given(from, recipe);
  make_own_folder(recipe.root);
  const SourceLock owner(recipe.root + "/fetch.lock");
  if (!owner.try_lock()) {
    say("waiting for another process, which fetches " + recipe.name);
    owner.lock();
  }
  for (std::size_t i = 0; i < recipe.fetch.size(); ++i) {
    const Fetched& item = recipe.fetch[i];
    const bool is_old = is_there(recipe, item);
    say(std::to_string(i + 1) + " of " + std::to_string(recipe.fetch.size()) + ": " +
        name_of(item) + (is_old ? " (there already)" : ""));
    if (!is_old) bring(recipe, item, given);
  }
  for (const Generated& item : recipe.generate) generate(recipe, item);
  fs::remove_all(recipe.root + "/downloads");
  fs::remove_all(recipe.root + "/apt");
  say("recipe " + recipe.name + " is complete in " + recipe.root);
  return kExitOk;
}

}  // namespace torchada::recipes
