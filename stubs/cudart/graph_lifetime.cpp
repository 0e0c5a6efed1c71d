// Destroying graphs, so that a program may destroy a graph and go on with its executables; see
// kept_graphs.h.
#include "stubs/cudart/answers.h"
#include "stubs/cudart/kept_graphs.h"

using namespace torchada;

extern "C" {

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
