// cudaGraphInstantiate, and cudaGraphExecUpdate where the opened SDK has the other generation's
// arguments. CUDA 11 and SDKs before 5.0 report what is wrong through separate arguments; CUDA 12
// and SDK 5.0 take flags and a struct.
#include <stddef.h>

#include "stubs/cudart/answers.h"
#include "stubs/cudart/kept_graphs.h"
#include "stubs/resolving/backend.h"

using namespace torchada;

namespace {

// The same on both sides. The first member is an enumerator with the same numbers.
struct ResultInfo {
  int result;
  void* error_node;
  void* error_from_node;
};
static_assert(sizeof(ResultInfo) == musa::sizeof_musaGraphExecUpdateResultInfo);
static_assert(offsetof(ResultInfo, result) == musa::musaGraphExecUpdateResultInfo_result);
static_assert(offsetof(ResultInfo, error_node) == musa::musaGraphExecUpdateResultInfo_errorNode);
static_assert(offsetof(ResultInfo, error_from_node) ==
              musa::musaGraphExecUpdateResultInfo_errorFromNode);
static_assert(sizeof(ResultInfo) == cuda::sizeof_cudaGraphExecUpdateResultInfo);
static_assert(offsetof(ResultInfo, error_node) == cuda::cudaGraphExecUpdateResultInfo_errorNode);
static_assert(offsetof(ResultInfo, error_from_node) ==
              cuda::cudaGraphExecUpdateResultInfo_errorFromNode);

// An update that cannot be made says why; other errors do not.
bool tells_result(int status) {
  return status == 0 || status == static_cast<int>(cuda::cudaErrorGraphExecUpdateFailure);
}

constexpr int kNewArguments = 50000;

int instantiate_before(void** exec, void* graph, void** error_node, char* log, size_t log_bytes) {
  const auto instantiate = reinterpret_cast<musaGraphInstantiate_before_50000*>(
      reinterpret_cast<void*>(musaGraphInstantiate));
  return instantiate(exec, graph, error_node, log, log_bytes);
}

int made(int status, void** exec, void* graph) {
  if (status == 0 && exec) add_executable(*exec, graph);
  return told("cudaGraphInstantiate", status);
}

}  // namespace

#if TORCHADA_ABI < 12

extern "C" int torchada_adapter_cudaGraphInstantiate(void** exec, void* graph, void** error_node,
                                                     char* log, size_t log_bytes) {
  if (sdk_is_before(kNewArguments)) {
    return made(instantiate_before(exec, graph, error_node, log, log_bytes), exec, graph);
  }
  const int status = made(musaGraphInstantiate(exec, graph, 0), exec, graph);
  if (status == static_cast<int>(cuda::cudaErrorInsufficientDriver)) return status;
  // SDK 5.0 does not say which node is to blame. Programs print both outputs without checking them.
  if (error_node) *error_node = nullptr;
  if (log && log_bytes != 0) *log = '\0';
  return status;
}

extern "C" int torchada_adapter_cudaGraphExecUpdate(void* exec, void* graph, void** error_node,
                                                    int* result) {
  ResultInfo info = {};
  const int status = told(musaGraphExecUpdate(exec, graph, &info));
  if (tells_result(status)) {
    if (error_node) *error_node = info.error_node;
    if (result) *result = info.result;
  }
  return status;
}

#else

extern "C" int torchada_adapter_cudaGraphInstantiate(void** exec, void* graph,
                                                     unsigned long long flags) {
  if (!sdk_is_before(kNewArguments)) {
    return made(musaGraphInstantiate(exec, graph, flags), exec, graph);
  }
  if (flags != 0) return made(musaGraphInstantiateWithFlags(exec, graph, flags), exec, graph);
  return made(instantiate_before(exec, graph, nullptr, nullptr, 0), exec, graph);
}

extern "C" int torchada_adapter_cudaGraphExecUpdate(void* exec, void* graph, ResultInfo* out) {
  const auto update = reinterpret_cast<musaGraphExecUpdate_before_50000*>(
      reinterpret_cast<void*>(musaGraphExecUpdate));
  ResultInfo info = {};
  const int status = told(update(exec, graph, &info.error_node, &info.result));
  // SDKs before 5.0 do not say which node of the new graph does not fit; null means unknown.
  if (out && tells_result(status)) *out = info;
  return status;
}

#endif
