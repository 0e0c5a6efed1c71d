#include "tests/host/musart/support.h"

namespace {

class CopyBatch : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(musaStreamCreateWithFlags(&stream_, musaStreamNonBlocking));
    ASSERT_OK(musaMalloc(&device_, 100));
    ASSERT_OK(musaMemset(device_, 0, 100));
    attributes_.srcAccessOrder = musaMemcpySrcAccessOrderStream;
  }
  void TearDown() override {
    EXPECT_OK(musaStreamDestroy(stream_));
    EXPECT_OK(musaFree(device_));
  }
  char at(size_t offset) {
    char byte = -1;
    EXPECT_OK(musaMemcpy(&byte, static_cast<char*>(device_) + offset, 1, musaMemcpyDeviceToHost));
    return byte;
  }
  musaStream_t stream_ = nullptr;
  void* device_ = nullptr;
  musaMemcpyAttributes attributes_{};
};

TEST_F(CopyBatch, musaMemcpyBatchAsync_does_every_copy) {
  char first[10] = {1};
  char second[10] = {2};
  void* to[] = {device_, static_cast<char*>(device_) + 50};
  void* from[] = {first, second};
  size_t sizes[] = {10, 5};
  musaMemcpyAttributes attributes[2] = {attributes_, attributes_};
  attributes[1].srcAccessOrder = musaMemcpySrcAccessOrderDuringApiCall;
  size_t starts[] = {0, 1};
  size_t failed = 7;
  Barrier barrier;
  barrier.hold(stream_);
  ASSERT_OK(musaMemcpyBatchAsync(to, from, sizes, 2, attributes, starts, 2, &failed, stream_));
  // The first source is read when the copy runs. The second has been read already.
  first[0] = 11;
  second[0] = 22;
  EXPECT_EQ(0, at(0));
  barrier.open();
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ(11, at(0));
  EXPECT_EQ(2, at(50));
}

TEST_F(CopyBatch, musaMemcpyBatchAsync_copies_nothing_if_one_is_wrong) {
  char source[10] = {1};
  void* to[] = {device_, static_cast<char*>(device_) + 95};
  void* from[] = {source, source};
  size_t sizes[] = {10, 10};
  size_t start = 0;
  size_t failed = 7;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpyBatchAsync(to, from, sizes, 2, &attributes_, &start, 1, &failed, stream_));
  EXPECT_EQ(1u, failed);
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ(0, at(0));
}

TEST_F(CopyBatch, musaMemcpyBatchAsync_checks_its_arguments) {
  char source[10] = {1};
  void* to = device_;
  void* from = source;
  size_t size = 10;
  size_t start = 0;
  size_t failed = 7;
  const auto batch = [&](void** dsts, size_t count, size_t attribute_count, musaStream_t stream) {
    return musaMemcpyBatchAsync(dsts, &from, &size, count, &attributes_, &start, attribute_count,
                                &failed, stream);
  };
  EXPECT_ERROR(musaErrorInvalidValue, batch(&to, 0, 1, stream_));
  EXPECT_EQ(SIZE_MAX, failed);
  EXPECT_ERROR(musaErrorInvalidValue, batch(nullptr, 1, 1, stream_));
  EXPECT_ERROR(musaErrorInvalidValue, batch(&to, 1, 0, stream_));
  EXPECT_ERROR(musaErrorInvalidValue, batch(&to, 1, 2, stream_));
  EXPECT_ERROR(musaErrorInvalidValue, batch(&to, 1, 1, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, batch(&to, 1, 1, musaStreamLegacy));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               batch(&to, 1, 1, reinterpret_cast<musaStream_t>(source)));
  start = 1;
  EXPECT_ERROR(musaErrorInvalidValue, batch(&to, 1, 1, stream_));
  start = 0;
  attributes_.srcAccessOrder = musaMemcpySrcAccessOrderInvalid;
  EXPECT_ERROR(musaErrorInvalidValue, batch(&to, 1, 1, stream_));
}

TEST_F(CopyBatch, musaMemcpy3DBatchAsync_copies_between_pointers_and_arrays) {
  const auto bytes = musaCreateChannelDesc(8, 0, 0, 0, musaChannelFormatKindUnsigned);
  musaArray_t array = nullptr;
  ASSERT_OK(musaMallocArray(&array, &bytes, 5, 2));
  std::array<char, 20> source{};
  for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<char>(i);
  musaMemcpy3DBatchOp op{};
  op.src.type = musaMemcpyOperandTypePointer;
  op.src.op.ptr.ptr = source.data();
  op.src.op.ptr.rowLength = 10;
  op.dst.type = musaMemcpyOperandTypeArray;
  op.dst.op.array.array = array;
  op.dst.op.array.offset = {1, 0, 0};
  op.extent = {4, 2, 1};
  op.srcAccessOrder = musaMemcpySrcAccessOrderAny;
  size_t failed = 7;
  ASSERT_OK(musaMemcpy3DBatchAsync(1, &op, &failed, 0, stream_));
  ASSERT_OK(musaStreamSynchronize(stream_));
  std::array<char, 10> found{};
  ASSERT_OK(musaMemcpy2DFromArray(found.data(), 5, array, 0, 0, 5, 2, musaMemcpyDeviceToHost));
  EXPECT_EQ((std::array<char, 10>{0, 0, 1, 2, 3, 0, 10, 11, 12, 13}), found);

  op.dst.op.array.offset = {2, 0, 0};
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DBatchAsync(1, &op, &failed, 0, stream_));
  EXPECT_EQ(0u, failed);
  op.dst.op.array.array = nullptr;
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaMemcpy3DBatchAsync(1, &op, &failed, 0, stream_));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DBatchAsync(1, nullptr, &failed, 0, stream_));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DBatchAsync(1, &op, &failed, 1, stream_));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DBatchAsync(0, &op, &failed, 0, stream_));
  EXPECT_OK(musaFreeArray(array));
}

}  // namespace
