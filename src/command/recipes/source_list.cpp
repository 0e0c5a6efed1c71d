#include "src/command/recipes/source_list.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "src/command/files.h"
#include "src/shared/nvcc_name.h"

namespace torchada::recipes {
namespace {

std::vector<std::string> files_of(const std::string& pattern) {
  glob_t found;
  std::vector<std::string> out;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    out.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  return out;
}

}  // namespace

std::string told_name(const std::string& path) {
  std::string out = base_name_of(path);
  std::transform(out.begin(), out.end(), out.begin(), kernels::in_source_name);
  return out;
}

SourceList::SourceList(const Recipe& recipe) {
  std::set<std::string> paths;
  for (const std::string& pattern : recipe.sources) {
    for (const std::string& file : files_of(pattern)) paths.insert(file);
  }
  for (const auto& [told, files] : recipe.exceptions) {
    for (const std::string& file : files) {
      if (std::filesystem::exists(file)) paths.insert(file);
    }
  }
  all_.assign(paths.begin(), paths.end());
  for (const std::string& path : all_) by_name_[told_name(path)].push_back(path);
  for (const auto& [told, files] : recipe.exceptions) by_name_[told] = files;
  for (const std::string& name : recipe.usual) {
    for (const std::string& path : named(told_name(name))) usual_.push_back(path);
  }
}

std::vector<std::string> SourceList::named(const std::string& told) const {
  const auto found = by_name_.find(told);
  return found == by_name_.end() ? std::vector<std::string>() : found->second;
}

}  // namespace torchada::recipes
