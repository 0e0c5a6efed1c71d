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
using torchada::driver::in_stream;
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

int instantiate(const char* function, void** exec, void* graph, InstantiateParams* params) {
  return by_runtime({function, "musaGraphInstantiateWithParams"},
                    [=] { return musaGraphInstantiateWithParams(exec, graph, params); });
}

int upload(const char* function, void* exec, void* stream) {
  return in_stream({function, "musaGraphUpload"}, stream,
                   [=] { return musaGraphUpload(exec, stream); });
}

}  // namespace

extern "C" {

int torchada_adapter_cuGraphInstantiateWithFlags(void** exec, void* graph,
                                                 unsigned long long flags) {
  return by_runtime({"cuGraphInstantiateWithFlags", "musaGraphInstantiateWithFlags"},
                    [=] { return musaGraphInstantiateWithFlags(exec, graph, flags); });
}

int torchada_adapter_cuGraphInstantiateWithParams(void** exec, void* graph,
                                                  InstantiateParams* params) {
  return instantiate("cuGraphInstantiateWithParams", exec, graph, params);
}

int torchada_adapter_cuGraphInstantiateWithParams_ptsz(void** exec, void* graph,
                                                       InstantiateParams* params) {
  constexpr const char* kName = "cuGraphInstantiateWithParams_ptsz";
  if (!params) return fail(torchada::kInvalid);
  void* const stream = params->upload_stream;
  params->upload_stream = own_stream(stream);
  const int status = instantiate(kName, exec, graph, params);
  params->upload_stream = stream;
  return status;
}

int torchada_adapter_cuGraphUpload(void* exec, void* stream) {
  return upload("cuGraphUpload", exec, stream);
}

int torchada_adapter_cuGraphUpload_ptsz(void* exec, void* stream) {
  return upload("cuGraphUpload_ptsz", exec, own_stream(stream));
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

int torchada_adapter_cuGraphExecGetFlags(void* exec, unsigned long long* flags) {
  return by_runtime({"cuGraphExecGetFlags", "musaGraphExecGetFlags"},
                    [=] { return musaGraphExecGetFlags(exec, flags); });
}

// The runtime always prints its own types, and has no flag for that.
int torchada_adapter_cuGraphDebugDotPrint(void* graph, const char* path, unsigned flags) {
  const auto kept = static_cast<unsigned>(flags & ~cuda::CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES);
  return by_runtime({"cuGraphDebugDotPrint", "musaGraphDebugDotPrint"},
                    [=] { return musaGraphDebugDotPrint(graph, path, kept); });
}

int torchada_adapter_cuGraphMemAllocNodeGetParams(void* node, void* params) {
  return by_runtime({"cuGraphMemAllocNodeGetParams", "musaGraphMemAllocNodeGetParams"},
                    [=] { return musaGraphMemAllocNodeGetParams(node, params); });
}

int torchada_adapter_cuGraphMemFreeNodeGetParams(void* node, unsigned long long* memory) {
  return by_runtime({"cuGraphMemFreeNodeGetParams", "musaGraphMemFreeNodeGetParams"},
                    [=] { return musaGraphMemFreeNodeGetParams(node, memory); });
}

int torchada_adapter_cuGraphNodeGetEnabled(void* exec, void* node, unsigned* enabled) {
  return by_runtime({"cuGraphNodeGetEnabled", "musaGraphNodeGetEnabled"},
                    [=] { return musaGraphNodeGetEnabled(exec, node, enabled); });
}

int torchada_adapter_cuGraphNodeSetEnabled(void* exec, void* node, unsigned enabled) {
  return by_runtime({"cuGraphNodeSetEnabled", "musaGraphNodeSetEnabled"},
                    [=] { return musaGraphNodeSetEnabled(exec, node, enabled); });
}

int torchada_adapter_cuGraphKernelNodeCopyAttributes(void* to, void* from) {
  return by_runtime({"cuGraphKernelNodeCopyAttributes", "musaGraphKernelNodeCopyAttributes"},
                    [=] { return musaGraphKernelNodeCopyAttributes(to, from); });
}

int torchada_adapter_cuGraphKernelNodeGetAttribute(void* node, int attribute, void* value) {
  return by_runtime({"cuGraphKernelNodeGetAttribute", "musaGraphKernelNodeGetAttribute"},
                    [=] { return musaGraphKernelNodeGetAttribute(node, attribute, value); });
}

int torchada_adapter_cuGraphKernelNodeSetAttribute(void* node, int attribute, const void* value) {
  return by_runtime({"cuGraphKernelNodeSetAttribute", "musaGraphKernelNodeSetAttribute"},
                    [=] { return musaGraphKernelNodeSetAttribute(node, attribute, value); });
}

int torchada_adapter_cuUserObjectCreate(void** object, void* pointer, void* destroy, unsigned count,
                                        unsigned flags) {
  return by_runtime({"cuUserObjectCreate", "musaUserObjectCreate"},
                    [=] { return musaUserObjectCreate(object, pointer, destroy, count, flags); });
}

int torchada_adapter_cuUserObjectRetain(void* object, unsigned count) {
  return by_runtime({"cuUserObjectRetain", "musaUserObjectRetain"},
                    [=] { return musaUserObjectRetain(object, count); });
}

int torchada_adapter_cuUserObjectRelease(void* object, unsigned count) {
  return by_runtime({"cuUserObjectRelease", "musaUserObjectRelease"},
                    [=] { return musaUserObjectRelease(object, count); });
}

int torchada_adapter_cuGraphRetainUserObject(void* graph, void* object, unsigned count,
                                             unsigned flags) {
  return by_runtime({"cuGraphRetainUserObject", "musaGraphRetainUserObject"},
                    [=] { return musaGraphRetainUserObject(graph, object, count, flags); });
}

int torchada_adapter_cuGraphReleaseUserObject(void* graph, void* object, unsigned count) {
  return by_runtime({"cuGraphReleaseUserObject", "musaGraphReleaseUserObject"},
                    [=] { return musaGraphReleaseUserObject(graph, object, count); });
}

}  // extern "C"
