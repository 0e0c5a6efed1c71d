// The libraries of one MUSA installation as files: what they export, without loading them.
#pragma once

#include <map>
#include <set>
#include <string>

#include "files.h"

namespace torchada {

struct MusaFile {
  std::string path;
  std::set<std::string> exports;
  std::string error;  // Why it could not be read.
};

struct MusaFiles {
  std::string root;
  std::string sdk;  // As people write it, "5.1.0"; empty where nothing tells.
  int version = 0;  // major*10000 + minor*100 + patch; 0 where nothing tells.
  bool is_stand_in = false;
  std::map<std::string, MusaFile> libraries;  // By name as in "musart"; only those that are there.
};

// What lies beside a libmusart, found by the names under which the libraries look for it. Paths are
// those of the tree that `files` is.
MusaFiles read_musa_files(const std::string& musart, const Files& files = {});

}  // namespace torchada
