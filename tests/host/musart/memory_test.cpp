// What the conformance tests of memory, which also run on the stand-in alone, do not say.
#include <cstdint>

#include "tests/host/musart/support.h"

namespace {

size_t free_memory() {
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(musaMemGetInfo(&free, &total));
  return free;
}

TEST(Memory, MoreThanThereIs) {
  void* memory = nullptr;
  EXPECT_ERROR(musaErrorMemoryAllocation, musaMalloc(&memory, size_t{257} << 20));
  EXPECT_ERROR(musaErrorMemoryAllocation, musaMalloc(&memory, SIZE_MAX));
  EXPECT_EQ(nullptr, memory);
  void* half = nullptr;
  ASSERT_OK(musaMalloc(&half, size_t{200} << 20));
  EXPECT_ERROR(musaErrorMemoryAllocation, musaMalloc(&memory, size_t{100} << 20));
  ASSERT_OK(musaFree(half));
  EXPECT_OK(musaMalloc(&memory, size_t{100} << 20));
  EXPECT_OK(musaFree(memory));
}

TEST(Memory, FreedMemoryIsRecognised) {
  void* memory = nullptr;
  char byte = 0;
  ASSERT_OK(musaMalloc(&memory, 4096));
  ASSERT_OK(musaFree(memory));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy(&byte, memory, 1, musaMemcpyDefault));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(memory, 0, 1));
  musaPointerAttributes attributes{};
  EXPECT_OK(musaPointerGetAttributes(&attributes, memory));
  EXPECT_EQ(musaMemoryTypeUnregistered, attributes.type);
}

TEST(Memory, ManyAllocationsComeAndGo) {
  const size_t before = free_memory();
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> all(300);
    for (void*& memory : all) ASSERT_OK(musaMalloc(&memory, 100));
    for (void* memory : all) ASSERT_OK(musaFree(memory));
  }
  EXPECT_EQ(before, free_memory());
}

TEST(Memory, Pitched) {
  void* memory = nullptr;
  size_t pitch = 0;
  ASSERT_OK(musaMallocPitch(&memory, &pitch, 700, 10));
  EXPECT_EQ(0u, pitch % 256);
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset2D(memory, pitch, 1, 700, 11));
  EXPECT_OK(musaFree(memory));
  EXPECT_ERROR(musaErrorMemoryAllocation, musaMallocPitch(&memory, &pitch, SIZE_MAX, SIZE_MAX));
  EXPECT_OK(musaMallocPitch(&memory, &pitch, 8, 0));
  EXPECT_EQ(nullptr, memory);
  EXPECT_EQ(0u, pitch);

  musaPitchedPtr box{};
  ASSERT_OK(musaMalloc3D(&box, {700, 10, 5}));
  EXPECT_OK(musaMemset3D(box, 1, {700, 10, 5}));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset3D(box, 1, {700, 10, 6}));
  EXPECT_OK(musaFree(box.ptr));
  EXPECT_ERROR(musaErrorMemoryAllocation, musaMalloc3D(&box, {SIZE_MAX, SIZE_MAX, SIZE_MAX}));
}

TEST(HostMemory, IsNoOtherMemory) {
  void* memory = nullptr;
  void* pinned = nullptr;
  void* device = nullptr;
  ASSERT_OK(musaMalloc(&memory, 10));
  ASSERT_OK(musaMallocHost(&pinned, 10));
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeHost(memory));
  EXPECT_ERROR(musaErrorInvalidValue, musaFree(pinned));
  EXPECT_ERROR(musaErrorHostMemoryNotRegistered, musaHostUnregister(pinned));
  EXPECT_ERROR(musaErrorInvalidValue, musaHostGetDevicePointer(&device, pinned, 1));
  EXPECT_OK(musaFree(memory));
  EXPECT_OK(musaFreeHost(pinned));
}

TEST(HostMemory, Registered) {
  std::vector<char> buffer(10000);
  ASSERT_OK(musaHostRegister(buffer.data(), buffer.size(), musaHostRegisterMapped));
  EXPECT_ERROR(musaErrorHostMemoryAlreadyRegistered,
               musaHostRegister(buffer.data() + 5000, 100, musaHostRegisterDefault));
  EXPECT_ERROR(musaErrorHostMemoryNotRegistered, musaHostUnregister(buffer.data() + 1));
  musaPointerAttributes attributes{};
  EXPECT_OK(musaPointerGetAttributes(&attributes, buffer.data() + 9999));
  EXPECT_EQ(musaMemoryTypeHost, attributes.type);
  EXPECT_EQ(buffer.data() + 9999, attributes.hostPointer);
  EXPECT_EQ(buffer.data() + 9999, attributes.devicePointer);
  // Now a device can fill the buffer up to its end.
  EXPECT_OK(musaMemset(buffer.data(), 3, 10000));
  EXPECT_EQ(3, buffer.back());
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(buffer.data(), 3, 10001));
  EXPECT_OK(musaHostUnregister(buffer.data()));
  EXPECT_ERROR(musaErrorHostMemoryNotRegistered, musaHostUnregister(buffer.data()));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemset(buffer.data(), 3, 1));

  EXPECT_ERROR(musaErrorInvalidValue, musaHostRegister(nullptr, 1, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaHostRegister(buffer.data(), 0, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaHostRegister(buffer.data(), 1, 0x100));
  EXPECT_ERROR(musaErrorInvalidValue, musaHostRegister(reinterpret_cast<void*>(4096), 1, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaHostUnregister(nullptr));
}

TEST(PointerAttributes, OfEveryKind) {
  musaPointerAttributes attributes{};
  void* memory = nullptr;
  ASSERT_OK(musaMalloc(&memory, 100));
  void* inside = static_cast<char*>(memory) + 99;
  EXPECT_OK(musaPointerGetAttributes(&attributes, inside));
  EXPECT_EQ(musaMemoryTypeDevice, attributes.type);
  EXPECT_EQ(0, attributes.device);
  EXPECT_EQ(inside, attributes.devicePointer);
  EXPECT_EQ(nullptr, attributes.hostPointer);
  EXPECT_OK(musaFree(memory));

  ASSERT_OK(musaMallocManaged(&memory, 100));
  EXPECT_OK(musaPointerGetAttributes(&attributes, memory));
  EXPECT_EQ(musaMemoryTypeManaged, attributes.type);
  EXPECT_EQ(memory, attributes.hostPointer);
  EXPECT_OK(musaFree(memory));

  EXPECT_OK(musaPointerGetAttributes(&attributes, &attributes));
  EXPECT_EQ(musaMemoryTypeUnregistered, attributes.type);
  EXPECT_EQ(musaInvalidDeviceId, attributes.device);
  EXPECT_EQ(nullptr, attributes.devicePointer);
  EXPECT_EQ(&attributes, attributes.hostPointer);
  EXPECT_ERROR(musaErrorInvalidValue, musaPointerGetAttributes(nullptr, memory));
}

}  // namespace
