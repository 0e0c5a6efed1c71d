// The sources of a recipe, by the names that nvcc writes into names of kernels.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "src/command/recipes/recipe.h"

namespace torchada::recipes {

// SoftMax_cu for .../SoftMax.cu.
std::string told_name(const std::string& path);

class SourceList {
 public:
  explicit SourceList(const Recipe& recipe);

  // Sorted paths.
  const std::vector<std::string>& all() const { return all_; }
  // Those that may be meant by the name: two folders may have a file of that name.
  std::vector<std::string> named(const std::string& told) const;
  // Those that programs usually need, in their order.
  const std::vector<std::string>& usual() const { return usual_; }

 private:
  std::vector<std::string> all_;
  std::vector<std::string> usual_;
  std::map<std::string, std::vector<std::string>> by_name_;
};

}  // namespace torchada::recipes
