// src/host/shared/stream_work.h: work of other libraries, in streams and in graphs.
#include "src/host/shared/stream_work.h"
#include "tests/host/musart/capture_support.h"

namespace {

using StreamWork = CaptureTest;

TEST_F(StreamWork, RunsOnceInAStream) {
  const auto alive = std::make_shared<int>(0);
  ASSERT_OK(host::enqueue(stream_, [alive] { ++*alive; }));
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ(1, *alive);
  EXPECT_EQ(1, alive.use_count());
  EXPECT_EQ(musaErrorInvalidResourceHandle, host::enqueue(no_stream(), [alive] { ++*alive; }));
  EXPECT_EQ(1, alive.use_count());
  static_cast<void>(musaGetLastError());
}

TEST_F(StreamWork, RunsAtEachLaunchOfACapture) {
  const auto alive = std::make_shared<int>(0);
  begin();
  ASSERT_OK(host::enqueue(stream_, [alive] { ++*alive; }));
  end();
  EXPECT_EQ(2, alive.use_count());
  musaGraphExec_t exec = instantiate(captured_);
  ASSERT_OK(musaGraphDestroy(captured_));
  captured_ = nullptr;
  for (int i = 0; i < 3; ++i) run(exec);
  EXPECT_EQ(3, *alive);
  ASSERT_OK(musaGraphExecDestroy(exec));
  EXPECT_EQ(1, alive.use_count());
}

TEST_F(StreamWork, MayNeverRun) {
  const auto alive = std::make_shared<int>(0);
  begin();
  ASSERT_OK(host::enqueue(stream_, [alive] { ++*alive; }));
  EXPECT_ERROR(musaErrorStreamCaptureUnsupported, musaStreamQuery(stream_));
  EXPECT_ERROR(musaErrorStreamCaptureInvalidated, host::enqueue(stream_, [alive] { ++*alive; }));
  end_invalid();
  EXPECT_EQ(0, *alive);
  EXPECT_EQ(1, alive.use_count());
}

TEST_F(StreamWork, MovesToAnUpdatedGraph) {
  const auto first = std::make_shared<int>(0);
  const auto second = std::make_shared<int>(0);
  begin();
  ASSERT_OK(host::enqueue(stream_, [first] { ++*first; }));
  end();
  musaGraphExec_t exec = instantiate(captured_);
  ASSERT_OK(musaGraphDestroy(captured_));
  begin();
  ASSERT_OK(host::enqueue(stream_, [second] { ++*second; }));
  end();
  musaGraphExecUpdateResultInfo info{};
  ASSERT_OK(musaGraphExecUpdate(exec, captured_, &info));
  EXPECT_EQ(1, first.use_count());
  ASSERT_OK(musaGraphDestroy(captured_));
  captured_ = nullptr;
  run(exec);
  EXPECT_EQ(0, *first);
  EXPECT_EQ(1, *second);
  ASSERT_OK(musaGraphExecDestroy(exec));
  EXPECT_EQ(1, second.use_count());
}

}  // namespace
