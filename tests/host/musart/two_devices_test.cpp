#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "tests/host/musart/support.h"

namespace {

constexpr size_t kSize = 1000;

class TwoDevices : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int device = 0; device < 2; ++device) {
      ASSERT_OK(musaSetDevice(device));
      ASSERT_OK(musaMalloc(&memory_[device], kSize));
      ASSERT_OK(musaMemset(memory_[device], device + 1, kSize));
    }
    ASSERT_OK(musaSetDevice(0));
  }
  void TearDown() override {
    for (void* memory : memory_) EXPECT_OK(musaFree(memory));
    EXPECT_OK(musaSetDevice(0));
  }
  unsigned char first_byte(int device) {
    unsigned char value = 0;
    EXPECT_OK(musaMemcpy(&value, memory_[device], 1, musaMemcpyDefault));
    return value;
  }
  void* memory_[2] = {};
};

TEST_F(TwoDevices, CountAndIdentity) {
  int count = 0;
  EXPECT_OK(musaGetDeviceCount(&count));
  EXPECT_EQ(2, count);
  musaDeviceProp first{};
  musaDeviceProp second{};
  EXPECT_OK(musaGetDeviceProperties(&first, 0));
  EXPECT_OK(musaGetDeviceProperties(&second, 1));
  EXPECT_NE(0, std::memcmp(&first.uuid, &second.uuid, sizeof(first.uuid)));
  EXPECT_NE(first.pciBusID, second.pciBusID);
}

TEST_F(TwoDevices, CurrentDeviceBelongsToTheThread) {
  EXPECT_OK(musaSetDevice(1));
  std::thread([] {
    int device = -1;
    EXPECT_OK(musaGetDevice(&device));
    EXPECT_EQ(0, device);
  }).join();
  int device = -1;
  EXPECT_OK(musaGetDevice(&device));
  EXPECT_EQ(1, device);
}

TEST_F(TwoDevices, ValidDevicesChooseTheFirst) {
  int order[] = {1, 0};
  EXPECT_OK(musaSetValidDevices(order, 2));
  std::thread([] {
    int device = -1;
    EXPECT_OK(musaGetDevice(&device));
    EXPECT_EQ(1, device);
  }).join();
  EXPECT_OK(musaSetValidDevices(nullptr, 0));
}

TEST_F(TwoDevices, MemoryIsPerDevice) {
  size_t free_before = 0;
  size_t total = 0;
  EXPECT_OK(musaSetDevice(1));
  EXPECT_OK(musaMemGetInfo(&free_before, &total));
  EXPECT_EQ(size_t{64} << 20, total);
  EXPECT_OK(musaSetDevice(0));
  void* large = nullptr;
  ASSERT_OK(musaMalloc(&large, size_t{60} << 20));
  void* more = nullptr;
  EXPECT_ERROR(musaErrorMemoryAllocation, musaMalloc(&more, size_t{60} << 20));
  EXPECT_OK(musaSetDevice(1));
  size_t free_after = 0;
  EXPECT_OK(musaMemGetInfo(&free_after, &total));
  EXPECT_EQ(free_before, free_after);
  EXPECT_OK(musaMalloc(&more, size_t{60} << 20));
  musaPointerAttributes attributes{};
  EXPECT_OK(musaPointerGetAttributes(&attributes, large));
  EXPECT_EQ(0, attributes.device);
  EXPECT_OK(musaPointerGetAttributes(&attributes, more));
  EXPECT_EQ(1, attributes.device);
  // Freeing does not depend on the current device.
  EXPECT_OK(musaFree(large));
  EXPECT_OK(musaFree(more));
}

TEST_F(TwoDevices, PeerAccess) {
  int can = -1;
  EXPECT_OK(musaDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(1, can);
  EXPECT_ERROR(musaErrorPeerAccessNotEnabled, musaDeviceDisablePeerAccess(1));
  EXPECT_OK(musaDeviceEnablePeerAccess(1, 0));
  EXPECT_ERROR(musaErrorPeerAccessAlreadyEnabled, musaDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(musaDeviceDisablePeerAccess(1));
  EXPECT_ERROR(musaErrorPeerAccessNotEnabled, musaDeviceDisablePeerAccess(1));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceEnablePeerAccess(1, 1));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceEnablePeerAccess(0, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceEnablePeerAccess(2, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceDisablePeerAccess(-1));
  EXPECT_OK(musaDeviceGetP2PAttribute(&can, musaDevP2PAttrAccessSupported, 0, 1));
  EXPECT_EQ(1, can);
  EXPECT_ERROR(musaErrorInvalidDevice,
               musaDeviceGetP2PAttribute(&can, musaDevP2PAttrAccessSupported, 1, 1));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaDeviceGetP2PAttribute(&can, static_cast<musaDeviceP2PAttr>(30), 0, 1));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaDeviceGetP2PAttribute(nullptr, musaDevP2PAttrAccessSupported, 0, 1));
}

TEST_F(TwoDevices, PeerCopies) {
  EXPECT_OK(musaMemcpyPeer(memory_[0], 0, memory_[1], 1, kSize));
  EXPECT_EQ(2, first_byte(0));
  EXPECT_OK(musaMemset(memory_[0], 7, kSize));
  EXPECT_OK(musaMemcpyPeerAsync(memory_[1], 1, memory_[0], 0, kSize, musaStreamPerThread));
  EXPECT_OK(musaStreamSynchronize(musaStreamPerThread));
  EXPECT_EQ(7, first_byte(1));

  musaMemcpy3DPeerParms box{};
  box.srcPtr = {memory_[1], 10, 10, 10};
  box.srcDevice = 1;
  box.dstPtr = {memory_[0], 10, 10, 10};
  box.dstDevice = 0;
  box.extent = {10, 10, 10};
  EXPECT_OK(musaMemset(memory_[1], 9, kSize));
  EXPECT_OK(musaDeviceSynchronize());
  EXPECT_OK(musaMemcpy3DPeer(&box));
  EXPECT_EQ(9, first_byte(0));
  EXPECT_OK(musaMemcpy3DPeerAsync(&box, nullptr));
  EXPECT_OK(musaDeviceSynchronize());
  box.dstDevice = 5;
  EXPECT_ERROR(musaErrorInvalidDevice, musaMemcpy3DPeer(&box));
}

TEST_F(TwoDevices, BadPeerCopies) {
  char host[8] = {};
  EXPECT_ERROR(musaErrorInvalidDevice, musaMemcpyPeer(memory_[0], 0, memory_[1], 2, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpyPeer(memory_[0], 1, memory_[1], 0, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpyPeer(memory_[0], 0, host, 1, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpyPeer(memory_[0], 0, memory_[1], 1, kSize + 1));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpyPeerAsync(memory_[0], 0, nullptr, 1, kSize, nullptr));
  EXPECT_ERROR(
      musaErrorInvalidResourceHandle,
      musaMemcpyPeerAsync(memory_[0], 0, memory_[1], 1, 1, reinterpret_cast<musaStream_t>(host)));
  EXPECT_OK(musaMemcpyPeer(nullptr, 0, nullptr, 1, 0));
}

TEST_F(TwoDevices, PeerCopiesComeAfterTheWorkOfBothDevices) {
  ASSERT_OK(musaSetDevice(1));
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  Barrier barrier;
  barrier.hold(stream);
  ASSERT_OK(musaMemsetAsync(memory_[1], 42, kSize, stream));
  ASSERT_OK(musaSetDevice(0));
  std::thread opener([&] { barrier.open(); });
  EXPECT_OK(musaMemcpyPeer(memory_[0], 0, memory_[1], 1, kSize));
  EXPECT_EQ(42, first_byte(0));
  opener.join();
  EXPECT_OK(musaStreamDestroy(stream));
}

TEST_F(TwoDevices, StreamsAndEventsKnowTheirDevice) {
  musaStream_t stream = nullptr;
  musaEvent_t event = nullptr;
  ASSERT_OK(musaSetDevice(1));
  ASSERT_OK(musaStreamCreate(&stream));
  ASSERT_OK(musaSetDevice(0));
  ASSERT_OK(musaEventCreate(&event));
  int device = -1;
  EXPECT_OK(musaStreamGetDevice(stream, &device));
  EXPECT_EQ(1, device);
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventRecord(event, stream));
  // But a stream may wait for the other device.
  Barrier barrier;
  barrier.hold(nullptr);
  ASSERT_OK(musaEventRecord(event, nullptr));
  ASSERT_OK(musaStreamWaitEvent(stream, event));
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(stream));
  barrier.open();
  EXPECT_OK(musaStreamSynchronize(stream));
  EXPECT_OK(musaEventQuery(event));
  EXPECT_OK(musaEventDestroy(event));
  EXPECT_OK(musaStreamDestroy(stream));
}

TEST_F(TwoDevices, LegacyStreamsAreSeparate) {
  Barrier barrier;
  barrier.hold(nullptr);
  ASSERT_OK(musaSetDevice(1));
  EXPECT_OK(musaStreamQuery(nullptr));
  EXPECT_OK(musaDeviceSynchronize());
  ASSERT_OK(musaSetDevice(0));
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(nullptr));
}

TEST_F(TwoDevices, ResetTouchesOneDeviceOnly) {
  void* extra = nullptr;
  ASSERT_OK(musaSetDevice(1));
  ASSERT_OK(musaMalloc(&extra, 10));
  ASSERT_OK(musaSetDevice(0));
  ASSERT_OK(musaDeviceReset());
  EXPECT_OK(musaFree(extra));
  EXPECT_OK(musaMalloc(&memory_[0], kSize));
}

struct Writer {
  char* memory = nullptr;
  std::atomic<bool> started{false};
  std::atomic<bool> go{false};
  std::atomic<bool> done{false};
  static void run(void* self) {
    auto* const writer = static_cast<Writer*>(self);
    writer->started = true;
    while (!writer->go) std::this_thread::yield();
    std::memset(writer->memory, 1, kSize);
    writer->done = true;
  }
};

TEST_F(TwoDevices, musaFree_waits_for_devices_that_can_reach_the_memory) {
  ASSERT_OK(musaSetDevice(1));
  ASSERT_OK(musaDeviceEnablePeerAccess(0, 0));
  Writer writer;
  writer.memory = static_cast<char*>(memory_[0]);
  ASSERT_OK(musaLaunchHostFunc(nullptr, Writer::run, &writer));
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    writer.go = true;
  });
  EXPECT_OK(musaFree(memory_[0]));
  EXPECT_TRUE(writer.done);
  memory_[0] = nullptr;
  opener.join();
  EXPECT_OK(musaDeviceDisablePeerAccess(0));
}

TEST_F(TwoDevices, musaFree_does_not_wait_for_others_but_leaves_them_the_pages) {
  ASSERT_OK(musaSetDevice(1));
  Writer writer;
  writer.memory = static_cast<char*>(memory_[0]);
  ASSERT_OK(musaLaunchHostFunc(nullptr, Writer::run, &writer));
  while (!writer.started) std::this_thread::yield();
  EXPECT_OK(musaFree(memory_[0]));
  EXPECT_FALSE(writer.done);
  EXPECT_TRUE(is_readable(memory_[0]));
  writer.go = true;
  EXPECT_OK(musaDeviceSynchronize());
  EXPECT_FALSE(is_readable(memory_[0]));
  memory_[0] = nullptr;
}

TEST_F(TwoDevices, musaFreeHost_waits_for_every_device) {
  void* pinned = nullptr;
  ASSERT_OK(musaMallocHost(&pinned, kSize));
  ASSERT_OK(musaSetDevice(1));
  Writer writer;
  writer.memory = static_cast<char*>(pinned);
  ASSERT_OK(musaLaunchHostFunc(nullptr, Writer::run, &writer));
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    writer.go = true;
  });
  EXPECT_OK(musaFreeHost(pinned));
  EXPECT_TRUE(writer.done);
  opener.join();
}

}  // namespace
