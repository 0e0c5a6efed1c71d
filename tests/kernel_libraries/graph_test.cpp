// Graphs with kernels from kernel libraries.
#include "tests/kernel_libraries/program.h"

namespace {

class Graphs : public Program {
 protected:
  void TearDown() override {
    if (exec_) {
      EXPECT_OK(cudaGraphExecDestroy(exec_));
    }
    if (graph_) {
      EXPECT_OK(cudaGraphDestroy(graph_));
    }
  }
  void run() {
    if (!exec_) {
      ASSERT_OK(cudaGraphInstantiateWithFlags(&exec_, graph_, 0));
    }
    ASSERT_OK(cudaGraphLaunch(exec_, nullptr));
    ASSERT_OK(cudaDeviceSynchronize());
  }
  cudaKernelNodeParams adding(int* value) {
    arguments_[0] = &memory_;
    arguments_[1] = value;
    cudaKernelNodeParams params{};
    params.func = &add;
    params.gridDim = {2, 1, 1};
    params.blockDim = {128, 1, 1};
    params.kernelParams = arguments_;
    return params;
  }
  void use(const Buffer& buffer) { memory_ = buffer; }

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  void* memory_ = nullptr;
  void* arguments_[2] = {};
};

TEST_F(Graphs, ByHand) {
  const Buffer data(256 * sizeof(int));
  use(data);
  ASSERT_OK(cudaGraphCreate(&graph_, 0));
  int one = 1, ten = 10;
  cudaKernelNodeParams params = adding(&one);
  cudaGraphNode_t first = nullptr, next = nullptr;
  ASSERT_OK(cudaGraphAddKernelNode(&first, graph_, nullptr, 0, &params));
  params = adding(&ten);
  ASSERT_OK(cudaGraphAddKernelNode(&next, graph_, &first, 1, &params));
  run();
  EXPECT_EQ(std::vector<int>(256, 11), read<int>(data, 256));
  // The program gets the address by which it knows the kernel.
  cudaKernelNodeParams given{};
  ASSERT_OK(cudaGraphKernelNodeGetParams(next, &given));
  EXPECT_EQ(static_cast<void*>(&add), given.func);
  EXPECT_EQ(2u, given.gridDim.x);
  EXPECT_EQ(128u, given.blockDim.x);
  EXPECT_EQ(10, *static_cast<int*>(given.kernelParams[1]));
  int thousand = 1000;
  params = adding(&thousand);
  ASSERT_OK(cudaGraphExecKernelNodeSetParams(exec_, next, &params));
  run();
  EXPECT_EQ(std::vector<int>(256, 1012), read<int>(data, 256));
  ASSERT_OK(cudaGraphKernelNodeSetParams(first, &params));
  ASSERT_OK(cudaGraphExecDestroy(exec_));
  exec_ = nullptr;
  run();
  EXPECT_EQ(std::vector<int>(256, 2022), read<int>(data, 256));
  params.func = &nowhere;
  EXPECT_ERROR(kNoImage, cudaGraphKernelNodeSetParams(first, &params));
}

// Arguments in one piece have a size, which must be the kernel's.
TEST_F(Graphs, WithArgumentsInOnePiece) {
  const Buffer data(256 * sizeof(int));
  struct {
    void* data;
    int value;
    char more[20];
  } piece{data, 7, {}};
  size_t size = 12;
  void* extra[] = {reinterpret_cast<void*>(1), &piece, reinterpret_cast<void*>(2), &size, nullptr};
  int unused = 0;
  cudaKernelNodeParams params = adding(&unused);
  params.kernelParams = nullptr;
  params.extra = extra;
  ASSERT_OK(cudaGraphCreate(&graph_, 0));
  cudaGraphNode_t node = nullptr;
  for (const size_t wrong : {size_t{0}, size_t{8}, size_t{32}}) {
    size = wrong;
    EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph_, nullptr, 0, &params));
  }
  size = 12;
  ASSERT_OK(cudaGraphAddKernelNode(&node, graph_, nullptr, 0, &params));
  size = 8;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphKernelNodeSetParams(node, &params));
  run();
  EXPECT_EQ(std::vector<int>(256, 7), read<int>(data, 256));
}

TEST_F(Graphs, Captured) {
  const Buffer data(256 * sizeof(int));
  const Stream stream;
  ASSERT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_OK(start(&add, {1, 1, 1}, {256, 1, 1}, 0, stream, data.bytes(), 3));
  EXPECT_OK(start(&add, {1, 1, 1}, {256, 1, 1}, 0, stream, data.bytes(), 4));
  ASSERT_OK(cudaStreamEndCapture(stream, &graph_));
  EXPECT_EQ(std::vector<int>(256, 0), read<int>(data, 256));
  run();
  run();
  EXPECT_EQ(std::vector<int>(256, 14), read<int>(data, 256));
  size_t count = 0;
  ASSERT_OK(cudaGraphGetNodes(graph_, nullptr, &count));
  EXPECT_EQ(2u, count);
  std::vector<cudaGraphNode_t> nodes(count);
  ASSERT_OK(cudaGraphGetNodes(graph_, nodes.data(), &count));
  cudaGraphNodeType type{};
  ASSERT_OK(cudaGraphNodeGetType(nodes[0], &type));
  EXPECT_EQ(cudaGraphNodeTypeKernel, type);
  cudaKernelNodeParams given{};
  ASSERT_OK(cudaGraphKernelNodeGetParams(nodes[0], &given));
  EXPECT_EQ(static_cast<void*>(&add), given.func);
}

#if CUDA_MAJOR >= 12
TEST_F(Graphs, ByAKind) {
  const Buffer data(256 * sizeof(int));
  use(data);
  ASSERT_OK(cudaGraphCreate(&graph_, 0));
  int value = 6;
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeKernel;
  const cudaKernelNodeParams kernel = adding(&value);
  params.kernel.func = kernel.func;
  params.kernel.gridDim = kernel.gridDim;
  params.kernel.blockDim = kernel.blockDim;
  params.kernel.kernelParams = kernel.kernelParams;
  cudaGraphNode_t node = nullptr;
#if CUDA_MAJOR == 12
  ASSERT_OK(cudaGraphAddNode(&node, graph_, nullptr, 0, &params));
#else
  ASSERT_OK(cudaGraphAddNode(&node, graph_, nullptr, nullptr, 0, &params));
#endif
  run();
  EXPECT_EQ(std::vector<int>(256, 6), read<int>(data, 256));
  value = 7;
  ASSERT_OK(cudaGraphExecNodeSetParams(exec_, node, &params));
  run();
  EXPECT_EQ(std::vector<int>(256, 13), read<int>(data, 256));
  ASSERT_OK(cudaGraphNodeSetParams(node, &params));
}
#endif

}  // namespace
