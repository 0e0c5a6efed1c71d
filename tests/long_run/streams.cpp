// Streams, events and functions on the host.
#include <atomic>

#include "tests/long_run/work.h"

void use_streams(unsigned seed) {
  const Numbers values = numbers(300, seed);
  const Memory from(values), to(values.size());
  std::atomic<int> called{0};
  const Stream first, second;
  cudaEvent_t copied = nullptr, done = nullptr;
  OK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
  OK(cudaEventCreate(&done));
  OK(cudaMemcpyAsync(to.get(), from.get(), from.bytes(), cudaMemcpyDeviceToDevice, first));
  OK(cudaEventRecord(copied, first));
  OK(cudaStreamWaitEvent(second, copied, 0));
  scale(to.get(), 5, static_cast<int>(values.size()), second);
  OK(cudaLaunchHostFunc(
      second, [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &called));
  OK(cudaEventRecord(done, second));
  OK(cudaEventSynchronize(done));
  Numbers expected = values;
  for (float& value : expected) value *= 5;
  compare("streams", expected, to.values());
  compare("functions on the host", {1}, {static_cast<float>(called)});
  OK(cudaEventDestroy(copied));
  OK(cudaEventDestroy(done));
}
