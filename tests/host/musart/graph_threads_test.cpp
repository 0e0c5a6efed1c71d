// Graphs and captures, used by several threads at the same time.
#include <thread>

#include "tests/host/musart/capture_support.h"

namespace {

using GraphThreads = CaptureTest;

constexpr int kThreads = 3;
constexpr int kRounds = 20;

template <typename Work>
void in_threads(Work&& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
}

TEST_F(GraphThreads, musaGraphLaunch_and_changes_at_the_same_time) {
  const auto node = add_note(1);
  musaGraphExec_t exec = instantiate();
  const musaHostNodeParams params = note(2);
  in_threads([&] {
    musaStream_t stream = nullptr;
    ASSERT_OK(musaStreamCreate(&stream));
    for (int i = 0; i < kRounds; ++i) {
      EXPECT_OK(musaGraphLaunch(exec, stream));
      EXPECT_OK(musaGraphExecHostNodeSetParams(exec, node, &params));
      EXPECT_OK(musaGraphHostNodeSetParams(node, &params));
    }
    EXPECT_OK(musaStreamSynchronize(stream));
    EXPECT_OK(musaStreamDestroy(stream));
  });
  // Launches run one after the other, so no number is lost.
  EXPECT_EQ(static_cast<size_t>(kThreads * kRounds), written_.size());
  EXPECT_OK(musaGraphExecDestroy(exec));
}

TEST_F(GraphThreads, musaStreamBeginCapture_in_each_thread) {
  std::atomic<int> runs{0};
  in_threads([&] {
    musaStream_t stream = nullptr;
    ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
    for (int i = 0; i < kRounds; ++i) {
      ASSERT_OK(musaStreamBeginCapture(stream, musaStreamCaptureModeThreadLocal));
      const auto count = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
      ASSERT_OK(musaLaunchHostFunc(stream, count, &runs));
      musaGraph_t graph = nullptr;
      ASSERT_OK(musaStreamEndCapture(stream, &graph));
      musaGraphExec_t exec = nullptr;
      ASSERT_OK(musaGraphInstantiateWithFlags(&exec, graph, 0));
      EXPECT_OK(musaGraphDestroy(graph));
      EXPECT_OK(musaGraphLaunch(exec, stream));
      EXPECT_OK(musaGraphExecDestroy(exec));
    }
    EXPECT_OK(musaStreamSynchronize(stream));
    EXPECT_OK(musaStreamDestroy(stream));
  });
  EXPECT_EQ(kThreads * kRounds, runs);
}

TEST_F(GraphThreads, musaGraphAddMemAllocNode_launched_while_others_trim) {
  in_threads([&] {
    musaStream_t stream = nullptr;
    ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
    for (int i = 0; i < kRounds; ++i) {
      ASSERT_OK(musaStreamBeginCapture(stream, musaStreamCaptureModeThreadLocal));
      void* memory = nullptr;
      ASSERT_OK(musaMallocAsync(&memory, 4096, stream));
      ASSERT_OK(musaMemsetAsync(memory, i, 4096, stream));
      musaGraph_t graph = nullptr;
      ASSERT_OK(musaStreamEndCapture(stream, &graph));
      musaGraphExec_t exec = nullptr;
      ASSERT_OK(musaGraphInstantiateWithFlags(&exec, graph, 0));
      EXPECT_OK(musaGraphLaunch(exec, stream));
      unsigned char byte = 99;
      EXPECT_OK(musaMemcpyAsync(&byte, memory, 1, musaMemcpyDeviceToHost, stream));
      EXPECT_OK(musaDeviceGraphMemTrim(0));
      EXPECT_OK(musaFreeAsync(memory, stream));
      EXPECT_OK(musaGraphExecDestroy(exec));
      EXPECT_OK(musaGraphDestroy(graph));
      EXPECT_OK(musaStreamSynchronize(stream));
      EXPECT_EQ(i, byte);
    }
    EXPECT_OK(musaStreamDestroy(stream));
  });
}

}  // namespace
