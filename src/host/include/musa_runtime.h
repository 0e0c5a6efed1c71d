// Evidence: the name is in torch_musa:torch_musa/utils/mapping/include.json. The SDK's file also
// pulls in device-side headers for its compiler; there is no device code on a CPU, so here it is
// the C API alone.
#ifndef TORCHADA_HOST_MUSA_RUNTIME_H_
#define TORCHADA_HOST_MUSA_RUNTIME_H_

#include "musa_runtime_api.h"

#endif  // TORCHADA_HOST_MUSA_RUNTIME_H_
