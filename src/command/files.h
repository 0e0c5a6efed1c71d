// A tree of files as those see it who live in it: a container's, a process's, or the machine's own.
#pragma once

#include <string>
#include <vector>

namespace torchada {

class Files {
 public:
  Files() = default;
  // `root` is where the tree's "/" lies here; empty for the machine's own.
  explicit Files(std::string root) : root_(std::move(root)) {}

  bool is_own() const { return root_.empty(); }

  // Where a path of the tree lies here once links are followed inside the tree; empty where nothing
  // is there.
  std::string here(const std::string& path) const;
  bool has(const std::string& path) const { return !here(path).empty(); }
  // The path that the tree has for one of here().
  std::string there(const std::string& path) const;
  // Names in a folder, sorted; none where it cannot be read.
  std::vector<std::string> names_in(const std::string& folder) const;

 private:
  std::string root_;
};

}  // namespace torchada
