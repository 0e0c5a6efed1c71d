// Reads CUDA releases from unpacked wheels or toolkits.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "generator/extract/library_facts.h"
#include "generator/tables/cuda_tables.h"
#include "generator/tables/registry.h"

namespace torchada {

struct CudaReleaseRoots {
  std::string name;
  std::vector<std::string> roots;
};

// "13.0=/usr/local/cuda:/opt/nccl"; throws ExtractError.
CudaReleaseRoots parse_release_roots(const std::string& text);

// Leaves out a library whose exports are read from its headers, if no root has them: toolkits come
// without the headers of drivers. Each that is left out gets a line.
std::vector<ReplacementLibrary> libraries_with_headers(
    const std::vector<ReplacementLibrary>& libraries, const std::vector<CudaReleaseRoots>& roots,
    std::ostream& out);

// In the order of releases.yaml. Throws ExtractError for a release that is not in releases.yaml.
std::vector<ReleaseFacts> read_cuda_facts(const std::vector<CudaReleaseRoots>& roots,
                                          const CudaReleases& releases,
                                          const std::vector<ReplacementLibrary>& libraries);

}  // namespace torchada
