// musaGraphInstantiate. Compiled for each tree: SDK 5.0 changed its arguments.
#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"
#include "src/host/shared/forward.h"

#if MUSA_TAKES_UPDATE_RESULTS
musaError_t musaGraphInstantiate(HOST_PARAMETERS_3(::musaGraphInstantiate)) {
  return musaGraphInstantiateWithFlags(a0, a1, a2);
}
#else
musaError_t musaGraphInstantiate(HOST_PARAMETERS_5(::musaGraphInstantiate)) {
  return musart::recorded(musa::graph_instantiate_with_log(a0, a1, a2, a3, a4));
}
#endif
