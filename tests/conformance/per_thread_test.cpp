// Functions for programs with one default stream per thread: a null stream is the thread's own. All
// tests block a stream that blocks the legacy default stream; these functions must still make
// progress.
#include "tests/conformance/support.h"

namespace {

constexpr size_t kSize = 64;

class PerThread : public testing::Test {
 protected:
  void SetUp() override { gate_.hold(blocking_); }
  // The memory's contents, read without the legacy stream.
  std::vector<unsigned char> held() {
    EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
    std::vector<unsigned char> bytes(kSize);
    EXPECT_OK(
        cudaMemcpyAsync(bytes.data(), memory_, kSize, cudaMemcpyDeviceToHost, cudaStreamPerThread));
    EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
    EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(blocking_));
    return bytes;
  }
  cudaMemcpy3DParms box() {
    cudaMemcpy3DParms made{};
    made.srcPtr = {host_.data(), 8, 8, 8};
    made.dstPtr = {memory_, 8, 8, 8};
    made.extent = {8, 8, 1};
    made.kind = cudaMemcpyHostToDevice;
    return made;
  }
  std::vector<unsigned char> host_ = counted(kSize);
  Buffer memory_{kSize};
  Stream blocking_;
  Gate gate_;
};

TEST_F(PerThread, cudaMemcpy_ptds_copies) {
  EXPECT_OK(cudaMemcpy_ptds(memory_, host_.data(), kSize, cudaMemcpyHostToDevice));
  EXPECT_EQ(host_, held());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy_ptds(nullptr, memory_, 1, cudaMemcpyDefault));
}

TEST_F(PerThread, cudaMemcpyAsync_ptsz_copies) {
  EXPECT_OK(cudaMemcpyAsync_ptsz(memory_, host_.data(), kSize, cudaMemcpyHostToDevice, nullptr));
  EXPECT_EQ(host_, held());
}

TEST_F(PerThread, cudaMemcpy2D_ptds_copies) {
  EXPECT_OK(cudaMemcpy2D_ptds(memory_, 8, host_.data(), 8, 8, 8, cudaMemcpyHostToDevice));
  EXPECT_EQ(host_, held());
}

TEST_F(PerThread, cudaMemcpy2DAsync_ptsz_copies) {
  EXPECT_OK(
      cudaMemcpy2DAsync_ptsz(memory_, 8, host_.data(), 8, 8, 8, cudaMemcpyHostToDevice, nullptr));
  EXPECT_EQ(host_, held());
}

TEST_F(PerThread, cudaMemcpy3D_ptds_copies) {
  const auto parameters = box();
  EXPECT_OK(cudaMemcpy3D_ptds(&parameters));
  EXPECT_EQ(host_, held());
}

TEST_F(PerThread, cudaMemcpy3DAsync_ptsz_copies) {
  const auto parameters = box();
  EXPECT_OK(cudaMemcpy3DAsync_ptsz(&parameters, nullptr));
  EXPECT_EQ(host_, held());
}

TEST_F(PerThread, cudaMemcpyToArray_ptds_and_its_relatives_copy) {
  const cudaChannelFormatDesc byte = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
  cudaArray_t array = nullptr;
  ASSERT_OK(cudaMallocArray(&array, &byte, 8, 8, 0));
  EXPECT_OK(cudaMemcpyToArray_ptds(array, 0, 0, host_.data(), kSize, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpyFromArrayAsync_ptsz(memory_, array, 0, 0, kSize, cudaMemcpyDeviceToDevice,
                                          nullptr));
  EXPECT_EQ(host_, held());
  std::vector<unsigned char> bytes(kSize);
  EXPECT_OK(cudaMemcpyToArrayAsync_ptsz(array, 0, 0, host_.data() + 8, kSize - 8,
                                        cudaMemcpyHostToDevice, nullptr));
  EXPECT_OK(cudaMemcpyFromArray_ptds(bytes.data(), array, 0, 0, kSize - 8, cudaMemcpyDeviceToHost));
  EXPECT_TRUE(std::equal(host_.begin() + 8, host_.end(), bytes.begin()));
  gate_.open();
  EXPECT_OK(cudaFreeArray(array));  // Waits for all streams.
}

TEST_F(PerThread, cudaMemset_ptds_fills) {
  EXPECT_OK(cudaMemset_ptds(memory_, 5, kSize));
  EXPECT_EQ(bytes_of(kSize, 5), held());
}

TEST_F(PerThread, cudaMemsetAsync_ptsz_fills) {
  EXPECT_OK(cudaMemsetAsync_ptsz(memory_, 5, kSize, nullptr));
  EXPECT_EQ(bytes_of(kSize, 5), held());
}

TEST_F(PerThread, cudaMemset2D_ptds_fills) {
  EXPECT_OK(cudaMemset2D_ptds(memory_, 8, 5, 8, 8));
  EXPECT_EQ(bytes_of(kSize, 5), held());
}

TEST_F(PerThread, cudaMemset2DAsync_ptsz_fills) {
  EXPECT_OK(cudaMemset2DAsync_ptsz(memory_, 8, 5, 8, 8, nullptr));
  EXPECT_EQ(bytes_of(kSize, 5), held());
}

TEST_F(PerThread, cudaMemset3D_ptds_fills) {
  EXPECT_OK(cudaMemset3D_ptds({memory_, 8, 8, 8}, 5, {8, 8, 1}));
  EXPECT_EQ(bytes_of(kSize, 5), held());
}

TEST_F(PerThread, cudaMemset3DAsync_ptsz_fills) {
  EXPECT_OK(cudaMemset3DAsync_ptsz({memory_, 8, 8, 8}, 5, {8, 8, 1}, nullptr));
  EXPECT_EQ(bytes_of(kSize, 5), held());
}

TEST_F(PerThread, cudaMallocAsync_ptsz_gives_memory) {
  void* memory = nullptr;
  ASSERT_OK(cudaMallocAsync_ptsz(&memory, kSize, nullptr));
  EXPECT_OK(cudaMemsetAsync(memory, 5, kSize, cudaStreamPerThread));
  EXPECT_OK(cudaFreeAsync_ptsz(memory, nullptr));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
}

TEST_F(PerThread, cudaFreeAsync_ptsz_gives_it_back_once) {
  void* memory = nullptr;
  ASSERT_OK(cudaMallocAsync(&memory, kSize, cudaStreamPerThread));
  EXPECT_OK(cudaFreeAsync_ptsz(memory, nullptr));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeAsync_ptsz(memory, nullptr));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
}

TEST_F(PerThread, cudaStreamQuery_ptsz_is_of_the_thread) {
  EXPECT_OK(cudaStreamQuery_ptsz(nullptr));
  Gate gate;
  gate.hold(cudaStreamPerThread);
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery_ptsz(nullptr));
  gate.open();
  gate_.open();  // NVIDIA runs host functions one at a time.
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
}

TEST_F(PerThread, cudaStreamSynchronize_ptsz_waits_for_the_thread_alone) {
  EXPECT_OK(cudaStreamSynchronize_ptsz(nullptr));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(blocking_));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaStreamSynchronize_ptsz(bad_stream()));
}

TEST_F(PerThread, cudaEventRecord_ptsz_marks_the_thread) {
  const Event event;
  EXPECT_OK(cudaEventRecord_ptsz(event, nullptr));
  EXPECT_OK(cudaEventSynchronize(event));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(blocking_));
}

TEST_F(PerThread, cudaStreamWaitEvent_ptsz_holds_the_thread_up) {
  const Event event;
  EXPECT_OK(cudaEventRecord(event, blocking_));
  EXPECT_OK(cudaStreamWaitEvent_ptsz(nullptr, event, 0));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(cudaStreamPerThread));
  gate_.open();
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
}

TEST_F(PerThread, cudaLaunchHostFunc_ptsz_is_called) {
  int count = 0;
  EXPECT_OK(cudaLaunchHostFunc_ptsz(
      nullptr, [](void* data) { ++*static_cast<int*>(data); }, &count));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_EQ(1, count);
}

}  // namespace
