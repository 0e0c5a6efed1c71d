// Edges of graphs. CUDA 12.3 gave them data; MUSA's driver has none.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/edge_data.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/runtime.h"

namespace {

using torchada::outcome;
using torchada::driver::by_runtime;
namespace cuda = torchada::cuda;

constexpr size_t kEdgeBytes = cuda::sizeof_CUgraphEdgeData;

int refuse_data(const char* function, const void* edges, size_t count) {
  return torchada::refuse_edge_data(function, edges, count * kEdgeBytes, torchada::kUnsupported);
}

int remove_edges(const char* function, void* graph, const void** from, const void** to,
                 size_t count) {
  return by_runtime({function, "musaGraphRemoveDependencies"},
                    [=] { return musaGraphRemoveDependencies(graph, from, to, count); });
}

}  // namespace

extern "C" {

int torchada_adapter_cuGraphAddDependencies_v2(void* graph, const void** from, const void** to,
                                               const void* edges, size_t count) {
  constexpr const char* kName = "cuGraphAddDependencies_v2";
  if (const int status = refuse_data(kName, edges, count)) return status;
  return outcome({kName, "muGraphAddDependencies"}, muGraphAddDependencies(graph, from, to, count));
}

int torchada_adapter_cuGraphRemoveDependencies_v2(void* graph, const void** from, const void** to,
                                                  const void* edges, size_t count) {
  constexpr const char* kName = "cuGraphRemoveDependencies_v2";
  if (const int status = refuse_data(kName, edges, count)) return status;
  return remove_edges(kName, graph, from, to, count);
}

}  // extern "C"
