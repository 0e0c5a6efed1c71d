// The libraries of one MUSA installation, read as files: what they export, without loading them.
#pragma once

#include <map>
#include <set>
#include <string>

#include "src/command/files.h"
#include "src/inspect/elf_file.h"

namespace torchada {

struct MusaFile {
  std::string path;
  std::set<std::string> exports;
  std::string error;  // Why it could not be read or cannot be loaded; it then exports nothing.
};

struct MusaFiles {
  std::string root;
  std::string sdk;  // As users write it: "5.1.0". Empty if unknown.
  int version = 0;  // major*10000 + minor*100 + patch. 0 if unknown.
  bool is_stand_in = false;
  std::map<std::string, MusaFile> libraries;  // By name, such as "musart". Only existing ones.
};

// Why the loader of this machine refuses a library: "is built for aarch64, not for x86-64". Empty
// if it does not.
std::string why_not_loadable(const ElfFile& library);

// Reads the libraries beside a libmusart, under the names that our libraries look for. Paths are
// paths of the tree `files`.
MusaFiles read_musa_files(const std::string& musart, const Files& files = {});

}  // namespace torchada
