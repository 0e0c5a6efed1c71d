// Reads mappings/cuda: releases.yaml and the tables that `torchada-gen extract` writes.
//
// Errors are TableError with file and line: malformed or unknown keys, duplicates, unknown
// releases, overlapping variants, a kind that does not exist.
#pragma once

#include <string>
#include <vector>

#include "generator/tables/model.h"

namespace torchada {

// releases.yaml: the releases that the tables describe.
struct CudaReleases {
  struct Release {
    std::string name;
    int abi = 0;
    std::vector<std::string> packages;  // What packaging/cuda-facts.sh installs.
  };
  std::string file;
  std::vector<Release> releases;

  // Position in `releases`, -1 for an unknown name.
  int index_of(const std::string& release) const;
};

CudaReleases read_cuda_releases(const std::string& file);
CudaLibrary read_cuda_library(const std::string& file, const CudaReleases& releases);
CudaLibrary read_cuda_library(const std::string& file, const std::string& releases_file);

}  // namespace torchada
