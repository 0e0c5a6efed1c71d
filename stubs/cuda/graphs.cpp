// Graphs: instantiation, and what only the runtime has.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/own_stream.h"
#include "stubs/cuda/runtime.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::by_runtime;
using torchada::driver::own_stream;
namespace cuda = torchada::cuda;

// CUDA_GRAPH_INSTANTIATE_PARAMS, which is the runtime's struct as well.
struct InstantiateParams {
  unsigned long long flags;
  void* upload_stream;
  void* error_node;
  int result;
};
static_assert(sizeof(InstantiateParams) == cuda::sizeof_CUDA_GRAPH_INSTANTIATE_PARAMS);
static_assert(offsetof(InstantiateParams, upload_stream) ==
              cuda::CUDA_GRAPH_INSTANTIATE_PARAMS_hUploadStream);
static_assert(offsetof(InstantiateParams, error_node) ==
              cuda::CUDA_GRAPH_INSTANTIATE_PARAMS_hErrNode_out);
static_assert(offsetof(InstantiateParams, result) ==
              cuda::CUDA_GRAPH_INSTANTIATE_PARAMS_result_out);

struct ResultInfo {
  int result;
  void* error_node;
  void* error_from_node;
};
static_assert(sizeof(ResultInfo) == cuda::sizeof_CUgraphExecUpdateResultInfo);
static_assert(offsetof(ResultInfo, error_node) == cuda::CUgraphExecUpdateResultInfo_errorNode);
static_assert(offsetof(ResultInfo, error_from_node) ==
              cuda::CUgraphExecUpdateResultInfo_errorFromNode);

}  // namespace

extern "C" {

int torchada_adapter_cuGraphInstantiateWithParams_ptsz(void** exec, void* graph,
                                                       InstantiateParams* params) {
  if (!params) return fail(torchada::kInvalid);
  void* const stream = params->upload_stream;
  params->upload_stream = own_stream(stream);
  const int status =
      by_runtime({"cuGraphInstantiateWithParams_ptsz", "musaGraphInstantiateWithParams"},
                 [=] { return musaGraphInstantiateWithParams(exec, graph, params); });
  params->upload_stream = stream;
  return status;
}

// MUSA's driver tells one node. Which node of the new graph does not fit stays unknown.
int torchada_adapter_cuGraphExecUpdate_v2(void* exec, void* graph, ResultInfo* out) {
  ResultInfo info = {};
  const int status = outcome({"cuGraphExecUpdate_v2", "muGraphExecUpdate"},
                             muGraphExecUpdate(exec, graph, &info.error_node, &info.result));
  // An update that cannot be made says why; other errors do not.
  if (out && (status == 0 || status == cuda::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)) *out = info;
  return status;
}

// The runtime always prints its own types, and has no flag for that.
int torchada_adapter_cuGraphDebugDotPrint(void* graph, const char* path, unsigned flags) {
  const auto kept = static_cast<unsigned>(flags & ~cuda::CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES);
  return by_runtime({"cuGraphDebugDotPrint", "musaGraphDebugDotPrint"},
                    [=] { return musaGraphDebugDotPrint(graph, path, kept); });
}

}  // extern "C"
