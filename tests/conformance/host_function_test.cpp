// Host functions that streams call.
#include <atomic>

#include "tests/conformance/support.h"

namespace {

TEST(HostFunctions, cudaLaunchHostFunc_is_called_in_its_turn_and_once) {
  Stream stream;
  const Buffer memory(4);
  std::atomic<int> calls{0};
  ASSERT_OK(cudaMemsetAsync(memory, 1, 4, stream));
  ASSERT_OK(cudaLaunchHostFunc(
      stream, [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &calls));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(1, calls.load());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, nullptr, nullptr));
}

TEST(HostFunctions, cudaLaunchHostFunc_cannot_call_the_runtime) {
  Stream stream;
  std::atomic<int> status{-1};
  ASSERT_OK(cudaLaunchHostFunc(
      stream,
      [](void* seen) { *static_cast<std::atomic<int>*>(seen) = cudaStreamSynchronize(nullptr); },
      &status));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(cudaErrorNotPermitted, status.load());
}

TEST(HostFunctions, cudaStreamAddCallback_is_told_stream_and_status) {
  struct Seen {
    std::atomic<cudaStream_t> stream{nullptr};
    std::atomic<int> status{-1};
  } seen;
  Stream stream;
  ASSERT_OK(cudaStreamAddCallback(
      stream,
      [](cudaStream_t in, cudaError_t status, void* data) {
        static_cast<Seen*>(data)->stream = in;
        static_cast<Seen*>(data)->status = status;
      },
      &seen, 0));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(static_cast<cudaStream_t>(stream), seen.stream.load());
  EXPECT_EQ(cudaSuccess, seen.status.load());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaStreamAddCallback(stream, nullptr, nullptr, 0));
}

TEST(HostFunctions, cudaStreamAddCallback_holds_up_what_comes_after) {
  struct Seen {
    std::atomic<bool> done{false};
    std::atomic<bool> before{false};
  } seen;
  Stream stream;
  ASSERT_OK(cudaStreamAddCallback(
      stream, [](cudaStream_t, cudaError_t, void* data) { static_cast<Seen*>(data)->done = true; },
      &seen, 0));
  ASSERT_OK(cudaLaunchHostFunc(
      stream,
      [](void* data) {
        auto* const both = static_cast<Seen*>(data);
        both->before = both->done.load();
      },
      &seen));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_TRUE(seen.before.load());
}

}  // namespace
