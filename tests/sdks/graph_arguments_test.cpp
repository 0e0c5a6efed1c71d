// cudaGraphInstantiate and cudaGraphExecUpdate. Their arguments changed with CUDA 12 and with SDK
// 5.
#include "tests/sdks/sdk.h"

namespace {

class Graphs : public testing::Test {
 protected:
  void SetUp() override {
    graph_ = counting();
    ASSERT_OK(cudaGraphCreate(&other_, 0));  // without nodes, so no update can lead there
  }
  void TearDown() override {
    if (exec_ != nullptr) {
      EXPECT_OK(cudaGraphExecDestroy(exec_));
    }
    EXPECT_OK(cudaGraphDestroy(graph_));
    EXPECT_OK(cudaGraphDestroy(other_));
  }
  cudaGraph_t counting() {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    cudaHostNodeParams parameters{};
    parameters.fn = [](void* counter) { ++*static_cast<int*>(counter); };
    parameters.userData = &counter_;
    EXPECT_OK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters));
    return graph;
  }
  void make() {
#if CUDA_MAJOR == 11
    ASSERT_OK(cudaGraphInstantiate(&exec_, graph_, nullptr, nullptr, 0));
#else
    ASSERT_OK(cudaGraphInstantiate(&exec_, graph_, 0));
#endif
  }
  void launch() {
    EXPECT_OK(cudaGraphLaunch(exec_, nullptr));
    EXPECT_OK(cudaDeviceSynchronize());
  }
  cudaGraph_t graph_ = nullptr, other_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  int counter_ = 0;
};

TEST_F(Graphs, cudaGraphInstantiate_makes_what_runs) {
  make();
  launch();
  launch();
  EXPECT_EQ(2, counter_);
}

#if CUDA_MAJOR == 11
TEST_F(Graphs, cudaGraphInstantiate_reports_that_nothing_is_wrong) {
  auto blamed = reinterpret_cast<cudaGraphNode_t>(not_an_object);
  char log[16] = "unchanged";
  ASSERT_OK(cudaGraphInstantiate(&exec_, graph_, &blamed, log, sizeof log));
  EXPECT_EQ(nullptr, blamed);
  EXPECT_STREQ("", log);
  launch();
  EXPECT_EQ(1, counter_);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphInstantiate(nullptr, graph_, nullptr, nullptr, 0));
}
#else
// cudaGraphInstantiateFlagAutoFreeOnLaunch
constexpr unsigned long long kAutoFreeOnLaunch = 1;

TEST_F(Graphs, cudaGraphInstantiate_takes_flags) {
  ASSERT_OK(cudaGraphInstantiate(&exec_, graph_, kAutoFreeOnLaunch));
  launch();
  EXPECT_EQ(1, counter_);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphInstantiate(nullptr, graph_, 0));
  cudaGraphExec_t none = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphInstantiate(&none, graph_, 1ULL << 40));
  EXPECT_EQ(nullptr, none);
}
#endif

struct Told {
  cudaError_t status;
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t node;
};

Told update(cudaGraphExec_t exec, cudaGraph_t graph) {
  Told told{};
  told.result = static_cast<cudaGraphExecUpdateResult>(77);
  told.node = reinterpret_cast<cudaGraphNode_t>(not_an_object);
#if CUDA_MAJOR == 11
  told.status = cudaGraphExecUpdate(exec, graph, &told.node, &told.result);
#else
  cudaGraphExecUpdateResultInfo info{told.result, told.node, told.node};
  told.status = cudaGraphExecUpdate(exec, graph, &info);
  told.result = info.result;
  told.node = info.errorNode;
#endif
  return told;
}

TEST_F(Graphs, cudaGraphExecUpdate_succeeds_for_the_same_shape) {
  make();
  cudaGraph_t same = counting();
  const Told told = update(exec_, same);
  EXPECT_EQ(cudaSuccess, told.status);
  EXPECT_EQ(cudaGraphExecUpdateSuccess, told.result);
  EXPECT_EQ(nullptr, told.node);
  launch();
  EXPECT_EQ(1, counter_);
  EXPECT_OK(cudaGraphDestroy(same));
}

TEST_F(Graphs, cudaGraphExecUpdate_says_why_not) {
  make();
  const Told told = update(exec_, other_);
  EXPECT_EQ(cudaErrorGraphExecUpdateFailure, told.status);
  EXPECT_EQ(cudaErrorGraphExecUpdateFailure, cudaGetLastError());
  EXPECT_EQ(cudaGraphExecUpdateErrorTopologyChanged, told.result);
  launch();
  EXPECT_EQ(1, counter_);
}

TEST_F(Graphs, cudaGraphExecUpdate_needs_no_place_for_the_result) {
  make();
#if CUDA_MAJOR == 11
  EXPECT_OK(cudaGraphExecUpdate(exec_, graph_, nullptr, nullptr));
#else
  EXPECT_OK(cudaGraphExecUpdate(exec_, graph_, nullptr));
#endif
}

}  // namespace
