#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "tests/host/musa/support.h"

namespace {

class DriverMemory : public DriverTest {};

TEST_F(DriverMemory, muMemAlloc_v2_muMemFree_v2_muMemGetInfo_v2) {
  static_cast<void>(musaGetLastError());
  size_t free_before = 0;
  size_t total = 0;
  EXPECT_MU(muMemGetInfo_v2(&free_before, &total));
  EXPECT_EQ(total, size_t{1} << 30);
  MUdeviceptr memory = 0;
  EXPECT_MU(muMemAlloc_v2(&memory, 1 << 20));
  size_t free_now = 0;
  EXPECT_MU(muMemGetInfo_v2(&free_now, &total));
  EXPECT_EQ(free_before - free_now, size_t{1} << 20);
  EXPECT_MU(muMemFree_v2(memory));
  EXPECT_EQ(muMemFree_v2(memory), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemAlloc_v2(&memory, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemAlloc_v2(&memory, size_t{2} << 30), MUSA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(musaPeekAtLastError(), musaSuccess) << "only the runtime remembers errors";
}

TEST_F(DriverMemory, musa_and_mu_share_memory) {
  const MUdeviceptr memory = allocate(16);
  EXPECT_EQ(musaMemset(reinterpret_cast<void*>(memory), 'x', 16), musaSuccess);
  EXPECT_EQ(read(memory, 16), std::string(16, 'x'));
  EXPECT_EQ(musaFree(reinterpret_cast<void*>(memory)), musaSuccess);
}

TEST_F(DriverMemory, muMemAllocPitch_v2_aligns_rows) {
  MUdeviceptr memory = 0;
  size_t pitch = 0;
  EXPECT_MU(muMemAllocPitch_v2(&memory, &pitch, 100, 3, 4));
  EXPECT_EQ(pitch, 512U);
  EXPECT_MU(muMemsetD2D8_v2(memory, pitch, 1, 100, 3));
  EXPECT_MU(muMemFree_v2(memory));
  EXPECT_EQ(muMemAllocPitch_v2(&memory, &pitch, 100, 3, 5), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, muMemGetAddressRange_v2_finds_the_allocation) {
  const MUdeviceptr memory = allocate(1000);
  MUdeviceptr base = 0;
  size_t size = 0;
  EXPECT_MU(muMemGetAddressRange_v2(&base, &size, memory + 999));
  EXPECT_EQ(base, memory);
  EXPECT_EQ(size, 1000U);
  EXPECT_MU(muMemGetAddressRange_v2(nullptr, &size, memory));
  EXPECT_MU(muMemFree_v2(memory));
  EXPECT_EQ(muMemGetAddressRange_v2(&base, &size, memory), MUSA_ERROR_NOT_FOUND);
}

TEST_F(DriverMemory, muMemAllocHost_v2_muMemHostAlloc_muMemFreeHost) {
  void* memory = nullptr;
  EXPECT_MU(muMemAllocHost_v2(&memory, 100));
  std::memset(memory, 1, 100);
  EXPECT_MU(muMemFreeHost(memory));
  EXPECT_EQ(muMemFreeHost(memory), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemAllocHost_v2(&memory, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemHostAlloc(&memory, 100, musaHostAllocMapped));
  std::memset(memory, 1, 100);
  EXPECT_MU(muMemFreeHost(memory));
  EXPECT_EQ(muMemHostAlloc(&memory, 100, 64), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, muMemHostAlloc_takes_nothing_of_the_device) {
  constexpr std::size_t kSize = std::size_t{64} << 20;
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  ASSERT_MU(muMemGetInfo_v2(&before, &total));
  void* memory = nullptr;
  ASSERT_MU(muMemHostAlloc(&memory, kSize, 0));
  ASSERT_MU(muMemGetInfo_v2(&after, &total));
  EXPECT_EQ(after, before);
  EXPECT_MU(muMemFreeHost(memory));
  ASSERT_MU(muMemGetInfo_v2(&after, &total));
  EXPECT_EQ(after, before);
  // More than there can be.
  EXPECT_EQ(muMemHostAlloc(&memory, std::size_t{1} << 60, 0), MUSA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(muMemHostAlloc(&memory, SIZE_MAX, 0), MUSA_ERROR_OUT_OF_MEMORY);
}

TEST_F(DriverMemory, muMemHostGetDevicePointer_v2_and_muMemHostGetFlags) {
  void* memory = nullptr;
  ASSERT_MU(muMemHostAlloc(&memory, 100, musaHostAllocPortable));
  MUdeviceptr address = 0;
  EXPECT_MU(muMemHostGetDevicePointer_v2(&address, memory, 0));
  EXPECT_EQ(reinterpret_cast<void*>(address), memory);
  unsigned int flags = 0;
  EXPECT_MU(muMemHostGetFlags(&flags, memory));
  EXPECT_EQ(flags, static_cast<unsigned int>(musaHostAllocPortable | musaHostAllocMapped));
  EXPECT_MU(muMemFreeHost(memory));
  EXPECT_EQ(muMemHostGetDevicePointer_v2(&address, memory, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemHostGetFlags(&flags, memory), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, muMemHostRegister_v2_and_muMemHostUnregister) {
  std::vector<char> own(100);
  EXPECT_MU(muMemHostRegister_v2(own.data(), own.size(), 0));
  EXPECT_EQ(muMemHostRegister_v2(own.data(), own.size(), 0),
            MUSA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_MU(muMemHostUnregister(own.data()));
  EXPECT_EQ(muMemHostUnregister(own.data()), MUSA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(DriverMemory, muMemAllocManaged_gives_memory_for_both_sides) {
  MUdeviceptr memory = 0;
  EXPECT_MU(muMemAllocManaged(&memory, 100, MU_MEM_ATTACH_GLOBAL));
  *reinterpret_cast<char*>(memory) = 'm';
  EXPECT_EQ(read(memory, 1), "m");
  EXPECT_MU(muMemFree_v2(memory));
  EXPECT_EQ(muMemAllocManaged(&memory, 0, MU_MEM_ATTACH_GLOBAL), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, muIpcGetMemHandle_muIpcOpenMemHandle_v2_muIpcCloseMemHandle) {
  const MUdeviceptr memory = allocate(100);
  MUipcMemHandle handle{};
  EXPECT_MU(muIpcGetMemHandle(&handle, memory));
  MUdeviceptr opened = 0;
  // Not in the process that exported it.
  EXPECT_EQ(muIpcOpenMemHandle_v2(&opened, handle, 1), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muIpcOpenMemHandle_v2(&opened, MUipcMemHandle{}, 1), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muIpcCloseMemHandle(memory), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemFree_v2(memory));
  EXPECT_EQ(muIpcGetMemHandle(&handle, memory), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemory, muIpcGetEventHandle_and_muIpcOpenEventHandle) {
  MUevent event = nullptr;
  ASSERT_MU(muEventCreate(&event, MU_EVENT_INTERPROCESS | MU_EVENT_DISABLE_TIMING));
  MUipcEventHandle handle{};
  EXPECT_MU(muIpcGetEventHandle(&handle, event));
  MUevent opened = nullptr;
  EXPECT_EQ(muIpcOpenEventHandle(&opened, handle), MUSA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(muIpcOpenEventHandle(&opened, MUipcEventHandle{}), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_MU(muEventDestroy_v2(event));
  EXPECT_EQ(muIpcGetEventHandle(&handle, event), MUSA_ERROR_INVALID_HANDLE);
}

template <typename Value>
Value attribute(MUpointer_attribute which, MUdeviceptr address) {
  Value value{};
  EXPECT_MU(muPointerGetAttribute(&value, which, address)) << which;
  return value;
}

TEST_F(DriverMemory, muPointerGetAttribute_of_device_and_host_memory) {
  const MUdeviceptr memory = allocate(1000);
  EXPECT_EQ(attribute<MUcontext>(MU_POINTER_ATTRIBUTE_CONTEXT, memory), context_);
  EXPECT_EQ(attribute<MUmemorytype>(MU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory),
            MU_MEMORYTYPE_DEVICE);
  EXPECT_EQ(attribute<MUdeviceptr>(MU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory + 8), memory + 8);
  EXPECT_EQ(attribute<MUdeviceptr>(MU_POINTER_ATTRIBUTE_RANGE_START_ADDR, memory + 8), memory);
  EXPECT_EQ(attribute<size_t>(MU_POINTER_ATTRIBUTE_RANGE_SIZE, memory), 1000U);
  EXPECT_EQ(attribute<int>(MU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory), 0);
  EXPECT_EQ(attribute<unsigned int>(MU_POINTER_ATTRIBUTE_IS_MANAGED, memory), 0U);
  EXPECT_EQ(attribute<unsigned int>(MU_POINTER_ATTRIBUTE_IS_LEGACY_MUSA_IPC_CAPABLE, memory), 1U);
  EXPECT_EQ(attribute<unsigned int>(MU_POINTER_ATTRIBUTE_MAPPED, memory), 1U);
  EXPECT_EQ(attribute<unsigned long long>(MU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, memory), 0U);
  const MUdeviceptr other = allocate(1);
  EXPECT_NE(attribute<unsigned long long>(MU_POINTER_ATTRIBUTE_BUFFER_ID, memory),
            attribute<unsigned long long>(MU_POINTER_ATTRIBUTE_BUFFER_ID, other));
  void* none = nullptr;
  EXPECT_EQ(muPointerGetAttribute(&none, MU_POINTER_ATTRIBUTE_HOST_POINTER, memory),
            MUSA_ERROR_INVALID_VALUE);
  void* host = nullptr;
  ASSERT_MU(muMemAllocHost_v2(&host, 100));
  const auto address = reinterpret_cast<MUdeviceptr>(host);
  EXPECT_EQ(attribute<MUmemorytype>(MU_POINTER_ATTRIBUTE_MEMORY_TYPE, address), MU_MEMORYTYPE_HOST);
  EXPECT_EQ(attribute<void*>(MU_POINTER_ATTRIBUTE_HOST_POINTER, address), host);
  EXPECT_MU(muMemFreeHost(host));
  int unknown = 0;
  EXPECT_EQ(muPointerGetAttribute(&none, MU_POINTER_ATTRIBUTE_CONTEXT,
                                  reinterpret_cast<MUdeviceptr>(&unknown)),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muPointerGetAttribute(nullptr, MU_POINTER_ATTRIBUTE_CONTEXT, memory),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muPointerGetAttribute(&none, static_cast<MUpointer_attribute>(18), memory),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemFree_v2(memory));
  EXPECT_MU(muMemFree_v2(other));
}

TEST_F(DriverMemory, muPointerGetAttributes_clears_what_it_does_not_know) {
  MUpointer_attribute attributes[] = {MU_POINTER_ATTRIBUTE_CONTEXT,
                                      MU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      MU_POINTER_ATTRIBUTE_RANGE_SIZE};
  auto context = reinterpret_cast<MUcontext>(&attributes);
  unsigned int type = 77;
  size_t size = 77;
  void* data[] = {&context, &type, &size};
  EXPECT_MU(muPointerGetAttributes(3, attributes, data, reinterpret_cast<MUdeviceptr>(&size)));
  EXPECT_EQ(context, nullptr);
  EXPECT_EQ(type, 0U);
  EXPECT_EQ(size, 0U);
  const MUdeviceptr memory = allocate(10);
  EXPECT_MU(muPointerGetAttributes(3, attributes, data, memory));
  EXPECT_EQ(context, context_);
  EXPECT_EQ(type, static_cast<unsigned int>(MU_MEMORYTYPE_DEVICE));
  EXPECT_EQ(size, 10U);
  EXPECT_EQ(muPointerGetAttributes(0, attributes, data, memory), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemFree_v2(memory));
}

TEST_F(DriverMemory, muMemAdvise_muMemRangeGetAttribute_muMemRangeGetAttributes) {
  MUdeviceptr managed = 0;
  ASSERT_MU(muMemAllocManaged(&managed, 4096, MU_MEM_ATTACH_GLOBAL));
  EXPECT_MU(muMemAdvise(managed, 4096, MU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  int read_mostly = 9;
  EXPECT_MU(muMemRangeGetAttribute(&read_mostly, sizeof(read_mostly),
                                   MU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed, 4096));
  EXPECT_EQ(read_mostly, 1);
  EXPECT_MU(muMemAdvise(managed, 4096, MU_MEM_ADVISE_SET_PREFERRED_LOCATION, 1));
  int location = 9;
  void* data[] = {&read_mostly, &location};
  size_t sizes[] = {sizeof(read_mostly), sizeof(location)};
  MUmem_range_attribute attributes[] = {MU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                        MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION};
  EXPECT_MU(muMemRangeGetAttributes(data, sizes, attributes, 2, managed, 4096));
  EXPECT_EQ(location, 1);
  EXPECT_EQ(muMemAdvise(managed, 4096, static_cast<MUmem_advise>(99), 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemFree_v2(managed));
}

// A fill within the device returns before it is done, unless the program wants to wait.
TEST_F(DriverMemory, muPointerSetAttribute_makes_fills_and_copies_wait) {
  using namespace std::chrono_literals;
  const MUdeviceptr memory = allocate(16);
  const MUdeviceptr other = allocate(16);
  const unsigned int yes = 1;
  EXPECT_MU(muPointerSetAttribute(&yes, MU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  unsigned int told = 9;
  EXPECT_MU(muPointerGetAttribute(&told, MU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  EXPECT_EQ(told, 1U);
  EXPECT_MU(muPointerGetAttribute(&told, MU_POINTER_ATTRIBUTE_SYNC_MEMOPS, other));
  EXPECT_EQ(told, 0U);
  for (const bool copies : {false, true}) {
    std::atomic<bool> late{false};
    EXPECT_MU(muLaunchHostFunc(
        nullptr,
        [](void* done) {
          std::this_thread::sleep_for(50ms);
          *static_cast<std::atomic<bool>*>(done) = true;
        },
        &late));
    EXPECT_MU(copies ? muMemcpyDtoD_v2(memory, other, 16) : muMemsetD8_v2(memory, 'w', 16));
    EXPECT_TRUE(late);
  }
  EXPECT_EQ(muPointerSetAttribute(&yes, MU_POINTER_ATTRIBUTE_BUFFER_ID, memory),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muPointerSetAttribute(nullptr, MU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMemFree_v2(memory));
  EXPECT_MU(muMemFree_v2(other));
  EXPECT_EQ(muPointerSetAttribute(&yes, MU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory),
            MUSA_ERROR_INVALID_VALUE);
}

}  // namespace
