// Paths and what lies there, for a look at thousands of files. std::filesystem's own functions
// allocate and parse a path for each question.
#pragma once

#include <sys/stat.h>

#include <string>

namespace torchada::check {

// "." for a name without a directory.
inline std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

inline bool is_folder(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

inline bool is_regular_file(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace torchada::check
