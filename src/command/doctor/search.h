// A search along the loader's path by our own code, for cases where the loader cannot answer: a
// container's files, and files that it refuses.
#pragma once

#include <string>
#include <vector>

#include "src/command/doctor/subject.h"

namespace torchada::doctor {

struct SearchFolder {
  std::string folder;
  std::string why;  // "DT_RPATH of /opt/x/program", "LD_LIBRARY_PATH", ...
};

// In the loader's order, for libraries that `file` is linked with or opens.
std::vector<SearchFolder> search_folders(const Subject& subject, const std::string& file);

// The path of `name`, or an empty string.
std::string search(const Subject& subject, const std::string& file, const std::string& name);

// Adds `file` and everything it is linked with to subject->objects.
void search_all(Subject* subject, const std::string& file);

}  // namespace torchada::doctor
