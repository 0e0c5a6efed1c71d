// Edges of graphs. CUDA 12.3 gave them data; MUSA's driver has none.
#include <stddef.h>
#include <string.h>

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

// `*count` is the capacity of the arrays before the call and the number of edges after it. `edges`
// is null if the program does not ask for the edges themselves.
template <typename Ask>
int with_plain_edges(const torchada::Function& function, void* edges, const size_t* count,
                     Ask ask) {
  const size_t room = edges && count ? *count : 0;
  const int status = outcome(function, ask());
  if (status == 0 && room != 0) memset(edges, 0, room * kEdgeBytes);
  return status;
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

int torchada_adapter_cuGraphGetEdges_v2(void* graph, void** from, void** to, void* edges,
                                        size_t* count) {
  return with_plain_edges({"cuGraphGetEdges_v2", "muGraphGetEdges"}, from && to ? edges : nullptr,
                          count, [=] { return muGraphGetEdges(graph, from, to, count); });
}

int torchada_adapter_cuGraphNodeGetDependencies_v2(void* node, void** nodes, void* edges,
                                                   size_t* count) {
  return with_plain_edges({"cuGraphNodeGetDependencies_v2", "muGraphNodeGetDependencies"},
                          nodes ? edges : nullptr, count,
                          [=] { return muGraphNodeGetDependencies(node, nodes, count); });
}

int torchada_adapter_cuGraphNodeGetDependentNodes_v2(void* node, void** nodes, void* edges,
                                                     size_t* count) {
  return with_plain_edges({"cuGraphNodeGetDependentNodes_v2", "muGraphNodeGetDependentNodes"},
                          nodes ? edges : nullptr, count,
                          [=] { return muGraphNodeGetDependentNodes(node, nodes, count); });
}

}  // extern "C"
