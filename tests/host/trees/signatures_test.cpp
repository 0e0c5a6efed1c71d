// Built separately for each tree, with its headers and libraries: tests what differs between SDKs.
#include <gtest/gtest.h>
#include <mccl.h>
#include <mublas.h>
#include <musa_runtime_api.h>

namespace {

TEST(Versions, musaRuntimeGetVersion_is_that_of_the_headers) {
  int runtime = 0;
  int driver = 0;
  EXPECT_EQ(musaSuccess, musaRuntimeGetVersion(&runtime));
  EXPECT_EQ(musaSuccess, musaDriverGetVersion(&driver));
  EXPECT_EQ(MUSART_VERSION, runtime);
  EXPECT_EQ(MUSART_VERSION, driver);
  EXPECT_EQ(TREE_MUSART_VERSION, runtime);
}

TEST(Versions, mcclGetVersion_is_that_of_the_headers) {
  int version = 0;
  EXPECT_EQ(mcclSuccess, mcclGetVersion(&version));
  EXPECT_EQ(MCCL_VERSION_CODE, version);
  EXPECT_EQ(TREE_MCCL_VERSION, version);
}

TEST(Versions, mublasGetVersion_is_that_of_the_headers) {
  mublasHandle_t handle = nullptr;
  int version = 0;
  ASSERT_EQ(MUBLAS_STATUS_SUCCESS, mublasCreate(&handle));
  EXPECT_EQ(MUBLAS_STATUS_SUCCESS, mublasGetVersion(handle, &version));
  EXPECT_EQ(TREE_MUBLAS_VERSION, version);
  EXPECT_EQ(MUBLAS_STATUS_SUCCESS, mublasDestroy(handle));
}

void count_up(void* counter) { ++*static_cast<int*>(counter); }

// Instantiates, updates and launches a graph of one host function, with the arguments that the
// SDK's functions take.
TEST(Graphs, musaGraphInstantiate_and_musaGraphExecUpdate_have_the_arguments_of_the_sdk) {
  int counter = 0;
  musaGraph_t graph = nullptr;
  musaGraphNode_t node = nullptr;
  musaGraphExec_t exec = nullptr;
  ASSERT_EQ(musaSuccess, musaGraphCreate(&graph, 0));
  musaHostNodeParams parameters = {};
  parameters.fn = count_up;
  parameters.userData = &counter;
  ASSERT_EQ(musaSuccess, musaGraphAddHostNode(&node, graph, nullptr, 0, &parameters));
  musaGraph_t other = nullptr;
  ASSERT_EQ(musaSuccess, musaGraphCreate(&other, 0));  // without nodes, so no update can lead there
#if TREE_MUSART_VERSION >= 50000
  ASSERT_EQ(musaSuccess, musaGraphInstantiate(&exec, graph, 0));
  musaGraphExecUpdateResultInfo info = {};
  EXPECT_EQ(musaSuccess, musaGraphExecUpdate(exec, graph, &info));
  EXPECT_EQ(musaGraphExecUpdateSuccess, info.result);
  EXPECT_EQ(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, other, &info));
  EXPECT_NE(musaGraphExecUpdateSuccess, info.result);
#else
  musaGraphNode_t blamed = node;
  char log[16] = "unchanged";
  ASSERT_EQ(musaSuccess, musaGraphInstantiate(&exec, graph, &blamed, log, sizeof log));
  EXPECT_EQ(nullptr, blamed);
  EXPECT_STREQ("", log);
  musaGraphExecUpdateResult result = musaGraphExecUpdateError;
  EXPECT_EQ(musaSuccess, musaGraphExecUpdate(exec, graph, &blamed, &result));
  EXPECT_EQ(musaGraphExecUpdateSuccess, result);
  EXPECT_EQ(musaErrorGraphExecUpdateFailure, musaGraphExecUpdate(exec, other, &blamed, &result));
  EXPECT_NE(musaGraphExecUpdateSuccess, result);
#endif
  EXPECT_EQ(musaSuccess, musaGraphLaunch(exec, nullptr));
  EXPECT_EQ(musaSuccess, musaDeviceSynchronize());
  EXPECT_EQ(1, counter);
  EXPECT_EQ(musaSuccess, musaGraphExecDestroy(exec));
  EXPECT_EQ(musaSuccess, musaGraphDestroy(graph));
  EXPECT_EQ(musaSuccess, musaGraphDestroy(other));
}

}  // namespace
