// mappings/cuda/entry_points.yaml: which function a program means that asks the driver for a name
// at run time (cuGetProcAddress, cudaGetDriverEntryPoint), with the CUDA version it was built for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/tables/cuda_tables.h"

namespace torchada {

// In mappings/cuda/.
inline constexpr const char* kEntryPointsFile = "entry_points.yaml";

struct EntryPoint {
  std::string symbol;  // The exported function: cuMemAlloc_v2.
  // The CUDA version from which a request means it, such as 12080; until the next one of the name.
  int version = 0;
  bool per_thread = false;            // Only for requests with the per-thread default stream.
  std::vector<std::string> releases;  // Those that declare it.
  Place place;
};

// By the name that programs ask for. Of each name, first those for every request, then the
// per-thread ones, each in ascending order of versions.
using EntryPoints = std::map<std::string, std::vector<EntryPoint>>;

struct EntryPointTable {
  std::string file;
  std::string library;  // Of the registry. Empty if there is no table.
  EntryPoints names;
};

// Throws TableError, also if the order of a name is another.
EntryPointTable read_entry_points(const std::string& file, const CudaReleases& releases);

// The name of a function without what tells its versions apart: "cuMemcpy" of "cuMemcpy_v2_ptds".
struct VersionedName {
  std::string base;
  std::string per_thread;  // "_ptsz" or "_ptds"; empty for the others.
  int number = 0;          // After "_v"; 0 if there is none.
};
VersionedName split_versions(const std::string& name);

}  // namespace torchada
