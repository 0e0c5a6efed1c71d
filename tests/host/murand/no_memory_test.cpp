// Work of a library that finds no memory in a stream, where nobody could catch an exception.
#include <gtest/gtest.h>
#include <musa_runtime_api.h>

#include <cstdlib>
#include <new>

#include "src/host/shared/stream_work.h"

namespace {

// In a process of its own, because the device's fault stays.
void expect_fault(double cost) {
  musaStream_t stream = nullptr;
  const bool accepted = musaStreamCreate(&stream) == musaSuccess &&
                        host::enqueue(
                            stream, [] { throw std::bad_alloc(); }, cost) == musaSuccess;
  const bool told = musaStreamSynchronize(stream) == musaErrorMemoryAllocation &&
                    musaDeviceSynchronize() == musaErrorMemoryAllocation;
  std::_Exit(accepted && told ? 0 : 1);
}

void expect_fault_of_a_graph() {
  musaStream_t stream = nullptr;
  musaGraph_t graph = nullptr;
  musaGraphExec_t exec = nullptr;
  const bool accepted =
      musaStreamCreate(&stream) == musaSuccess &&
      musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal) == musaSuccess &&
      host::enqueue(stream, [] { throw std::bad_alloc(); }) == musaSuccess &&
      musaStreamEndCapture(stream, &graph) == musaSuccess &&
      musaGraphInstantiate(&exec, graph, 0) == musaSuccess &&
      musaGraphLaunch(exec, stream) == musaSuccess;
  const bool told = musaStreamSynchronize(stream) == musaErrorMemoryAllocation;
  std::_Exit(accepted && told ? 0 : 1);
}

TEST(WorkWithoutMemory, IsTheDevicesFault) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(expect_fault(0), testing::ExitedWithCode(0), "") << "on the calling thread";
  EXPECT_EXIT(expect_fault(HUGE_VAL), testing::ExitedWithCode(0), "") << "on the stream's thread";
  EXPECT_EXIT(expect_fault_of_a_graph(), testing::ExitedWithCode(0), "");
}

}  // namespace
