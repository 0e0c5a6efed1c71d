// Shared by the tests of graphs and captures.
#ifndef TORCHADA_TESTS_HOST_MUSART_GRAPH_SUPPORT_H_
#define TORCHADA_TESTS_HOST_MUSART_GRAPH_SUPPORT_H_

#include <atomic>
#include <vector>

#include "tests/host/musart/support.h"

inline musaGraph_t no_graph() { return reinterpret_cast<musaGraph_t>(0x123400); }
inline musaGraphNode_t no_node() { return reinterpret_cast<musaGraphNode_t>(0x123400); }
inline musaGraphExec_t no_exec() { return reinterpret_cast<musaGraphExec_t>(0x123400); }
inline musaStream_t no_stream() { return reinterpret_cast<musaStream_t>(0x123400); }
inline musaEvent_t no_event() { return reinterpret_cast<musaEvent_t>(0x123400); }

// A graph, and a stream that is not ordered with the default stream.
class GraphTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(musaGraphCreate(&graph_, 0));
    ASSERT_OK(musaStreamCreateWithFlags(&stream_, musaStreamNonBlocking));
  }
  void TearDown() override {
    if (graph_ != nullptr) {
      EXPECT_OK(musaGraphDestroy(graph_));
    }
    EXPECT_OK(musaStreamDestroy(stream_));
  }

  using Nodes = std::vector<musaGraphNode_t>;

  musaGraphNode_t add_empty(const Nodes& after = {}) {
    musaGraphNode_t node = nullptr;
    EXPECT_OK(musaGraphAddEmptyNode(&node, graph_, after.data(), after.size()));
    return node;
  }
  // Adds a node that appends `number` to written_ when it runs.
  musaGraphNode_t add_note(int number, const Nodes& after = {}, musaGraph_t graph = nullptr) {
    const musaHostNodeParams params = note(number);
    musaGraphNode_t node = nullptr;
    EXPECT_OK(musaGraphAddHostNode(&node, graph != nullptr ? graph : graph_, after.data(),
                                   after.size(), &params));
    return node;
  }
  musaHostNodeParams note(int number) {
    notes_.push_back(std::make_unique<Note>(Note{this, number}));
    const auto write = [](void* data) {
      const auto& note = *static_cast<Note*>(data);
      note.test->written_.push_back(note.number);
    };
    return {write, notes_.back().get()};
  }
  musaGraphExec_t instantiate(musaGraph_t graph = nullptr) {
    musaGraphExec_t exec = nullptr;
    EXPECT_OK(musaGraphInstantiateWithFlags(&exec, graph != nullptr ? graph : graph_, 0));
    return exec;
  }
  // Launches, waits, and returns the numbers written since the last run.
  std::vector<int> run(musaGraphExec_t exec) {
    written_.clear();
    EXPECT_OK(musaGraphLaunch(exec, stream_));
    EXPECT_OK(musaStreamSynchronize(stream_));
    return written_;
  }
  std::vector<int> run_once(musaGraph_t graph = nullptr) {
    musaGraphExec_t exec = instantiate(graph);
    const auto written = run(exec);
    EXPECT_OK(musaGraphExecDestroy(exec));
    return written;
  }
  static size_t node_count(musaGraph_t graph) {
    size_t count = 99;
    EXPECT_OK(musaGraphGetNodes(graph, nullptr, &count));
    return count;
  }
  static size_t edge_count(musaGraph_t graph) {
    size_t count = 99;
    EXPECT_OK(musaGraphGetEdges(graph, nullptr, nullptr, &count));
    return count;
  }
  static Nodes nodes_of(musaGraph_t graph) {
    Nodes nodes(node_count(graph));
    size_t count = nodes.size();
    if (count != 0) {
      EXPECT_OK(musaGraphGetNodes(graph, nodes.data(), &count));
    }
    return nodes;
  }
  static musaGraphNodeType type_of(musaGraphNode_t node) {
    auto type = static_cast<musaGraphNodeType>(99);
    EXPECT_OK(musaGraphNodeGetType(node, &type));
    return type;
  }

  musaGraph_t graph_ = nullptr;
  musaStream_t stream_ = nullptr;
  std::vector<int> written_;

 private:
  struct Note {
    GraphTest* test;
    int number;
  };
  std::vector<std::unique_ptr<Note>> notes_;
};

// Ints in device memory.
class DeviceInts {
 public:
  explicit DeviceInts(size_t count, unsigned char fill = 0) : count_(count) {
    EXPECT_OK(musaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(int)));
    EXPECT_OK(musaMemset(data_, fill, count * sizeof(int)));
    EXPECT_OK(musaDeviceSynchronize());
  }
  ~DeviceInts() {
    if (data_ != nullptr) {
      EXPECT_OK(musaFree(data_));
    }
  }
  DeviceInts(const DeviceInts&) = delete;
  DeviceInts& operator=(const DeviceInts&) = delete;
  int* get() const { return data_; }
  int* release() { return std::exchange(data_, nullptr); }
  size_t bytes() const { return count_ * sizeof(int); }
  std::vector<int> read() const {
    std::vector<int> values(count_);
    EXPECT_OK(musaMemcpy(values.data(), data_, bytes(), musaMemcpyDeviceToHost));
    return values;
  }

 private:
  size_t count_;
  int* data_ = nullptr;
};

#endif  // TORCHADA_TESTS_HOST_MUSART_GRAPH_SUPPORT_H_
