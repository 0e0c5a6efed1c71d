// musaGraphInstantiate as it is from SDK 5.0 on.
#include "musa_runtime_api.h"

musaError_t musaGraphInstantiate(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                 unsigned long long flags) {
  return musaGraphInstantiateWithFlags(pGraphExec, graph, flags);
}
