// Addresses that a program reserved, with neighbouring pieces of memory of two devices mapped at
// them. They are one range for every device that has access to both pieces.
#include <array>

#include "tests/conformance/cuda_driver.h"

namespace {

constexpr auto kReadWrite = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
constexpr auto kRead = CU_MEM_ACCESS_FLAGS_PROT_READ;
constexpr auto kNone = CU_MEM_ACCESS_FLAGS_PROT_NONE;
constexpr auto kRefused = CUDA_ERROR_INVALID_VALUE;

class DriverVirtualMemory : public Driver {
 protected:
  void SetUp() override {
    Driver::SetUp();
    const CUmemAllocationProp prop = on(0);
    ASSERT_CU(cuMemGetAllocationGranularity(&piece_, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    ASSERT_CU(cuMemAddressReserve(&base_, 3 * piece_, 0, 0, 0));
    for (int device = 0; device < 2; ++device) map(device, device);
    border_ = base_ + piece_;
  }
  void TearDown() override {
    EXPECT_CU(cuMemUnmap(base_, 2 * piece_));
    EXPECT_CU(cuMemAddressFree(base_, 3 * piece_));
    Driver::TearDown();
  }

  static CUmemAllocationProp on(int device) {
    CUmemAllocationProp prop{};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location = place(CU_MEM_LOCATION_TYPE_DEVICE, device);
    return prop;
  }
  CUdeviceptr at(size_t piece) const { return base_ + piece * piece_; }
  void map(size_t piece, int device) const {
    const CUmemAllocationProp prop = on(device);
    CUmemGenericAllocationHandle handle = 0;
    ASSERT_CU(cuMemCreate(&handle, piece_, &prop, 0));
    ASSERT_CU(cuMemMap(at(piece), piece_, 0, handle, 0));
    ASSERT_CU(cuMemRelease(handle));
  }
  void let(int device, CUmemAccess_flags flags, size_t piece = 0, size_t pieces = 2) const {
    CUmemAccessDesc access{};
    access.location = place(CU_MEM_LOCATION_TYPE_DEVICE, device);
    access.flags = flags;
    ASSERT_CU(cuMemSetAccess(at(piece), pieces * piece_, &access, 1));
  }
  std::vector<unsigned char> read(CUdeviceptr from, size_t size) const {
    std::vector<unsigned char> bytes(size, 0xee);
    EXPECT_CU(cuMemcpyDtoH_v2(bytes.data(), from, size));
    return bytes;
  }
  CUresult write(CUdeviceptr to, size_t size = kAround) const {
    return cuMemcpyHtoD_v2(to, counted(size).data(), size);
  }

  static constexpr size_t kAround = 512;
  size_t piece_ = 0;
  CUdeviceptr base_ = 0;
  CUdeviceptr border_ = 0;
};

TEST_F(DriverVirtualMemory, cuMemSetAccess_makes_neighbours_one_range_for_copies) {
  let(0, kReadWrite);
  const std::vector<unsigned char> all = counted(2 * piece_);
  EXPECT_CU(cuMemcpyHtoD_v2(base_, all.data(), all.size()));
  EXPECT_EQ(all, read(base_, all.size()));

  const Buffer elsewhere(2 * piece_);
  EXPECT_CU(cuMemcpyDtoD_v2(address_of(elsewhere), base_, all.size()));
  EXPECT_EQ(all, contents(elsewhere, all.size()));
  EXPECT_CU(cuMemcpy(base_, address_of(elsewhere) + 1, 2 * piece_ - 1));
  EXPECT_EQ(all[piece_ + 1], read(border_, 1)[0]);

  const Stream stream;
  const Pinned host(kAround);
  host.fill(7);
  EXPECT_CU(cuMemcpyHtoDAsync_v2(border_ - 100, host, kAround, stream));
  EXPECT_CU(cuMemcpyAsync(address_of(elsewhere), border_ - 100, kAround, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(bytes_of(kAround, 7), contents(elsewhere, kAround));

  // Rows on both sides of the border, and one across it.
  CUDA_MEMCPY2D rows{};
  rows.srcMemoryType = CU_MEMORYTYPE_HOST;
  rows.srcHost = all.data();
  rows.srcPitch = 10;
  rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  rows.dstDevice = border_ - 105;
  rows.dstPitch = 100;
  rows.WidthInBytes = 10;
  rows.Height = 3;
  EXPECT_CU(cuMemcpy2D_v2(&rows));
  EXPECT_EQ(std::vector(all.begin() + 10, all.begin() + 20), read(border_ - 5, 10));

  CUDA_MEMCPY3D slices{};
  slices.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  slices.srcDevice = border_ - 105;
  slices.srcPitch = 100;
  slices.srcHeight = 1;
  slices.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  slices.dstDevice = address_of(elsewhere);
  slices.dstPitch = 10;
  slices.dstHeight = 1;
  slices.WidthInBytes = 10;
  slices.Height = 1;
  slices.Depth = 3;
  EXPECT_CU(cuMemcpy3D_v2(&slices));
  EXPECT_EQ(std::vector(all.begin(), all.begin() + 30), contents(elsewhere, 30));
}

TEST_F(DriverVirtualMemory, cuMemSetAccess_makes_neighbours_one_range_for_fills) {
  let(0, kReadWrite);
  EXPECT_CU(cuMemsetD8_v2(base_, 1, 2 * piece_));
  EXPECT_EQ(bytes_of(2 * piece_, 1), read(base_, 2 * piece_));
  const Stream stream;
  EXPECT_CU(cuMemsetD32Async(border_ - 8, 0x02020202, 4, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(bytes_of(16, 2), read(border_ - 8, 16));
  EXPECT_CU(cuMemsetD2D16_v2(border_ - 102, 100, 0x0303, 2, 3));
  EXPECT_EQ(bytes_of(4, 3), read(border_ - 2, 4));
  EXPECT_OK(cudaMemset(memory_at(border_ - 20), 4, 40));
  EXPECT_EQ(bytes_of(40, 4), read(border_ - 20, 40));
}

TEST_F(DriverVirtualMemory, cuMemSetAccess_makes_neighbours_one_range_for_graphs) {
  let(0, kReadWrite);
  EXPECT_CU(write(border_ - 100));
  const Buffer result(kAround);
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_OK(cudaGraphCreate(&graph, 0));
  ASSERT_OK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, result, memory_at(border_ - 100),
                                     kAround, cudaMemcpyDeviceToDevice));
  ASSERT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphLaunch(exec, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(counted(kAround), contents(result, kAround));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
}

TEST_F(DriverVirtualMemory, cuMemSetAccess_makes_neighbours_one_range_for_kernels) {
  NEEDS_IMAGES();
  let(0, kReadWrite);
  constexpr int kCount = 100;
  const std::vector<float> ones(kCount, 1);
  const CUdeviceptr values = border_ - 200;
  EXPECT_CU(cuMemcpyHtoD_v2(values, ones.data(), kCount * sizeof(float)));
  CUmodule module = nullptr;
  CUfunction saxpy = nullptr;
  ASSERT_CU(cuModuleLoad(&module, (std::string(IMAGES) + "saxpy.image").c_str()));
  ASSERT_CU(cuModuleGetFunction(&saxpy, module, "_Z5saxpyfPKfPfi"));
  float by = 3;
  CUdeviceptr memory = values;
  int count = kCount;
  std::array<void*, 4> arguments{&by, &memory, &memory, &count};
  EXPECT_CU(cuLaunchKernel(saxpy, 1, 1, 1, 128, 1, 1, 0, nullptr, arguments.data(), nullptr));
  std::vector<float> results(kCount);
  EXPECT_CU(cuMemcpyDtoH_v2(results.data(), values, kCount * sizeof(float)));
  EXPECT_EQ(std::vector<float>(kCount, 4), results);
  EXPECT_CU(cuModuleUnload(module));
}

TEST_F(DriverVirtualMemory, cuMemSetAccess_lets_only_the_named_devices_use_the_memory) {
  const Buffer elsewhere(kAround);
  EXPECT_EQ(kRefused, write(base_)) << "before any access";
  EXPECT_EQ(kRefused, cuMemcpy(address_of(elsewhere), base_, kAround));
  EXPECT_EQ(kRefused, cuMemsetD8_v2(base_, 1, kAround));

  let(0, kReadWrite, 0, 1);
  EXPECT_CU(write(border_ - kAround));
  EXPECT_EQ(kRefused, write(border_ - 100)) << "only the first piece";
  EXPECT_EQ(kRefused, cuMemsetD8_v2(border_ - 100, 1, kAround));
  let(1, kReadWrite, 1, 1);
  EXPECT_EQ(kRefused, write(border_ - 100)) << "a piece for each device";
  EXPECT_EQ(kRefused, write(border_)) << "the other device's";
  let(0, kReadWrite, 1, 1);
  EXPECT_CU(write(border_ - 100));
  let(0, kRead, 1, 1);
  EXPECT_EQ(kRefused, write(border_ - 100)) << "read only";
  EXPECT_EQ(kRefused, cuMemsetD8_v2(border_ - 100, 1, kAround));
  EXPECT_EQ(counted(kAround), read(border_ - 100, kAround));
  let(0, kNone, 1, 1);
  EXPECT_EQ(kRefused, cuMemcpyDtoD_v2(address_of(elsewhere), border_ - 100, kAround));

  EXPECT_EQ(kRefused, write(at(2))) << "reserved only";
  EXPECT_EQ(kRefused, cuMemcpy(address_of(elsewhere), at(2), kAround));
  EXPECT_EQ(kRefused, cuMemcpy(at(2), address_of(elsewhere), kAround));
  EXPECT_EQ(kRefused, write(at(2) - 1)) << "into what is reserved only";
}

TEST_F(DriverVirtualMemory, cuMemSetAccess_counts_for_the_device_that_works) {
  let(0, kReadWrite);
  CUcontext other = nullptr;
  ASSERT_CU(cuDevicePrimaryCtxRetain(&other, 1));
  ASSERT_CU(cuCtxSetCurrent(other));
  EXPECT_EQ(kRefused, write(border_ - 100));
  EXPECT_EQ(kRefused, cuMemsetD8_v2(border_ - 100, 1, kAround));
  // Between peers, each device uses its own side.
  {
    const Buffer elsewhere(kAround);
    ASSERT_CU(cuCtxSetCurrent(context_));
    EXPECT_CU(write(border_ - 100));
    EXPECT_CU(cuMemcpyPeer(address_of(elsewhere), other, border_ - 100, context_, kAround));
    EXPECT_EQ(counted(kAround), contents(elsewhere, kAround));
    EXPECT_EQ(kRefused, cuMemcpyPeer(address_of(elsewhere), other, border_ - 100, other, kAround));
    let(1, kReadWrite);
    EXPECT_CU(cuMemcpyPeer(address_of(elsewhere), other, border_ - 100, other, kAround));
  }
  ASSERT_CU(cuCtxSetCurrent(other));
  EXPECT_CU(write(border_ - 100));
  EXPECT_CU(cuDevicePrimaryCtxRelease_v2(1));
  ASSERT_CU(cuCtxSetCurrent(context_));
}

TEST_F(DriverVirtualMemory, cuPointerGetAttribute_tells_of_each_piece) {
  let(0, kReadWrite, 0, 1);
  let(0, kRead, 1, 1);
  const std::array<unsigned, 2> allowed{kReadWrite,
                                        kRead};  // flags of an address have the same bits
  for (int piece = 0; piece < 2; ++piece) {
    const CUdeviceptr inside = at(static_cast<size_t>(piece)) + 5;
    int device = -1;
    EXPECT_CU(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, inside));
    EXPECT_EQ(piece, device);
    unsigned access = 9;
    EXPECT_CU(cuPointerGetAttribute(&access, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, inside));
    EXPECT_EQ(allowed[static_cast<size_t>(piece)], access);
    // What was reserved, and what is mapped.
    CUdeviceptr start = 0;
    size_t size = 0;
    EXPECT_CU(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, inside));
    EXPECT_CU(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, inside));
    EXPECT_EQ(base_, start);
    EXPECT_EQ(3 * piece_, size);
    EXPECT_CU(cuMemGetAddressRange_v2(&start, &size, inside));
    EXPECT_EQ(inside - 5, start);
    EXPECT_EQ(piece_, size);
    cudaPointerAttributes told{};
    EXPECT_OK(cudaPointerGetAttributes(&told, memory_at(inside)));
    EXPECT_EQ(cudaMemoryTypeDevice, told.type);
    EXPECT_EQ(piece, told.device);
  }
}

TEST_F(DriverVirtualMemory, cuPointerSetAttribute_stays_when_a_neighbour_is_mapped) {
  let(0, kReadWrite);
  const unsigned waits = 1;
  unsigned long long before = 0;
  const bool set =
      served_since(43, cuPointerSetAttribute(&waits, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, border_));
  EXPECT_CU(cuPointerGetAttribute(&before, CU_POINTER_ATTRIBUTE_BUFFER_ID, border_));
  map(2, 1);
  let(0, kReadWrite, 2, 1);
  EXPECT_CU(write(border_ - 1, piece_ + 2));
  EXPECT_CU(cuMemUnmap(at(2), piece_));
  EXPECT_EQ(kRefused, write(border_ - 1, piece_ + 2));
  unsigned told = 9;
  unsigned long long after = 0;
  EXPECT_CU(cuPointerGetAttribute(&told, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, border_));
  EXPECT_CU(cuPointerGetAttribute(&after, CU_POINTER_ATTRIBUTE_BUFFER_ID, border_));
  EXPECT_EQ(set ? 1U : 0U, told);
  EXPECT_EQ(before, after);
}

}  // namespace
