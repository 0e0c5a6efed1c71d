// Device memory.
#include <cstdint>

#include "tests/conformance/support.h"

namespace {

size_t free_memory() {
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(cudaMemGetInfo(&free, &total));
  return free;
}

TEST(Memory, cudaMalloc_gives_memory_that_holds_what_is_written) {
  void* memory = nullptr;
  ASSERT_OK(cudaMalloc(&memory, 100000));
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(memory) % 256);
  const auto wanted = counted(100000);
  EXPECT_OK(cudaMemcpy(memory, wanted.data(), wanted.size(), cudaMemcpyHostToDevice));
  EXPECT_EQ(wanted, contents(memory, wanted.size()));
  EXPECT_OK(cudaFree(memory));
}

TEST(Memory, cudaMalloc_of_nothing_is_null) {
  void* memory = &memory;
  EXPECT_OK(cudaMalloc(&memory, 0));
  EXPECT_EQ(nullptr, memory);
}

TEST(Memory, cudaMalloc_fails_when_there_is_not_enough) {
  void* memory = nullptr;
  EXPECT_ERROR(cudaErrorMemoryAllocation, cudaMalloc(&memory, size_t{1} << 62));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc(nullptr, 1));
}

TEST(Memory, cudaFree_gives_it_back) {
  const size_t before = free_memory();
  void* memory = nullptr;
  ASSERT_OK(cudaMalloc(&memory, 1 << 20));
  EXPECT_LE(free_memory() + (1 << 20), before);
  EXPECT_OK(cudaFree(memory));
  EXPECT_EQ(before, free_memory());
  EXPECT_OK(cudaFree(nullptr));
}

TEST(Memory, cudaFree_refuses_what_is_not_an_allocation) {
  void* memory = nullptr;
  ASSERT_OK(cudaMalloc(&memory, 100));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(static_cast<char*>(memory) + 1));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(not_an_object));
  EXPECT_OK(cudaFree(memory));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(memory));
}

TEST(Memory, cudaFree_waits_for_work_that_uses_it) {
  void* memory = nullptr;
  ASSERT_OK(cudaMalloc(&memory, 100));
  Stream stream;
  for (int i = 0; i < 20; ++i) EXPECT_OK(cudaMemsetAsync(memory, i, 100, stream));
  EXPECT_OK(cudaFree(memory));
  EXPECT_OK(cudaStreamSynchronize(stream));
}

TEST(Memory, cudaMallocPitch_aligns_every_row) {
  void* memory = nullptr;
  size_t pitch = 0;
  ASSERT_OK(cudaMallocPitch(&memory, &pitch, 100, 7));
  EXPECT_GE(pitch, 100u);
  EXPECT_EQ(0u, pitch % 32);
  EXPECT_OK(cudaMemset2D(memory, pitch, 1, 100, 7));
  EXPECT_OK(cudaFree(memory));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocPitch(&memory, nullptr, 1, 1));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocPitch(nullptr, &pitch, 1, 1));
}

TEST(Memory, cudaMalloc3D_says_what_it_made) {
  cudaPitchedPtr box{};
  ASSERT_OK(cudaMalloc3D(&box, {100, 7, 3}));
  EXPECT_GE(box.pitch, 100u);
  EXPECT_EQ(100u, box.xsize);
  EXPECT_EQ(7u, box.ysize);
  EXPECT_OK(cudaMemset(box.ptr, 1, box.pitch * 7 * 3));
  EXPECT_OK(cudaFree(box.ptr));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc3D(nullptr, {1, 1, 1}));
}

TEST(Memory, cudaMemGetInfo_follows_allocations) {
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(cudaMemGetInfo(&free, &total));
  EXPECT_GT(free, 0u);
  EXPECT_LE(free, total);
  const Buffer buffer(1 << 20);
  EXPECT_LE(free_memory() + (1 << 20), free);
  size_t other = 0;
  EXPECT_OK(cudaMemGetInfo(nullptr, &other));
  EXPECT_EQ(total, other);
  EXPECT_OK(cudaMemGetInfo(nullptr, nullptr));
}

#if CUDA_MAJOR <= 12
struct Told {
  cudaPointerAttributes attributes;
  unsigned char behind[64];
};

cudaPointerAttributes attributes_of(const void* memory) {
  Told told;
  std::memset(&told, 0xcd, sizeof(told));
  EXPECT_OK(cudaPointerGetAttributes(&told.attributes, memory));
  for (const unsigned char byte : told.behind) EXPECT_EQ(0xcd, byte);
  return told.attributes;
}

TEST(Memory, cudaPointerGetAttributes_of_device_memory) {
  const Buffer buffer(100);
  const auto attributes = attributes_of(buffer.bytes() + 99);
  EXPECT_EQ(cudaMemoryTypeDevice, attributes.type);
  EXPECT_EQ(0, attributes.device);
  EXPECT_EQ(buffer.bytes() + 99, attributes.devicePointer);
  EXPECT_EQ(nullptr, attributes.hostPointer);
}

TEST(Memory, cudaPointerGetAttributes_of_memory_of_the_host) {
  const Pinned pinned(100);
  auto attributes = attributes_of(pinned);
  EXPECT_EQ(cudaMemoryTypeHost, attributes.type);
  EXPECT_EQ(pinned, attributes.hostPointer);
  attributes = attributes_of(not_an_object);
  EXPECT_EQ(cudaMemoryTypeUnregistered, attributes.type);
  EXPECT_EQ(not_an_object, attributes.hostPointer);
  EXPECT_EQ(nullptr, attributes.devicePointer);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, pinned));
}

TEST(Memory, cudaPointerGetAttributes_of_managed_memory) {
  void* memory = nullptr;
  ASSERT_OK(cudaMallocManaged(&memory, 100, cudaMemAttachGlobal));
  const auto attributes = attributes_of(memory);
  EXPECT_EQ(cudaMemoryTypeManaged, attributes.type);
  EXPECT_EQ(memory, attributes.hostPointer);
  EXPECT_EQ(memory, attributes.devicePointer);
  EXPECT_OK(cudaFree(memory));
}
#endif

}  // namespace
