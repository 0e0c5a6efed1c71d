// Functions with edge data: CUDA 12 has them with a suffix, CUDA 13 under the plain name. SDK 3.1
// has none of them, and 5.0 is the first that reports the edges of a capture.
#include "tests/sdks/sdk.h"

#if CUDA_MAJOR >= 12

#if CUDA_MAJOR == 12
#define V2(name) name##_v2
#define V3(name) name##_v3
#define V3_PTSZ(name) name##_v3_ptsz
#define V2_PTSZ(name) name##_v2_ptsz
#else
#define V2(name) name
#define V3(name) name
#define V3_PTSZ(name) name##_ptsz
#define V2_PTSZ(name) name##_ptsz
#endif

namespace {

constexpr cudaGraphEdgeData kPlain{};

bool is_plain(const cudaGraphEdgeData& edge) {
  return std::memcmp(&edge, &kPlain, sizeof edge) == 0;
}

cudaGraphEdgeData strange() {
  cudaGraphEdgeData edge{};
  std::memset(&edge, 0xee, sizeof edge);
  return edge;
}

class Edges : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(cudaGraphCreate(&graph_, 0));
    for (cudaGraphNode_t& node : nodes_) {
      ASSERT_OK(cudaGraphAddEmptyNode(&node, graph_, nullptr, 0));
    }
  }
  void TearDown() override { EXPECT_OK(cudaGraphDestroy(graph_)); }
  cudaError_t add(const cudaGraphEdgeData* edge) {
    return V2(cudaGraphAddDependencies)(graph_, &nodes_[0], &nodes_[1], edge, 1);
  }
  size_t count() {
    size_t number = 99;
    EXPECT_OK(V2(cudaGraphGetEdges)(graph_, nullptr, nullptr, nullptr, &number));
    return number;
  }
  cudaGraph_t graph_ = nullptr;
  cudaGraphNode_t nodes_[2] = {};
};

TEST_F(Edges, cudaGraphAddDependencies_adds_plain_edges) {
  EXPECT_OK(add(nullptr));
  EXPECT_EQ(1u, count());
  EXPECT_OK(V2(cudaGraphRemoveDependencies)(graph_, &nodes_[0], &nodes_[1], nullptr, 1));
  EXPECT_EQ(0u, count());
  EXPECT_OK(add(&kPlain));
  EXPECT_EQ(1u, count());
  EXPECT_OK(V2(cudaGraphRemoveDependencies)(graph_, &nodes_[0], &nodes_[1], &kPlain, 1));
  EXPECT_EQ(0u, count());
}

TEST_F(Edges, cudaGraphAddDependencies_refuses_what_MUSA_has_not) {
  cudaGraphEdgeData edge{};
  edge.from_port = 1;
  const cudaError_t status = add(&edge);
  EXPECT_NE(cudaSuccess, status);
  if (sdk() < 40200) {
    EXPECT_EQ(cudaErrorNotSupported, status);
  }
  EXPECT_EQ(status, cudaGetLastError());
  EXPECT_EQ(0u, count());
}

TEST_F(Edges, cudaGraphGetEdges_tells_plain_edges) {
  ASSERT_OK(add(nullptr));
  cudaGraphNode_t from = nullptr, to = nullptr;
  cudaGraphEdgeData edges[2] = {strange(), strange()};
  size_t number = 1;
  EXPECT_OK(V2(cudaGraphGetEdges)(graph_, &from, &to, edges, &number));
  EXPECT_EQ(1u, number);
  EXPECT_EQ(nodes_[0], from);
  EXPECT_EQ(nodes_[1], to);
  EXPECT_TRUE(is_plain(edges[0]));
  EXPECT_FALSE(is_plain(edges[1]));
}

TEST_F(Edges, cudaGraphNodeGetDependencies_and_cudaGraphNodeGetDependentNodes_tell_plain_edges) {
  ASSERT_OK(add(nullptr));
  for (const bool before : {true, false}) {
    cudaGraphNode_t node = nullptr;
    cudaGraphEdgeData edges[2] = {strange(), strange()};
    size_t number = 1;
    if (before) {
      EXPECT_OK(V2(cudaGraphNodeGetDependencies)(nodes_[1], &node, edges, &number));
    } else {
      EXPECT_OK(V2(cudaGraphNodeGetDependentNodes)(nodes_[0], &node, edges, &number));
    }
    EXPECT_EQ(1u, number);
    EXPECT_EQ(nodes_[before ? 0 : 1], node);
    EXPECT_TRUE(is_plain(edges[0]));
    EXPECT_FALSE(is_plain(edges[1]));
  }
}

class CapturedEdges : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    ASSERT_OK(cudaMemsetAsync(memory_, 1, 64, stream_));
  }
  void TearDown() override {
    cudaGraph_t graph = nullptr;
    EXPECT_OK(cudaStreamEndCapture(stream_, &graph));
    EXPECT_OK(cudaGraphDestroy(graph));
  }
  Buffer memory_{64};
  Stream stream_{cudaStreamNonBlocking};
};

TEST_F(CapturedEdges, cudaStreamGetCaptureInfo_tells_plain_edges) {
  for (const bool own_stream_name : {false, true}) {
    auto state = cudaStreamCaptureStatusNone;
    unsigned long long id = 0;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    size_t number = 99;
    const auto ask =
        own_stream_name ? V3_PTSZ(cudaStreamGetCaptureInfo) : V3(cudaStreamGetCaptureInfo);
    EXPECT_OK(ask(stream_, &state, &id, &graph, &nodes, &edges, &number));
    EXPECT_EQ(cudaStreamCaptureStatusActive, state);
    EXPECT_NE(0u, id);
    EXPECT_NE(nullptr, graph);
    ASSERT_EQ(1u, number);
    EXPECT_NE(nullptr, nodes[0]);
    if (sdk() < 50000) {
      ASSERT_NE(nullptr, edges);
    }
    if (edges != nullptr) {
      EXPECT_TRUE(is_plain(edges[0]));
    }
    // Each output may be null.
    EXPECT_OK(ask(stream_, &state, nullptr, nullptr, nullptr, nullptr, nullptr));
    EXPECT_OK(ask(stream_, &state, nullptr, nullptr, nullptr, &edges, nullptr));
  }
}

TEST_F(CapturedEdges, cudaStreamGetCaptureInfo_of_a_stream_without_a_capture) {
  const Stream other(cudaStreamNonBlocking);
  auto state = cudaStreamCaptureStatusActive;
  const cudaGraphEdgeData* edges = nullptr;
  size_t number = 99;
  EXPECT_OK(
      V3(cudaStreamGetCaptureInfo)(other, &state, nullptr, nullptr, nullptr, &edges, &number));
  EXPECT_EQ(cudaStreamCaptureStatusNone, state);
  EXPECT_EQ(nullptr, edges);
}

TEST_F(CapturedEdges, cudaStreamUpdateCaptureDependencies_takes_plain_edges) {
  for (const bool own_stream_name : {false, true}) {
    const auto update = own_stream_name ? V2_PTSZ(cudaStreamUpdateCaptureDependencies)
                                        : V2(cudaStreamUpdateCaptureDependencies);
    constexpr unsigned kSet = 1;  // cudaStreamSetCaptureDependencies
    cudaGraphNode_t first = nullptr;
    size_t number = 0;
    auto state = cudaStreamCaptureStatusNone;
    const cudaGraphNode_t* nodes = nullptr;
    EXPECT_OK(
        V3(cudaStreamGetCaptureInfo)(stream_, &state, nullptr, nullptr, &nodes, nullptr, &number));
    ASSERT_EQ(1u, number);
    first = nodes[0];
    EXPECT_OK(update(stream_, &first, &kPlain, 1, kSet));
    EXPECT_OK(update(stream_, &first, nullptr, 1, kSet));
    cudaGraphEdgeData edge{};
    edge.type = 1;
    EXPECT_NE(cudaSuccess, update(stream_, &first, &edge, 1, kSet));
    EXPECT_NE(cudaSuccess, cudaGetLastError());
  }
}

}  // namespace
#endif
