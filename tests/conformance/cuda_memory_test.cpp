// The driver's memory: places of managed memory, properties, arrays.
#include <unistd.h>

#include <array>

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

// A handle for other hosts is longer in MUSA than in CUDA: memory for it is refused, and so is the
// handle. Nothing is written behind what the program has for it.
TEST_F(DriverMemory, cuMemExportToShareableHandle_has_no_handle_for_other_hosts) {
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
  wanted.location = place(CU_MEM_LOCATION_TYPE_DEVICE, 0);
  size_t granule = 0;
  CUmemGenericAllocationHandle handle = 0;
  const std::string reason = "MUSA's handle for other hosts has 128 bytes, CUDA's has 64";
  expect_refused(reason, [&] {
    return cuMemGetAllocationGranularity(&granule, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  });
  expect_refused(reason, [&] { return cuMemCreate(&handle, 2 << 20, &wanted, 0); });

  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  ASSERT_CU(cuMemGetAllocationGranularity(&granule, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  ASSERT_CU(cuMemCreate(&handle, granule, &wanted, 0));
  std::array<unsigned char, 256> exported{};
  CUmemGenericAllocationHandle other = 0;
  testing::internal::CaptureStderr();
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuMemExportToShareableHandle(exported.data(), handle, CU_MEM_HANDLE_TYPE_FABRIC, 0));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuMemImportFromShareableHandle(&other, exported.data(), CU_MEM_HANDLE_TYPE_FABRIC));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("cuMemExportToShareableHandle")) << said;
  EXPECT_NE(std::string::npos, said.find("cuMemImportFromShareableHandle")) << said;
  EXPECT_NE(said.find(reason), said.rfind(reason)) << said;
  EXPECT_EQ((std::array<unsigned char, 256>{}), exported);
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

TEST_F(DriverMemory, cuPointerGetAttributes_knows_nothing_of_the_programs_own_memory) {
  const Buffer memory(kSize);
  char own = 0;
  CUcontext context = nullptr;
  CUmemorytype type{};
  int device = -1;
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* told[] = {&context, &type, &device};
  EXPECT_CU(cuPointerGetAttributes(3, asked, told, address_of(memory) + 1));
  EXPECT_EQ(context_, context);
  EXPECT_EQ(CU_MEMORYTYPE_DEVICE, type);
  EXPECT_EQ(0, device);
  EXPECT_CU(cuPointerGetAttributes(3, asked, told, address_of(&own)));
  EXPECT_EQ(nullptr, context);
  EXPECT_EQ(0, static_cast<int>(type));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, asked[1], address_of(&own)));
  CUdeviceptr begin = 0;
  size_t size = 0;
  EXPECT_CU(cuMemGetAddressRange_v2(&begin, &size, address_of(memory) + 1));
  EXPECT_EQ(address_of(memory), begin);
  EXPECT_EQ(kSize, size);
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange_v2(&begin, &size, address_of(&own)));
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

// Bytes of a box of 3 planes, 4 rows and 16 bytes, counted from 1.
constexpr size_t kBox = 3 * 4 * 16;

// A box of 2 planes, 2 rows and 5 bytes of such memory, from plane 1, row 1, byte 2.
std::vector<unsigned char> inner_box() {
  const std::vector<unsigned char> all = counted(kBox);
  std::vector<unsigned char> out;
  for (size_t plane = 1; plane < 3; ++plane) {
    for (size_t row = 1; row < 3; ++row) {
      const auto start = all.begin() + static_cast<std::ptrdiff_t>((plane * 4 + row) * 16 + 2);
      out.insert(out.end(), start, start + 5);
    }
  }
  return out;
}

CUDA_MEMCPY3D_PEER inner_copy() {
  CUDA_MEMCPY3D_PEER copy{};
  copy.srcXInBytes = 2;
  copy.srcY = copy.srcZ = 1;
  copy.srcPitch = 16;
  copy.srcHeight = 4;
  copy.dstPitch = 5;
  copy.dstHeight = 2;
  copy.WidthInBytes = 5;
  copy.Height = copy.Depth = 2;
  return copy;
}

TEST_F(DriverMemory, cuMemcpy3DPeer_copies_a_box_to_another_device) {
  CUcontext other = nullptr;
  ASSERT_CU(cuDevicePrimaryCtxRetain(&other, 1));
  const Buffer from(kBox);
  EXPECT_OK(cudaMemcpy(from, counted(kBox).data(), kBox, cudaMemcpyHostToDevice));
  CUdeviceptr to = 0;
  ASSERT_CU(cuCtxSetCurrent(other));
  ASSERT_CU(cuMemAlloc_v2(&to, kBox));
  ASSERT_CU(cuCtxSetCurrent(context_));
  CUDA_MEMCPY3D_PEER copy = inner_copy();
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = address_of(from);
  copy.srcContext = context_;
  copy.dstDevice = to;
  copy.dstContext = other;
  const Stream stream;
  const auto copied = [&](const auto& call) {
    std::vector<unsigned char> told(inner_box().size(), 0);
    EXPECT_CU(cuMemsetD8_v2(to, 0, kBox));
    EXPECT_CU(call());
    EXPECT_CU(cuStreamSynchronize(stream));
    EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
    EXPECT_CU(cuMemcpyDtoH_v2(told.data(), to, told.size()));
    return told;
  };
  EXPECT_EQ(inner_box(), copied([&] { return cuMemcpy3DPeer(&copy); }));
  EXPECT_EQ(inner_box(), copied([&] { return cuMemcpy3DPeerAsync(&copy, stream); }));
  EXPECT_EQ(inner_box(), copied([&] { return cuMemcpy3DPeer_ptds(&copy); }));
  EXPECT_EQ(inner_box(), copied([&] { return cuMemcpy3DPeerAsync_ptsz(&copy, nullptr); }));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DPeer(nullptr));
  EXPECT_CU(cuMemFree_v2(to));
  EXPECT_CU(cuDevicePrimaryCtxRelease_v2(1));
}

TEST_F(DriverMemory, cuMemcpy3DPeer_copies_a_box_from_the_host) {
  const std::vector<unsigned char> from = counted(kBox);
  const Buffer to(kBox);
  CUDA_MEMCPY3D_PEER copy = inner_copy();
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from.data();
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = address_of(to);
  copy.dstContext = context_;
  EXPECT_CU(cuMemcpy3DPeer(&copy));
  EXPECT_EQ(inner_box(), contents(to, inner_box().size()));
}

TEST_F(DriverMemory, cuMemcpyBatchAsync_copies_each) {
  const Buffer from(kSize);
  const Buffer to(kSize);
  EXPECT_OK(cudaMemcpy(from, counted(kSize).data(), kSize, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemset(to, 0, kSize));
  std::vector<unsigned char> host{201, 202, 203};
  const Stream stream;
  CUdeviceptr targets[] = {address_of(to), address_of(to) + 4};
  CUdeviceptr sources[] = {address_of(from) + 8, address_of(host.data())};
  size_t sizes[] = {4, 3};
  size_t first[] = {0, 1};
  CUmemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  attributes[1].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
  size_t failed = 0;
  EXPECT_CU(cuMemcpyBatchAsync(targets, sources, sizes, 2, attributes, first, 2, &failed, stream));
  EXPECT_EQ(SIZE_MAX, failed);
  host.assign(3, 0);  // Allowed as soon as the call has returned.
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ((std::vector<unsigned char>{9, 10, 11, 12, 201, 202, 203, 0}), contents(to, 8));
  sources[1] = 0;
  EXPECT_NE(CUDA_SUCCESS,
            cuMemcpyBatchAsync(targets, sources, sizes, 2, attributes, first, 2, &failed, stream));
  EXPECT_EQ(1U, failed);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuMemcpyBatchAsync_v2(targets, sources, sizes, 2, attributes, first, 2, nullptr));
}

// In one call of MUSA's where it has one (SDK 5.2), and one by one before.
TEST_F(DriverMemory, cuMemcpyBatchAsync_in_the_order_of_the_stream) {
  const Buffer from(kSize);
  const Buffer to(kSize);
  EXPECT_OK(cudaMemcpy(from, counted(kSize).data(), kSize, cudaMemcpyHostToDevice));
  const Stream stream;
  EXPECT_OK(cudaMemsetAsync(to, 0, kSize, stream));
  CUdeviceptr targets[] = {address_of(to), address_of(to) + 4};
  CUdeviceptr sources[] = {address_of(from) + 8, address_of(from)};
  size_t sizes[] = {4, 3};
  size_t first[] = {0, 1};
  CUmemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = attributes[1].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  attributes[1].flags = 1;  // The copy may overlap with kernels.
  size_t failed = 0;
  EXPECT_CU(cuMemcpyBatchAsync(targets, sources, sizes, 2, attributes, first, 2, &failed, stream));
  EXPECT_EQ(SIZE_MAX, failed);
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ((std::vector<unsigned char>{9, 10, 11, 12, 1, 2, 3, 0}), contents(to, 8));
  EXPECT_CU(cuMemcpyBatchAsync_v2(sources, targets, sizes, 2, attributes, first, 2, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  sources[1] = 0;
  EXPECT_NE(CUDA_SUCCESS,
            cuMemcpyBatchAsync(targets, sources, sizes, 2, attributes, first, 2, &failed, stream));
  EXPECT_EQ(1U, failed);
}

TEST_F(DriverMemory, cuMemcpyWithAttributesAsync_lets_the_caller_change_the_source) {
  std::vector<unsigned char> host = counted(8);
  const Buffer to(kSize);
  const Stream stream;
  CUmemcpyAttributes attributes{};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
  EXPECT_OK(cudaLaunchHostFunc(
      stream, [](void*) { usleep(50000); }, nullptr));
  EXPECT_CU(
      cuMemcpyWithAttributesAsync(address_of(to), address_of(host.data()), 8, &attributes, stream));
  host.assign(8, 0);
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(counted(8), contents(to, 8));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuMemcpyWithAttributesAsync(address_of(to), address_of(to), 8, nullptr, stream));
}

TEST_F(DriverMemory, cuMemcpy3DBatchAsync_copies_boxes) {
  const Buffer from(kBox);
  const Buffer to(kBox);
  EXPECT_OK(cudaMemcpy(from, counted(kBox).data(), kBox, cudaMemcpyHostToDevice));
  const Stream stream;
  CUDA_MEMCPY3D_BATCH_OP copies[2] = {};
  for (CUDA_MEMCPY3D_BATCH_OP& copy : copies) {
    copy.src.type = copy.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    copy.src.op.ptr.ptr = address_of(from) + (4 + 1) * 16 + 2;
    copy.src.op.ptr.rowLength = 16;
    copy.src.op.ptr.layerHeight = 4;
    copy.extent = {5, 2, 2};
    copy.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  }
  copies[0].dst.op.ptr.ptr = address_of(to);
  copies[1].dst.op.ptr.ptr = address_of(to) + 100;
  size_t failed = 0;
  EXPECT_CU(cuMemcpy3DBatchAsync(2, copies, &failed, 0, stream));
  EXPECT_EQ(SIZE_MAX, failed);
  EXPECT_CU(cuStreamSynchronize(stream));
  const std::vector<unsigned char> told = contents(to, 120);
  EXPECT_EQ(inner_box(), std::vector<unsigned char>(told.begin(), told.begin() + 20));
  EXPECT_EQ(inner_box(), std::vector<unsigned char>(told.begin() + 100, told.end()));
  copies[1].src.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
  expect_refused("CU_MEMCPY_OPERAND_TYPE_ARRAY",
                 [&] { return cuMemcpy3DBatchAsync(2, copies, &failed, 0, stream); });
  EXPECT_EQ(1U, failed);
}

TEST_F(DriverMemory, cuMemPrefetchBatchAsync_takes_a_place_for_each) {
  const Managed one;
  const Managed other;
  const Stream stream;
  CUdeviceptr memory[] = {one.address(), other.address()};
  size_t sizes[] = {kSize, kSize};
  size_t first[] = {0, 1};
  CUmemLocation places[] = {place(CU_MEM_LOCATION_TYPE_DEVICE, 1),
                            place(CU_MEM_LOCATION_TYPE_HOST)};
  EXPECT_CU(cuMemPrefetchBatchAsync(memory, sizes, 2, places, first, 2, 0, stream));
  EXPECT_CU(cuStreamSynchronize(stream));
  EXPECT_EQ(1, one.told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  EXPECT_EQ(-1, other.told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION));
  places[1].type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
  expect_refused("CU_MEM_LOCATION_TYPE_HOST_NUMA", [&] {
    return cuMemPrefetchBatchAsync(memory, sizes, 2, places, first, 2, 0, stream);
  });
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE,
            cuMemPrefetchBatchAsync(memory, sizes, 2, places, first, 2, 1, stream));
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
