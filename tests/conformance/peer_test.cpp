// Two devices: access and copies between them.
#include "tests/conformance/support.h"

namespace {

constexpr size_t kSize = 1000;

class Peers : public testing::Test {
 protected:
  void SetUp() override {
    for (int device = 0; device < 2; ++device) {
      ASSERT_OK(cudaSetDevice(device));
      ASSERT_OK(cudaMalloc(&memory_[device], kSize));
      ASSERT_OK(cudaMemset(memory_[device], device + 1, kSize));
      ASSERT_OK(cudaDeviceSynchronize());
    }
    ASSERT_OK(cudaSetDevice(0));
  }
  void TearDown() override {
    for (void* memory : memory_) EXPECT_OK(cudaFree(memory));
    EXPECT_OK(cudaSetDevice(0));
  }
  cudaMemcpy3DPeerParms box() const {
    cudaMemcpy3DPeerParms made{};
    made.srcPtr = {memory_[1], 10, 10, 10};
    made.srcDevice = 1;
    made.dstPtr = {memory_[0], 10, 10, 10};
    made.dstDevice = 0;
    made.extent = {5, 10, 10};
    return made;
  }
  void expect_box_copied() const {
    const auto bytes = contents(memory_[0], kSize);
    for (size_t i = 0; i < kSize; ++i) ASSERT_EQ(i % 10 < 5 ? 2 : 1, bytes[i]) << i;
  }
  void* memory_[2] = {};
};

TEST_F(Peers, cudaDeviceCanAccessPeer_not_itself) {
  int can = -1;
  EXPECT_OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(1, can);
  EXPECT_OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT_EQ(0, can);
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 5));
}

TEST_F(Peers, cudaDeviceEnablePeerAccess_only_once) {
  EXPECT_OK(cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_ERROR(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(cudaDeviceDisablePeerAccess(1));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(1, 1));
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(5, 0));
}

TEST_F(Peers, cudaDeviceDisablePeerAccess_only_what_was_enabled) {
  EXPECT_ERROR(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  EXPECT_OK(cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(cudaDeviceDisablePeerAccess(1));
  EXPECT_ERROR(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
}

TEST_F(Peers, cudaDeviceGetP2PAttribute_agrees_with_access) {
  int value = -1;
  EXPECT_OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  EXPECT_EQ(1, value);
  EXPECT_ERROR(cudaErrorInvalidDevice,
               cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 5));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 1));
}

TEST_F(Peers, cudaMemcpyPeer_copies) {
  EXPECT_OK(cudaMemcpyPeer(memory_[0], 0, memory_[1], 1, kSize));
  EXPECT_EQ(bytes_of(kSize, 2), contents(memory_[0], kSize));
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaMemcpyPeer(memory_[0], 0, memory_[1], 9, 1));
}

TEST_F(Peers, cudaMemcpyPeerAsync_copies_in_the_order_of_the_stream) {
  Stream stream;
  EXPECT_OK(cudaMemcpyPeerAsync(memory_[0], 0, memory_[1], 1, kSize, stream));
  EXPECT_OK(cudaMemsetAsync(memory_[0], 9, 1, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  auto expected = bytes_of(kSize, 2);
  expected[0] = 9;
  EXPECT_EQ(expected, contents(memory_[0], kSize));
  EXPECT_ERROR(cudaErrorInvalidDevice,
               cudaMemcpyPeerAsync(memory_[0], 0, memory_[1], 9, 1, stream));
}

TEST_F(Peers, cudaMemcpy3DPeer_copies_the_box_alone) {
  const auto parameters = box();
  EXPECT_OK(cudaMemcpy3DPeer(&parameters));
  EXPECT_OK(cudaDeviceSynchronize());
  expect_box_copied();
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy3DPeer(nullptr));
}

TEST_F(Peers, cudaMemcpy3DPeerAsync_copies_the_box_alone) {
  Stream stream;
  const auto parameters = box();
  EXPECT_OK(cudaMemcpy3DPeerAsync(&parameters, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  expect_box_copied();
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy3DPeerAsync(nullptr, stream));
}

}  // namespace
