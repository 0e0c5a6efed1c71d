// A captured launch, run as a graph.
#include "program.h"

__global__ void twice(int* values) { values[threadIdx.x] *= 2; }

int main() {
  int* values = upload(std::vector<int>{1, 2, 3});
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  twice<<<1, 3, 0, stream>>>(values);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  return compare(download(values, 3), {8, 16, 24});
}
