#include "tests/kernels/registered/program.h"

typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
struct cudaKernelNodeParams {
  void* func;
  dim3 grid, block;
  unsigned shared_bytes;
  void **arguments, **extra;
};
int cudaStreamBeginCapture(cudaStream_t stream, int mode);
int cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
int cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                           size_t count, const struct cudaKernelNodeParams* params);
int cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
int cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                  unsigned long long flags);
int cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);

static void twice(int* values) {
  void* arguments[] = {&values};
  launch((const void*)twice, arguments);
}

REGISTER { register_kernel((const void*)twice, "_Z5twicePi"); }

int main(void) {
  int values[3] = {1, 2, 3};
  int* memory = upload(values, sizeof values);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, 0));
  LAUNCH(SIZE(1, 1, 1), SIZE(3, 1, 1), 0, stream) twice(memory);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGetLastError());
  /* A second node behind the captured one. */
  cudaGraphNode_t captured, added;
  size_t count = 1;
  CHECK(cudaGraphGetNodes(graph, &captured, &count));
  void* arguments[] = {&memory};
  const struct cudaKernelNodeParams params = {(void*)twice, SIZE(1, 1, 1), SIZE(2, 1, 1), 0,
                                              arguments,    NULL};
  CHECK(cudaGraphAddKernelNode(&added, graph, &captured, 1, &params));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  download(values, memory, sizeof values);
  return RIGHT(values[0] == 16 && values[1] == 32 && values[2] == 12);
}
