// What programs ask about kernels and variables from kernel libraries.
#include "tests/kernel_libraries/program.h"

namespace {

using Attributes = Program;
using Variables = Program;

TEST_F(Attributes, AreMusas) {
  cudaFuncAttributes attributes{};
  ASSERT_OK(cudaFuncGetAttributes(&attributes, &add));
  EXPECT_EQ(256, attributes.maxThreadsPerBlock);
  EXPECT_EQ(16u, attributes.sharedSizeBytes);
  EXPECT_EQ(4u, attributes.constSizeBytes);
  EXPECT_LT(0, attributes.maxDynamicSharedSizeBytes);
  EXPECT_EQ(70, attributes.ptxVersion);
  EXPECT_EQ(70, attributes.binaryVersion);
  EXPECT_ERROR(kNoImage, cudaFuncGetAttributes(&attributes, &nowhere));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFuncGetAttributes(nullptr, &add));
}

TEST_F(Attributes, CanBeSet) {
  ASSERT_OK(cudaFuncSetAttribute(&add, cudaFuncAttributeMaxDynamicSharedMemorySize, 4000));
  cudaFuncAttributes attributes{};
  ASSERT_OK(cudaFuncGetAttributes(&attributes, &add));
  EXPECT_EQ(4000, attributes.maxDynamicSharedSizeBytes);
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaFuncSetAttribute(&add, cudaFuncAttributeMaxDynamicSharedMemorySize, -4));
  EXPECT_OK(cudaFuncSetCacheConfig(&add, cudaFuncCachePreferL1));
}

TEST_F(Attributes, Occupancy) {
  int blocks = -1;
  ASSERT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add, 128, 0));
  EXPECT_LT(0, blocks);
  ASSERT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &add, 512, 0, 0));
  EXPECT_EQ(0, blocks) << "more threads than __launch_bounds__ allows";
  EXPECT_ERROR(kNoImage, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &nowhere, 1, 0));
}

TEST_F(Attributes, TooManyThreads) {
  const Buffer data(512 * sizeof(int));
  EXPECT_NE(cudaSuccess, start(&add, {1, 1, 1}, {512, 1, 1}, 0, nullptr, data.bytes(), 1));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
  EXPECT_EQ(std::vector<int>(512, 0), read<int>(data, 512));
}

TEST_F(Variables, AreWrittenAndRead) {
  const int values[2] = {30, 40};
  ASSERT_OK(cudaMemcpyToSymbol(table, values, sizeof values, 8, cudaMemcpyHostToDevice));
  EXPECT_EQ(1 + 2 + 30 + 40 + 500, result_of(&sum));
  int got[4] = {};
  ASSERT_OK(cudaMemcpyFromSymbol(got, table, sizeof got, 0, cudaMemcpyDeviceToHost));
  EXPECT_EQ((std::vector<int>{1, 2, 30, 40}), std::vector<int>(got, got + 4));
  const int most = 9;
  const Stream stream;
  ASSERT_OK(cudaMemcpyToSymbolAsync(&limit, &most, sizeof most, 0, cudaMemcpyHostToDevice, stream));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(973, result_of(&sum));
  ASSERT_OK(cudaMemcpyFromSymbolAsync(got, &limit, sizeof most, 0, cudaMemcpyDeviceToHost, stream));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(9, got[0]);
}

TEST_F(Variables, HaveAddresses) {
  void* address = nullptr;
  ASSERT_OK(cudaGetSymbolAddress(&address, table));
  EXPECT_EQ((std::vector<int>{1, 2, 3, 4}), read<int>(address, 4));
  size_t size = 0;
  ASSERT_OK(cudaGetSymbolSize(&size, table));
  EXPECT_EQ(16u, size);
}

TEST_F(Variables, HaveEnds) {
  int values[4] = {};
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpyToSymbol(table, values, 16, 1, cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpyFromSymbol(values, table, 1, 17, cudaMemcpyDeviceToHost));
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection,
               cudaMemcpyToSymbol(table, values, 16, 0, cudaMemcpyDeviceToHost));
  EXPECT_EQ(510, result_of(&sum));
}

TEST_F(Variables, ManagedOnesAreRefusedByName) {
  int managed = 0;
  __cudaRegisterManagedVar(module_.handle(), reinterpret_cast<void**>(&managed), nullptr, "table",
                           0, sizeof table, 0, 0);
  int values[4] = {};
  testing::internal::CaptureStderr();
  EXPECT_ERROR(kNoImage,
               cudaMemcpyToSymbol(&managed, values, sizeof values, 0, cudaMemcpyHostToDevice));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos,
            said.find("cudaMemcpyToSymbol is not supported: device variable table is a managed "
                      "variable or one of the host's, which no kernel library can give"))
      << said;
}

TEST_F(Variables, InGraphs) {
  cudaGraph_t graph = nullptr;
  ASSERT_OK(cudaGraphCreate(&graph, 0));
  int values[4] = {5, 6, 7, 8};
  int got[4] = {};
  cudaGraphNode_t write = nullptr, back = nullptr;
  ASSERT_OK(cudaGraphAddMemcpyNodeToSymbol(&write, graph, nullptr, 0, table, values, 16, 0,
                                           cudaMemcpyHostToDevice));
  ASSERT_OK(cudaGraphAddMemcpyNodeFromSymbol(&back, graph, &write, 1, got, table, 8, 8,
                                             cudaMemcpyDeviceToHost));
  cudaGraphExec_t exec = nullptr;
  ASSERT_OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  ASSERT_OK(cudaGraphLaunch(exec, nullptr));
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(7, got[0]);
  EXPECT_EQ(8, got[1]);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
}

}  // namespace
