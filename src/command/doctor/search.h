// The loader's search path done by hand, where the loader cannot be asked: in a container's files,
// and for files that it refuses.
#pragma once

#include <string>
#include <vector>

#include "subject.h"

namespace torchada::doctor {

struct SearchFolder {
  std::string folder;
  std::string why;  // "DT_RPATH of /opt/x/program", "LD_LIBRARY_PATH", ...
};

// DT_RPATH (or DT_RUNPATH) with $ORIGIN put in.
std::vector<std::string> run_path(const std::string& file, const std::string& path);

// In the loader's order, for what `file` is linked with or opens.
std::vector<SearchFolder> search_folders(const Subject& subject, const std::string& file);

// The path of `name`, or an empty string.
std::string search(const Subject& subject, const std::string& file, const std::string& name);

// `file` and everything it is linked with, into subject->objects.
void search_all(Subject* subject, const std::string& file);

}  // namespace torchada::doctor
