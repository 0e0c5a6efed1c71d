// Structs that MUSA fills: it must write each byte of the caller's struct, and none beyond. The
// sizes are those of NVIDIA's headers.
#include <array>

#include "tests/sdks/sdk.h"

namespace {

#if CUDA_MAJOR == 11
constexpr size_t kPropertiesSize = 728, kAttributesSize = 24;
#elif CUDA_MAJOR == 12
constexpr size_t kPropertiesSize = 1032, kAttributesSize = 24;
#else
constexpr size_t kPropertiesSize = 1008, kAttributesSize = 88;
#endif

using Bytes = std::array<unsigned char, 2048>;

// Fills a buffer with one byte value, lets `call` write at most `size` bytes, and returns the
// buffer.
template <typename Call>
Bytes left_by(Call call, size_t size, unsigned char byte) {
  alignas(16) Bytes bytes;
  bytes.fill(byte);
  EXPECT_OK(call(bytes.data()));
  for (size_t i = size; i < bytes.size(); ++i) {
    EXPECT_EQ(byte, bytes[i]) << "byte " << i << " is beyond the struct of " << size;
    if (bytes[i] != byte) break;
  }
  return bytes;
}

// The result does not depend on the previous contents, so all bytes are written.
template <typename Call>
void expect_whole(Call call, size_t size) {
  const Bytes one = left_by(call, size, 0xee), other = left_by(call, size, 0x11);
  for (size_t i = 0; i < size; ++i) {
    EXPECT_EQ(one[i], other[i]) << "byte " << i << " of " << size << " is not written";
    if (one[i] != other[i]) break;
  }
}

TEST(Structs, cudaGetDeviceProperties_fills_the_struct_of_its_major) {
  static_assert(sizeof(cudaDeviceProp) == kPropertiesSize);
  expect_whole([](void* to) { return properties_of(static_cast<cudaDeviceProp*>(to), 0); },
               kPropertiesSize);
#if CUDA_MAJOR == 12
  // Programs built with CUDA 11's headers use the name without a suffix.
  expect_whole(
      [](void* to) { return cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(to), 0); }, 728);
#endif
}

TEST(Structs, cudaGetDeviceProperties_leaves_the_struct_alone_when_it_fails) {
  Bytes bytes;
  bytes.fill(0xee);
  const Bytes before = bytes;
  EXPECT_ERROR(cudaErrorInvalidDevice,
               properties_of(reinterpret_cast<cudaDeviceProp*>(bytes.data()), 9));
  EXPECT_EQ(before, bytes);
}

TEST(Structs, cudaPointerGetAttributes_fills_the_struct_of_its_major) {
  static_assert(sizeof(cudaPointerAttributes) == kAttributesSize);
  const Buffer memory(64);
  const auto ask = [&](void* to) {
    return cudaPointerGetAttributes(static_cast<cudaPointerAttributes*>(to), memory);
  };
  expect_whole(ask, kAttributesSize);
  const Bytes bytes = left_by(ask, kAttributesSize, 0xee);
  for (size_t i = 24; i < kAttributesSize; ++i) EXPECT_EQ(0, bytes[i]) << "byte " << i;
  cudaPointerAttributes told{};
  ASSERT_OK(cudaPointerGetAttributes(&told, memory));
  EXPECT_EQ(2, static_cast<int>(told.type));  // device memory
  EXPECT_EQ(0, told.device);
  EXPECT_EQ(static_cast<void*>(memory), told.devicePointer);
}

TEST(Structs, cudaPointerGetAttributes_of_the_memory_of_another_device_and_of_the_host) {
  cudaPointerAttributes told{};
  EXPECT_OK(cudaSetDevice(1));
  {
    const Buffer memory(64);
    ASSERT_OK(cudaPointerGetAttributes(&told, memory));
    EXPECT_EQ(2, static_cast<int>(told.type));
    EXPECT_EQ(1, told.device);
  }
  EXPECT_OK(cudaSetDevice(0));
  const Pinned pinned(64);
  ASSERT_OK(cudaPointerGetAttributes(&told, pinned));
  EXPECT_EQ(1, static_cast<int>(told.type));  // host memory
  EXPECT_EQ(static_cast<void*>(pinned), told.hostPointer);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, pinned));
}

TEST(Structs, cudaIpcGetMemHandle_writes_64_bytes) {
  static_assert(sizeof(cudaIpcMemHandle_t) == 64);
  const Buffer memory(4096);
  alignas(16) std::array<unsigned char, 128> bytes;
  bytes.fill(0xee);
  EXPECT_OK(cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t*>(bytes.data()), memory));
  EXPECT_NE(0xee, bytes[0]);
  for (size_t i = 64; i < bytes.size(); ++i) EXPECT_EQ(0xee, bytes[i]) << "byte " << i;
}

#if CUDA_MAJOR == 13
TEST(Structs, ncclGetUniqueId_writes_128_bytes) {
  static_assert(sizeof(ncclUniqueId) == 128);
  std::array<std::array<unsigned char, 256>, 2> bytes;
  for (auto& one : bytes) {
    one.fill(&one == bytes.data() ? 0xee : 0x11);
    const auto before = one;
    EXPECT_EQ(ncclSuccess, ncclGetUniqueId(reinterpret_cast<ncclUniqueId*>(one.data())));
    for (size_t i = 128; i < one.size(); ++i) EXPECT_EQ(before[i], one[i]) << "byte " << i;
    EXPECT_NE(0, std::memcmp(before.data(), one.data(), 128));
  }
}
#endif

TEST(Structs, cudaChooseDevice_finds_what_was_asked_for) {
  int device = -1;
  cudaDeviceProp wanted{};
  EXPECT_OK(cudaChooseDevice(&device, &wanted));
  EXPECT_EQ(0, device);
  for (const int which : {1, 0}) {
    ASSERT_OK(properties_of(&wanted, which));
    EXPECT_OK(cudaChooseDevice(&device, &wanted));
    EXPECT_EQ(which, device);
  }
  EXPECT_ERROR(cudaErrorInvalidValue, cudaChooseDevice(nullptr, &wanted));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaChooseDevice(&device, nullptr));
}

}  // namespace
