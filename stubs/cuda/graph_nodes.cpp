// What is told of nodes of graphs whose struct is longer in CUDA 12 than in MUSA.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/node_params.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::KernelParams;

}  // namespace

extern "C" {

int torchada_adapter_cuGraphKernelNodeGetParams_v2(void* node, KernelParams* out) {
  if (!out) return fail(torchada::kInvalid);
  KernelParams params = {};
  const int status = outcome({"cuGraphKernelNodeGetParams_v2", "muGraphKernelNodeGetParams"},
                             muGraphKernelNodeGetParams(node, params.shared));
  if (status == 0) *out = params;
  return status;
}

}  // extern "C"
