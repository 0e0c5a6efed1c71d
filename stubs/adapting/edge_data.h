// Edge data of graphs, which came with CUDA 12.3, for MUSA functions without it. All edges are
// plain there, so data that says so is dropped on the way in and written on the way out.
#pragma once

#include <stddef.h>

#include "stubs/reporting/refusal.h"

namespace torchada {

// The most dependencies of a capture for which data can be told.
inline constexpr size_t kMostPlainEdges = 4096;

// 0, or the status to return because one of `bytes` at `edges` is not 0. `edges` may be null.
inline int refuse_edge_data(const char* function, const void* edges, size_t bytes, int status) {
  if (!edges) return 0;
  const unsigned char* data = static_cast<const unsigned char*>(edges);
  for (size_t i = 0; i < bytes; ++i) {
    if (data[i] == 0) continue;
    return refuse_argument(function, "edgeData", "(not 0)", "this SDK has no edge data", status);
  }
  return 0;
}

// The status to return for a capture that has too many dependencies.
inline int refuse_edge_count(const char* function, size_t count, int status) {
  ValueText text;
  text << static_cast<int64_t>(count);
  return refuse_argument(function, "the number of dependencies", text.c_str(),
                         "at most 4096 have edge data with this SDK", status);
}

}  // namespace torchada
