// Nodes of graphs whose structs are longer in CUDA 12 than in MUSA.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/node_params.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::KernelParams;
using torchada::driver::refuse_members;
using torchada::driver::refuse_pool_members;

}  // namespace

extern "C" {

int torchada_adapter_cuGraphAddKernelNode_v2(void** node, void* graph, const void** dependencies,
                                             size_t count, const KernelParams* params) {
  constexpr const char* kName = "cuGraphAddKernelNode_v2";
  if (const int status = refuse_members(kName, params)) return status;
  return outcome({kName, "muGraphAddKernelNode"},
                 muGraphAddKernelNode(node, graph, dependencies, count, params->shared));
}

int torchada_adapter_cuGraphKernelNodeGetParams_v2(void* node, KernelParams* out) {
  if (!out) return fail(torchada::kInvalid);
  KernelParams params = {};
  const int status = outcome({"cuGraphKernelNodeGetParams_v2", "muGraphKernelNodeGetParams"},
                             muGraphKernelNodeGetParams(node, params.shared));
  if (status == 0) *out = params;
  return status;
}

int torchada_adapter_cuGraphKernelNodeSetParams_v2(void* node, const KernelParams* params) {
  constexpr const char* kName = "cuGraphKernelNodeSetParams_v2";
  if (const int status = refuse_members(kName, params)) return status;
  return outcome({kName, "muGraphKernelNodeSetParams"},
                 muGraphKernelNodeSetParams(node, params->shared));
}

int torchada_adapter_cuGraphExecKernelNodeSetParams_v2(void* exec, void* node,
                                                       const KernelParams* params) {
  constexpr const char* kName = "cuGraphExecKernelNodeSetParams_v2";
  if (const int status = refuse_members(kName, params)) return status;
  return outcome({kName, "muGraphExecKernelNodeSetParams"},
                 muGraphExecKernelNodeSetParams(exec, node, params->shared));
}

int torchada_adapter_cuGraphAddMemAllocNode(void** node, void* graph, const void** dependencies,
                                            size_t count, void* params) {
  constexpr const char* kName = "cuGraphAddMemAllocNode";
  if (!params) return fail(torchada::kInvalid);
  if (const int status = refuse_pool_members(kName, params)) return status;
  return outcome({kName, "muGraphAddMemAllocNode"},
                 muGraphAddMemAllocNode(node, graph, dependencies, count, params));
}

}  // extern "C"
