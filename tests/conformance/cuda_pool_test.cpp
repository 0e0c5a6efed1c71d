// The driver's stream-ordered memory. What one door allocates, the other frees.
#include <unistd.h>

#include "tests/conformance/cuda_driver.h"

namespace {

constexpr size_t kSize = 4096;
constexpr int kWithPools = 50;  // The SDK that brought them.

class DriverPools : public Driver {
 protected:
  // A pool of device 0, or null where MUSA has none.
  static CUmemoryPool made(CUmemAllocationHandleType handles = CU_MEM_HANDLE_TYPE_NONE) {
    CUmemPoolProps wanted{};
    wanted.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.handleTypes = handles;
    wanted.location = place(CU_MEM_LOCATION_TYPE_DEVICE);
    CUmemoryPool pool = nullptr;
    served_since(kWithPools, cuMemPoolCreate(&pool, &wanted));
    return pool;
  }
  static cuuint64_t told(CUmemoryPool pool, CUmemPool_attribute attribute) {
    cuuint64_t value = 99;
    EXPECT_CU(cuMemPoolGetAttribute(pool, attribute, &value));
    return value;
  }
};

TEST_F(DriverPools, cuMemAllocAsync_gives_memory_that_the_runtime_frees) {
  const Stream stream;
  CUdeviceptr memory = 0;
  ASSERT_CU(cuMemAllocAsync(&memory, kSize, stream));
  EXPECT_CU(cuMemsetD8Async(memory, 5, kSize, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(bytes_of(kSize, 5), contents(memory_at(memory), kSize));
  EXPECT_OK(cudaFreeAsync(memory_at(memory), stream));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemAllocAsync(nullptr, kSize, stream));
  EXPECT_EQ(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocAsync(&memory, size_t{1} << 40, stream));
}

TEST_F(DriverPools, cuMemFreeAsync_frees_what_the_runtime_allocated) {
  const Stream stream;
  void* memory = nullptr;
  ASSERT_OK(cudaMallocAsync(&memory, kSize, stream));
  EXPECT_CU(cuMemFreeAsync(address_of(memory), stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(address_of(memory), stream));
  EXPECT_CU(cuMemFreeAsync(0, stream));
}

TEST_F(DriverPools, cuMemFreeAsync_ptsz_and_cuMemAllocAsync_ptsz_work_in_the_threads_own_stream) {
  CUdeviceptr memory = 0;
  ASSERT_CU(cuMemAllocAsync_ptsz(&memory, kSize, nullptr));
  EXPECT_CU(cuMemsetD8Async_ptsz(memory, 5, kSize, nullptr));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_EQ(bytes_of(kSize, 5), contents(memory_at(memory), kSize));
  EXPECT_CU(cuMemFreeAsync_ptsz(memory, nullptr));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync_ptsz(memory, nullptr));
}

TEST_F(DriverPools, cuMemAllocAsync_in_a_capture_is_a_node_or_refused) {
  const Stream stream(cudaStreamNonBlocking);
  CUdeviceptr memory = 0;
  ASSERT_CU(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  const CUresult status = cuMemAllocAsync(&memory, kSize, stream);
  EXPECT_EQ(tree() >= kWithPools ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, status);
  if (status == CUDA_SUCCESS) {
    EXPECT_CU(cuMemFreeAsync(memory, stream));
  }
  CUgraph graph = nullptr;
  EXPECT_CU(cuStreamEndCapture(stream, &graph));
  size_t nodes = 99;
  EXPECT_CU(cuGraphGetNodes(graph, nullptr, &nodes));
  EXPECT_EQ(status == CUDA_SUCCESS ? 2u : 0u, nodes);
  EXPECT_CU(cuGraphDestroy(graph));
}

TEST_F(DriverPools, cuMemAllocFromPoolAsync_takes_it_from_that_pool) {
  CUmemoryPool pool = made();
  if (!pool) return;
  const Stream stream;
  CUdeviceptr memory = 0;
  ASSERT_CU(cuMemAllocFromPoolAsync(&memory, kSize, pool, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_GE(told(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), kSize);
  EXPECT_CU(cuMemFreeAsync(memory, stream));
  ASSERT_CU(cuMemAllocFromPoolAsync_ptsz(&memory, kSize, pool, nullptr));
  EXPECT_CU(cuMemFreeAsync_ptsz(memory, nullptr));
  EXPECT_CU(cuCtxSynchronize());
  EXPECT_EQ(0u, told(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT));
  EXPECT_CU(cuMemPoolDestroy(pool));
}

TEST_F(DriverPools, cuMemPoolSetAttribute_keeps_memory_until_cuMemPoolTrimTo) {
  CUmemoryPool pool = made();
  if (!pool) return;
  const Stream stream;
  cuuint64_t keep = UINT64_MAX;
  EXPECT_CU(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
  EXPECT_EQ(keep, told(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD));
  CUdeviceptr memory = 0;
  ASSERT_CU(cuMemAllocFromPoolAsync(&memory, kSize, pool, stream));
  EXPECT_CU(cuMemFreeAsync(memory, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_NE(0u, told(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT));
  EXPECT_CU(cuMemPoolTrimTo(pool, 0));
  EXPECT_EQ(0u, told(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT));
  EXPECT_CU(cuMemPoolDestroy(pool));
}

TEST_F(DriverPools, cuMemPoolSetAccess_is_what_cuMemPoolGetAccess_tells) {
  CUmemoryPool pool = made();
  if (!pool) return;
  CUmemAccessDesc wanted{};
  wanted.location = place(CU_MEM_LOCATION_TYPE_DEVICE, 1);
  wanted.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  auto flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  EXPECT_CU(cuMemPoolGetAccess(&flags, pool, &wanted.location));
  EXPECT_EQ(CU_MEM_ACCESS_FLAGS_PROT_NONE, flags);
  EXPECT_CU(cuMemPoolSetAccess(pool, &wanted, 1));
  EXPECT_CU(cuMemPoolGetAccess(&flags, pool, &wanted.location));
  EXPECT_EQ(CU_MEM_ACCESS_FLAGS_PROT_READWRITE, flags);
  EXPECT_CU(cuMemPoolDestroy(pool));
}

TEST_F(DriverPools, cuMemPoolExportToShareableHandle_and_cuMemPoolImportPointer_share_memory) {
  CUmemoryPool pool = made(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  if (!pool) return;
  const Stream stream;
  int file = -1;
  ASSERT_CU(
      cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                             1ULL << 32));
  CUmemoryPool imported = nullptr;
  void* const handle = reinterpret_cast<void*>(static_cast<intptr_t>(file));
  ASSERT_CU(cuMemPoolImportFromShareableHandle(&imported, handle,
                                               CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuMemPoolImportFromShareableHandle(
                &imported, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1ULL << 32));
  CUdeviceptr memory = 0;
  ASSERT_CU(cuMemAllocFromPoolAsync(&memory, kSize, pool, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  CUmemPoolPtrExportData data{};
  ASSERT_CU(cuMemPoolExportPointer(&data, memory));
  CUdeviceptr other = 0;
  ASSERT_CU(cuMemPoolImportPointer(&other, imported, &data));
  EXPECT_CU(cuMemsetD8_v2(memory, 5, kSize));
  EXPECT_EQ(bytes_of(kSize, 5), contents(memory_at(other), kSize));
  EXPECT_CU(cuMemFreeAsync(other, stream));
  EXPECT_CU(cuMemFreeAsync(memory, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_CU(cuMemPoolDestroy(imported));
  EXPECT_CU(cuMemPoolDestroy(pool));
  EXPECT_EQ(0, close(file));
}

TEST_F(DriverPools, cuDeviceSetMemPool_changes_what_cuDeviceGetMemPool_tells) {
  CUmemoryPool before = nullptr;
  CUmemoryPool now = nullptr;
  if (!served_since(kWithPools, cuDeviceGetDefaultMemPool(&before, 0))) return;
  EXPECT_CU(cuDeviceGetMemPool(&now, 0));
  EXPECT_EQ(before, now);
  CUmemoryPool own = made();
  EXPECT_CU(cuDeviceSetMemPool(0, own));
  EXPECT_CU(cuDeviceGetMemPool(&now, 0));
  EXPECT_EQ(own, now);
  cudaMemPool_t seen = nullptr;
  EXPECT_OK(cudaDeviceGetMemPool(&seen, 0));
  EXPECT_EQ(own, seen);
  EXPECT_CU(cuDeviceSetMemPool(0, before));
  EXPECT_CU(cuMemPoolDestroy(own));
}

TEST_F(DriverPools, cuMemSetMemPool_changes_what_cuMemGetMemPool_tells) {
  CUmemLocation where = place(CU_MEM_LOCATION_TYPE_DEVICE, 1);
  CUmemoryPool before = nullptr;
  CUmemoryPool now = nullptr;
  if (!served_since(kWithPools,
                    cuMemGetDefaultMemPool(&before, &where, CU_MEM_ALLOCATION_TYPE_PINNED))) {
    return;
  }
  CUmemoryPool of_device = nullptr;
  EXPECT_CU(cuDeviceGetDefaultMemPool(&of_device, 1));
  EXPECT_EQ(of_device, before);
  EXPECT_CU(cuMemSetMemPool(&where, CU_MEM_ALLOCATION_TYPE_PINNED, before));
  EXPECT_CU(cuMemGetMemPool(&now, &where, CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT_EQ(before, now);
  expect_refused("CU_MEM_ALLOCATION_TYPE_MANAGED",
                 [&] { return cuMemGetMemPool(&now, &where, CU_MEM_ALLOCATION_TYPE_MANAGED); });
  where = place(CU_MEM_LOCATION_TYPE_HOST);
  expect_refused("CU_MEM_LOCATION_TYPE_HOST", [&] {
    return cuMemGetDefaultMemPool(&now, &where, CU_MEM_ALLOCATION_TYPE_PINNED);
  });
}

}  // namespace
