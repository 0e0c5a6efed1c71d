// The driver's memory: places of managed memory, properties, arrays.
#include <unistd.h>

#include "tests/conformance/cuda_driver.h"

namespace {

constexpr size_t kSize = 256;

class DriverMemory : public Driver {};

class Managed {
 public:
  Managed() { EXPECT_OK(cudaMallocManaged(&memory_, kSize, cudaMemAttachGlobal)); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  ~Managed() { EXPECT_OK(cudaFree(memory_)); }
  CUdeviceptr address() const { return address_of(memory_); }
  int told(CUmem_range_attribute attribute) const {
    int value = 99;
    EXPECT_CU(cuMemRangeGetAttribute(&value, sizeof value, attribute, address(), kSize));
    return value;
  }

 private:
  void* memory_ = nullptr;
};

TEST_F(DriverMemory, cuMemPrefetchAsync_names_the_device) {
  const Managed memory;
  const Stream stream;
  EXPECT_CU(cuMemPrefetchAsync(memory.address(), kSize, 1, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(1, memory.told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  EXPECT_CU(cuMemPrefetchAsync_ptsz(memory.address(), kSize, -1, nullptr));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_EQ(-1, memory.told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync(memory.address(), kSize, 7, stream));
}

TEST_F(DriverMemory, cuMemPrefetchAsync_v2_takes_devices_and_the_host) {
  const Managed memory;
  const Stream stream;
  EXPECT_CU(cuMemPrefetchAsync_v2(memory.address(), kSize, place(CU_MEM_LOCATION_TYPE_DEVICE, 1), 0,
                                  stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(1, memory.told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  EXPECT_CU(cuMemPrefetchAsync_v2_ptsz(memory.address(), kSize, place(CU_MEM_LOCATION_TYPE_HOST), 0,
                                       nullptr));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_EQ(-1, memory.told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  expect_refused("CU_MEM_LOCATION_TYPE_HOST_NUMA", [&] {
    return cuMemPrefetchAsync_v2(memory.address(), kSize, place(CU_MEM_LOCATION_TYPE_HOST_NUMA), 0,
                                 stream);
  });
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuMemPrefetchAsync_v2(memory.address(), kSize, place(CU_MEM_LOCATION_TYPE_DEVICE), 1,
                                  stream));
}

TEST_F(DriverMemory, cuMemAdvise_v2_is_told_by_cuMemRangeGetAttribute) {
  const Managed memory;
  EXPECT_CU(cuMemAdvise_v2(memory.address(), kSize, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
                           place(CU_MEM_LOCATION_TYPE_DEVICE, 1)));
  EXPECT_EQ(1, memory.told(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
  EXPECT_CU(cuMemAdvise_v2(memory.address(), kSize, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
                           place(CU_MEM_LOCATION_TYPE_HOST)));
  EXPECT_EQ(-1, memory.told(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION));
  // The location of this advice is ignored.
  EXPECT_CU(cuMemAdvise_v2(memory.address(), kSize, CU_MEM_ADVISE_SET_READ_MOSTLY,
                           place(CU_MEM_LOCATION_TYPE_HOST_NUMA)));
  EXPECT_EQ(1, memory.told(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY));
  expect_refused("CU_MEM_LOCATION_TYPE_HOST_NUMA", [&] {
    return cuMemAdvise_v2(memory.address(), kSize, CU_MEM_ADVISE_SET_ACCESSED_BY,
                          place(CU_MEM_LOCATION_TYPE_HOST_NUMA));
  });
}

TEST_F(DriverMemory, cuMemGetAllocationPropertiesFromHandle_tells_what_it_was_made_with) {
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  wanted.location = place(CU_MEM_LOCATION_TYPE_DEVICE, 1);
  size_t granule = 0;
  ASSERT_CU(cuMemGetAllocationGranularity(&granule, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUmemGenericAllocationHandle handle = 0;
  ASSERT_CU(cuMemCreate(&handle, granule, &wanted, 0));
  CUmemAllocationProp told;
  std::memset(&told, 0xee, sizeof told);
  EXPECT_CU(cuMemGetAllocationPropertiesFromHandle(&told, handle));
  EXPECT_EQ(0, std::memcmp(&wanted, &told, sizeof told));
  EXPECT_CU(cuMemRelease(handle));
}

TEST_F(DriverMemory, cuMemAllocHost_gives_pinned_memory) {
  void* memory = nullptr;
  ASSERT_CU(cuMemAllocHost(&memory, kSize));
  auto type = CU_MEMORYTYPE_DEVICE;
  EXPECT_CU(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address_of(memory)));
  EXPECT_EQ(CU_MEMORYTYPE_HOST, type);
  EXPECT_OK(cudaFreeHost(memory));
}

TEST_F(DriverMemory, cuPointerGetAttribute_knows_the_runtimes_memory) {
  const Buffer memory(kSize);
  CUcontext context = nullptr;
  EXPECT_CU(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, address_of(memory)));
  EXPECT_EQ(context_, context);
}

TEST_F(DriverMemory, cuMemcpy2DUnaligned_v2_takes_any_pitch) {
  const std::vector<unsigned char> rows = counted(3 * 7);
  const Buffer memory(kSize);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = rows.data();
  copy.srcPitch = 7;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = address_of(memory);
  copy.dstPitch = 5;
  copy.WidthInBytes = 5;
  copy.Height = 3;
  const std::vector<unsigned char> expected{1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19};
  EXPECT_CU(cuMemcpy2DUnaligned_v2(&copy));
  EXPECT_EQ(expected, contents(memory, expected.size()));
  EXPECT_CU(cuMemsetD8_v2(address_of(memory), 0, kSize));
  EXPECT_CU(cuMemcpy2DUnaligned_v2_ptds(&copy));
  EXPECT_EQ(expected, contents(memory, expected.size()));
}

class DriverArrays : public DriverMemory {
 protected:
  static CUarray made() {
    CUDA_ARRAY_DESCRIPTOR wanted{};
    wanted.Width = kSize;
    wanted.Format = CU_AD_FORMAT_UNSIGNED_INT8;
    wanted.NumChannels = 1;
    CUarray array = nullptr;
    EXPECT_CU(cuArrayCreate_v2(&array, &wanted));
    return array;
  }
};

TEST_F(DriverArrays, cuMemcpyDtoA_v2_and_cuMemcpyAtoD_v2_use_offsets) {
  CUarray array = made();
  const Buffer from(kSize);
  const Buffer to(kSize);
  EXPECT_OK(cudaMemcpy(from, counted(kSize).data(), kSize, cudaMemcpyHostToDevice));
  EXPECT_CU(cuMemcpyDtoA_v2(array, 16, address_of(from), 32));
  EXPECT_CU(cuMemcpyAtoD_v2(address_of(to), array, 20, 28));
  const std::vector<unsigned char> all = counted(kSize);
  EXPECT_EQ(std::vector<unsigned char>(all.begin() + 4, all.begin() + 32), contents(to, 28));
  EXPECT_CU(cuMemcpyDtoA_v2_ptds(array, 0, address_of(from), 8));
  EXPECT_CU(cuMemcpyAtoD_v2_ptds(address_of(to), array, 0, 8));
  EXPECT_EQ(counted(8), contents(to, 8));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoA_v2(array, kSize - 8, address_of(from), 16));
  EXPECT_CU(cuArrayDestroy(array));
}

TEST_F(DriverArrays, cuMemcpyAtoA_v2_uses_both_offsets) {
  CUarray from = made();
  CUarray to = made();
  const std::vector<unsigned char> all = counted(kSize);
  std::vector<unsigned char> told(24, 0xee);
  EXPECT_CU(cuMemcpyHtoA_v2(from, 0, all.data(), kSize));
  EXPECT_CU(cuMemcpyAtoA_v2(to, 40, from, 8, 24));
  EXPECT_CU(cuMemcpyAtoH_v2(told.data(), to, 40, 24));
  EXPECT_EQ(std::vector<unsigned char>(all.begin() + 8, all.begin() + 32), told);
  EXPECT_CU(cuMemcpyAtoA_v2_ptds(to, 40, from, 9, 24));
  EXPECT_CU(cuMemcpyAtoH_v2(told.data(), to, 40, 24));
  EXPECT_EQ(std::vector<unsigned char>(all.begin() + 9, all.begin() + 33), told);
  EXPECT_CU(cuArrayDestroy(from));
  EXPECT_CU(cuArrayDestroy(to));
}

// Work that the thread's own stream was given before comes first.
TEST_F(DriverArrays, cuMemcpyAtoD_v2_ptds_waits_for_the_threads_own_stream) {
  CUarray array = made();
  const Buffer to(kSize);
  EXPECT_CU(cuMemcpyHtoA_v2(array, 0, counted(8).data(), 8));
  EXPECT_OK(cudaLaunchHostFunc(
      cudaStreamPerThread, [](void*) { usleep(50000); }, nullptr));
  EXPECT_OK(cudaMemsetAsync(to, 9, 8, cudaStreamPerThread));
  EXPECT_CU(cuMemcpyAtoD_v2_ptds(address_of(to), array, 0, 8));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_EQ(counted(8), contents(to, 8));
  EXPECT_CU(cuArrayDestroy(array));
}

}  // namespace
