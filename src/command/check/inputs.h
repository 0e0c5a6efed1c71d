// The files below the paths that a user gives.
#pragma once

#include <string>
#include <vector>

namespace torchada::check {

struct Input {
  std::string path;
  bool named = false;  // Named by the user, not found in a directory.
};

// A directory, or a link to one, whose files are not among the inputs.
struct SkippedFolder {
  std::string path;
  std::string reason;
  bool unreadable = false;  // Otherwise left out on purpose.
};

// Each file and each directory once, known by device and inode, so that loops of links end. Sorted
// by name. Left out are directories that cannot be listed, those of file systems that the kernel
// makes up (/proc, /sys), and links to directories outside the one that the user named.
std::vector<Input> collect_inputs(const std::vector<std::string>& paths,
                                  std::vector<SkippedFolder>& skipped);

}  // namespace torchada::check
