// A tree of files as seen from inside: a container's, a process's, or this machine's own.
#pragma once

#include <string>
#include <vector>

namespace torchada {

// What comes after the last slash of a path, and what comes before it: empty if there is none.
std::string base_name_of(const std::string& path);
std::string folder_of(const std::string& path);

class Files {
 public:
  Files() = default;
  // `root` is the path of the tree's "/" on this machine. Empty for this machine's own files.
  explicit Files(std::string root) : root_(std::move(root)) {}

  bool is_own() const { return root_.empty(); }

  // The path on this machine for a path of the tree. Links are followed inside the tree. Empty if
  // nothing exists there.
  std::string here(const std::string& path) const;
  bool has(const std::string& path) const { return !here(path).empty(); }
  // The path in the tree for a path returned by here().
  std::string there(const std::string& path) const;
  // Sorted names in a directory. None if it cannot be read.
  std::vector<std::string> names_in(const std::string& folder) const;

 private:
  std::string root_;
};

}  // namespace torchada
