// Joins the facts of several releases into the tables of mappings/cuda.
#pragma once

#include <map>
#include <vector>

#include "generator/extract/library_facts.h"
#include "generator/tables/cuda_tables.h"
#include "generator/tables/registry.h"

namespace torchada {

// One table per library, in the order of releases.yaml. `releases` has facts of some or all
// releases. `known` (the committed tables, or nothing) provides declarations from the other
// releases for exports that no header of their own release declares.
//
// Where a prototype comes from, first match wins:
//   1. a header of the same release,
//   2. the name it is a variant of, declared in the same release: X for X_ptsz and X_ptds (the
//      per-thread default stream), X for pX (NCCL's profiling names): "derived from X",
//   3. the next older, then the next newer release that declares it: "derived from 11.8". A newer
//      one does not count if this release also has X_v2, because the newer X may be X_v2 here,
//   4. both: "derived from X in 11.8".
std::vector<CudaLibrary> assemble_cuda(const std::vector<ReleaseFacts>& facts,
                                       const CudaReleases& releases,
                                       const std::vector<ReplacementLibrary>& libraries,
                                       const std::vector<CudaLibrary>& known);

}  // namespace torchada
