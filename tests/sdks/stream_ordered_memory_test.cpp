// Stream-ordered allocation, which SDKs before 5.1 are not known to have.
#include "tests/sdks/sdk.h"

namespace {

constexpr size_t kSize = 4096;

bool has_pools() { return sdk() >= 50000; }

TEST(StreamOrdered, cudaDeviceGetAttribute_says_whether_there_are_pools) {
  int value = -1;
  EXPECT_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryPoolsSupported, 0));
  EXPECT_EQ(has_pools() ? 1 : 0, value);
  cudaDeviceProp properties{};
  EXPECT_OK(properties_of(&properties, 0));
#if CUDA_MAJOR >= 12
  EXPECT_EQ(has_pools() ? 1 : 0, properties.memoryPoolsSupported);
#endif
}

TEST(StreamOrdered, cudaDeviceGetDefaultMemPool_is_refused_where_there_are_none) {
  cudaMemPool_t pool = nullptr;
  if (has_pools()) {
    EXPECT_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    return;
  }
  EXPECT_ERROR(cudaErrorNotSupported, cudaDeviceGetDefaultMemPool(&pool, 0));
  EXPECT_EQ(nullptr, pool);
  int value = 0;
  EXPECT_ERROR(cudaErrorNotSupported,
               cudaMemPoolGetAttribute(reinterpret_cast<cudaMemPool_t>(not_an_object),
                                       cudaMemPoolReuseAllowOpportunistic, &value));
}

TEST(StreamOrdered, cudaMallocAsync_gives_memory) {
  const Stream stream;
  const auto bytes = counted(kSize);
  void* memory = nullptr;
  ASSERT_OK(cudaMallocAsync(&memory, kSize, stream));
  ASSERT_OK(cudaMemcpyAsync(memory, bytes.data(), kSize, cudaMemcpyHostToDevice, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(bytes, contents(memory, kSize));
  EXPECT_OK(cudaFreeAsync(memory, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
}

TEST(StreamOrdered, cudaMallocAsync_refuses_bad_arguments) {
  const Stream stream;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocAsync(nullptr, kSize, stream));
  void* memory = nullptr;
  EXPECT_ERROR(cudaErrorMemoryAllocation, cudaMallocAsync(&memory, size_t{1} << 60, stream));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaMallocAsync(&memory, kSize, bad_stream()));
  EXPECT_EQ(nullptr, memory);
}

TEST(StreamOrdered, cudaFreeAsync_frees_after_the_work_before_it) {
  const Stream stream;
  Journal journal;
  void* memory = nullptr;
  ASSERT_OK(cudaMallocAsync(&memory, kSize, stream));
  journal.write(stream, 'a');
  EXPECT_OK(cudaMemsetAsync(memory, 5, kSize, stream));
  EXPECT_OK(cudaFreeAsync(memory, stream));
  // If the SDK cannot free in stream order, the call has waited.
  if (!has_pools()) {
    EXPECT_EQ("a", journal.text());
  }
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ("a", journal.text());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeAsync(memory, stream));
  EXPECT_OK(cudaFreeAsync(nullptr, stream));
}

TEST(StreamOrdered, cudaMallocAsync_of_a_capture) {
  const Stream stream(cudaStreamNonBlocking);
  void* memory = nullptr;
  cudaGraph_t graph = nullptr;
  ASSERT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  if (has_pools()) {
    EXPECT_OK(cudaMallocAsync(&memory, kSize, stream));
  } else {
    EXPECT_ERROR(cudaErrorStreamCaptureUnsupported, cudaMallocAsync(&memory, kSize, stream));
    EXPECT_EQ(nullptr, memory);
    EXPECT_ERROR(cudaErrorStreamCaptureUnsupported, cudaFreeAsync(not_an_object, stream));
  }
  // The capture continues.
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT_OK(cudaGraphDestroy(graph));
}

TEST(StreamOrdered, cudaMallocAsync_ptsz_and_cudaFreeAsync_ptsz) {
  void* memory = nullptr;
  Journal journal;
  ASSERT_OK(cudaMallocAsync_ptsz(&memory, kSize, nullptr));
  journal.write(cudaStreamPerThread, 'a');
  EXPECT_OK(cudaMemsetAsync(memory, 5, kSize, cudaStreamPerThread));
  EXPECT_OK(cudaFreeAsync_ptsz(memory, nullptr));
  if (!has_pools()) {
    EXPECT_EQ("a", journal.text());
  }
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeAsync_ptsz(memory, nullptr));
}

}  // namespace
