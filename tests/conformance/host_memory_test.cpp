// Host memory that devices use.
#include "tests/conformance/support.h"

namespace {

TEST(HostMemory, cudaMallocHost_gives_memory_that_both_sides_use) {
  void* memory = nullptr;
  ASSERT_OK(cudaMallocHost(&memory, 1000));
  ASSERT_NE(nullptr, memory);
  std::memset(memory, 1, 1000);
  EXPECT_OK(cudaMemset(memory, 2, 999));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(2, static_cast<char*>(memory)[998]);
  EXPECT_EQ(1, static_cast<char*>(memory)[999]);
  EXPECT_OK(cudaFreeHost(memory));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocHost(nullptr, 1));
}

TEST(HostMemory, cudaFreeHost_refuses_what_is_not_its_own) {
  void* memory = nullptr;
  ASSERT_OK(cudaMallocHost(&memory, 10));
  EXPECT_OK(cudaFreeHost(memory));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeHost(memory));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeHost(not_an_object));
  EXPECT_OK(cudaFreeHost(nullptr));
}

TEST(HostMemory, cudaHostAlloc_gives_memory_with_these_flags) {
  void* memory = nullptr;
  ASSERT_OK(cudaHostAlloc(&memory, 1000, cudaHostAllocPortable | cudaHostAllocMapped));
  ASSERT_NE(nullptr, memory);
  std::memset(memory, 1, 1000);
  unsigned int flags = 0;
  EXPECT_OK(cudaHostGetFlags(&flags, memory));
  EXPECT_EQ(cudaHostAllocPortable | cudaHostAllocMapped, flags);
  EXPECT_OK(cudaFreeHost(memory));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaHostAlloc(&memory, 10, 0x80));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaHostAlloc(nullptr, 10, 0));
}

TEST(HostMemory, cudaHostGetFlags_refuses_other_memory) {
  unsigned int flags = 0;
  const Pinned pinned(10);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaHostGetFlags(&flags, not_an_object));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaHostGetFlags(nullptr, pinned));
}

TEST(HostMemory, cudaHostGetDevicePointer_is_what_the_device_uses) {
  const Pinned pinned(100);
  pinned.fill(0);
  void* device = nullptr;
  ASSERT_OK(cudaHostGetDevicePointer(&device, pinned, 0));
  EXPECT_OK(cudaMemset(device, 5, 100));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(5, static_cast<char*>(static_cast<void*>(pinned))[99]);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, not_an_object, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaHostGetDevicePointer(nullptr, pinned, 0));
}

TEST(HostMemory, cudaHostRegister_lets_the_device_use_memory_of_the_program) {
  std::vector<char> memory(5000);
  ASSERT_OK(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterMapped));
  EXPECT_OK(cudaMemset(memory.data(), 6, memory.size()));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(6, memory.back());
  EXPECT_ERROR(cudaErrorHostMemoryAlreadyRegistered,
               cudaHostRegister(memory.data(), memory.size(), 0));
  EXPECT_OK(cudaHostUnregister(memory.data()));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaHostRegister(nullptr, 10, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaHostRegister(memory.data(), 0, 0));
}

TEST(HostMemory, cudaHostUnregister_only_what_is_registered) {
  std::vector<char> memory(5000);
  EXPECT_ERROR(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory.data()));
  ASSERT_OK(cudaHostRegister(memory.data(), memory.size(), 0));
  EXPECT_OK(cudaHostUnregister(memory.data()));
  EXPECT_ERROR(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory.data()));
}

// Its documentation says that it fails. NVIDIA's does not.
TEST(HostMemory, cudaHostGetFlags_of_registered_memory) {
  unsigned int flags = 0;
  std::vector<char> memory(5000);
  ASSERT_OK(cudaHostRegister(memory.data(), memory.size(), 0));
  EXPECT_OK(cudaHostGetFlags(&flags, memory.data()));
  EXPECT_EQ(cudaHostRegisterMapped, flags);
  EXPECT_OK(cudaHostUnregister(memory.data()));
}

}  // namespace
