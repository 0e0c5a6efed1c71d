// Symbol version tables: which version each index of .gnu.version stands for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "src/inspect/elf_handle.h"

namespace torchada {

struct ElfVersion {
  std::string name;
  std::string file;  // Set for versions that another library must provide.
};

struct ElfVersions {
  std::map<int, ElfVersion> by_index;
  std::vector<std::string> nodes;  // Defined here, without the base entry.
};

ElfVersions read_elf_versions(const ElfHandle& handle);

}  // namespace torchada
