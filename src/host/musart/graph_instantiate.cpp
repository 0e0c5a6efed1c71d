// musaGraphInstantiate. Compiled for each tree: SDK 5.0 changed its arguments.
#include <cstring>

#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

#if MUSART_VERSION >= 50000

musaError_t musaGraphInstantiate(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                 unsigned long long flags) {
  return musaGraphInstantiateWithFlags(pGraphExec, graph, flags);
}

#else

musaError_t musaGraphInstantiate(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                 musaGraphNode_t* pErrorNode, char* pLogBuffer, size_t bufferSize) {
  if (pGraphExec == nullptr) return musart::recorded(musaErrorInvalidValue);
  musa::Instantiation made;
  const musaError_t status = musart::recorded(musa::instantiate(graph, &made));
  if (status == musaSuccess) *pGraphExec = made.exec;
  if (pErrorNode != nullptr) *pErrorNode = made.blamed;
  if (pLogBuffer != nullptr && bufferSize != 0) {
    std::strncpy(pLogBuffer, status == musaSuccess ? "" : musart::error_text(status),
                 bufferSize - 1);
    pLogBuffer[bufferSize - 1] = '\0';
  }
  return status;
}

#endif
