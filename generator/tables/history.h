// mappings/cuda/LIBRARY_history.yaml: in which release of a library each function appeared. The
// extracted tables cannot tell: they know four CUDA releases, but NCCL is released separately.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generator/tables/model.h"

namespace torchada {

struct LibraryHistory {
  struct Step {
    int version = 0;  // As the library's GetVersion encodes it.
    int before = 0;   // The previous release, 0 for the first.
    std::vector<std::string> symbols;
    Place place;
  };
  std::string library;  // Empty if there is no history.
  std::map<std::string, std::int64_t> constants;
  std::vector<Step> introduced;  // Oldest first.
};

// Throws TableError, also if the order is not ascending.
LibraryHistory read_library_history(const std::string& file);

// "2.21.5" as NCCL encodes it: 22105; releases up to 2.8 have one digit less.
int nccl_version_code(int major, int minor, int patch);

}  // namespace torchada
