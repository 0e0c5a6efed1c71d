// Graphs: captured, changed, launched and destroyed.
#include "tests/long_run/work.h"

namespace {
constexpr int kCount = 500;

cudaGraph_t capture(cudaStream_t stream, float* values, const float* others, float factor) {
  cudaGraph_t graph = nullptr;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  scale(values, factor, kCount, stream);
  add(values, others, kCount, stream);
  OK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

void step(Numbers& values, const Numbers& others, float factor) {
  for (int i = 0; i < kCount; ++i) values[i] = values[i] * factor + others[i];
}
}  // namespace

void use_graphs(unsigned seed) {
  Numbers expected = numbers(kCount, seed);
  const Numbers more = numbers(kCount, seed + 3);
  const Memory memory(expected), others(more);
  const Stream stream;
  const cudaGraph_t first = capture(stream, memory.get(), others.get(), 2);
  const cudaGraph_t second = capture(stream, memory.get(), others.get(), 4);
  cudaGraphExec_t exec = nullptr;
  OK(cudaGraphInstantiate(&exec, first, 0));
  for (int i = 0; i < 2; ++i) {
    OK(cudaGraphLaunch(exec, stream));
    step(expected, more, 2);
  }
  stream.wait();
  cudaGraphExecUpdateResultInfo info{};
  OK(cudaGraphExecUpdate(exec, second, &info));
  OK(cudaGraphLaunch(exec, stream));
  step(expected, more, 4);
  stream.wait();
  compare("graphs", expected, memory.values());
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(second));
  OK(cudaGraphDestroy(first));
}
