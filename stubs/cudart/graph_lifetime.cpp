// Instantiating and destroying graphs, so that a program may destroy a graph and go on with its
// executables; see kept_graphs.h.
#include "stubs/cudart/answers.h"
#include "stubs/cudart/kept_graphs.h"

using namespace torchada;

namespace {

int made(const char* function, int status, void** executable, void* graph) {
  if (status == 0 && executable) add_executable(*executable, graph);
  return told(function, status);
}

}  // namespace

extern "C" {

int torchada_adapter_cudaGraphInstantiateWithFlags(void** executable, void* graph,
                                                   unsigned long long flags) {
  return made("cudaGraphInstantiateWithFlags",
              musaGraphInstantiateWithFlags(executable, graph, flags), executable, graph);
}

#if TORCHADA_ABI >= 12
int torchada_adapter_cudaGraphInstantiateWithParams(void** executable, void* graph, void* params) {
  return made("cudaGraphInstantiateWithParams",
              musaGraphInstantiateWithParams(executable, graph, params), executable, graph);
}

int torchada_adapter_cudaGraphInstantiateWithParams_ptsz(void** executable, void* graph,
                                                         void* params) {
  return made("cudaGraphInstantiateWithParams",
              musaGraphInstantiateWithParams_ptsz(executable, graph, params), executable, graph);
}
#endif

int torchada_adapter_cudaGraphDestroy(void* graph) {
  if (keep_graph(graph)) return 0;
  return told("cudaGraphDestroy", musaGraphDestroy(graph));
}

int torchada_adapter_cudaGraphExecDestroy(void* executable) {
  // Before MUSA can give the same address to another executable.
  const Origin origin = remove_executable(executable);
  const int status = musaGraphExecDestroy(executable);
  if (status != 0 && origin.graph) {
    add_executable(executable, origin.graph);
    if (origin.is_destroyed) keep_graph(origin.graph);
  } else if (origin.is_destroyed && origin.is_last) {
    musaGraphDestroy(origin.graph);
  }
  return told("cudaGraphExecDestroy", status);
}

}  // extern "C"
