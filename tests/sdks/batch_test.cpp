// Batches of copies: CUDA 12 takes an output for the failed copy, CUDA 13 does not. SDK 3.1 has no
// batches.
#include "tests/sdks/sdk.h"

#if CUDA_MAJOR >= 12
namespace {

constexpr size_t kSize = 64;

cudaError_t copy(void** to, void** from, size_t* sizes, size_t count, cudaStream_t stream) {
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t first = 0;
#if CUDA_MAJOR == 12
  size_t failed = 0;
  return cudaMemcpyBatchAsync(to, from, sizes, count, &attributes, &first, 1, &failed, stream);
#else
  return cudaMemcpyBatchAsync(to, from, sizes, count, &attributes, &first, 1, stream);
#endif
}

TEST(Batches, cudaMemcpyBatchAsync_copies_all) {
  const Stream stream;
  const auto bytes = counted(2 * kSize);
  const Pinned pinned(2 * kSize);
  std::memcpy(pinned, bytes.data(), 2 * kSize);
  const Buffer memory(2 * kSize);
  void* to[] = {memory.bytes(), memory.bytes() + kSize};
  void* from[] = {pinned, static_cast<char*>(static_cast<void*>(pinned)) + kSize};
  size_t sizes[] = {kSize, kSize};
  if (sdk() < 40200) {
    EXPECT_ERROR(cudaErrorNotSupported, copy(to, from, sizes, 2, stream));
    return;
  }
  EXPECT_OK(copy(to, from, sizes, 2, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(bytes, contents(memory, 2 * kSize));
  EXPECT_ERROR(cudaErrorInvalidValue, copy(nullptr, from, sizes, 2, stream));
}

TEST(Batches, cudaMemcpy3DBatchAsync_copies) {
  if (sdk() < 40200) return;  // the test above covers the missing function
  const Stream stream;
  const auto bytes = counted(kSize);
  const Pinned pinned(kSize);
  std::memcpy(pinned, bytes.data(), kSize);
  const Buffer memory(kSize);
  cudaMemcpy3DBatchOp operation{};
  operation.src.type = operation.dst.type = cudaMemcpyOperandTypePointer;
  operation.src.op.ptr.ptr = pinned;
  operation.dst.op.ptr.ptr = memory;
  operation.extent = {kSize, 1, 1};
  operation.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
#if CUDA_MAJOR == 12
  size_t failed = 0;
  EXPECT_OK(cudaMemcpy3DBatchAsync(1, &operation, &failed, 0, stream));
#else
  EXPECT_OK(cudaMemcpy3DBatchAsync(1, &operation, 0, stream));
#endif
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(bytes, contents(memory, kSize));
}

}  // namespace
#endif
