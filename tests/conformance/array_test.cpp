// Arrays: memory with a layout that only the device knows.
#include "tests/conformance/support.h"

namespace {

constexpr size_t kWidth = 8;
constexpr size_t kHeight = 4;
constexpr size_t kSize = kWidth * kHeight;
const cudaChannelFormatDesc kBytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};

class Arrays : public testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(cudaMallocArray(&array_, &kBytes, kWidth, kHeight, 0)); }
  void TearDown() override { EXPECT_OK(cudaFreeArray(array_)); }
  void write(cudaArray_t array, const std::vector<unsigned char>& bytes) {
    EXPECT_OK(cudaMemcpy2DToArray(array, 0, 0, bytes.data(), kWidth, kWidth, kHeight,
                                  cudaMemcpyHostToDevice));
  }
  std::vector<unsigned char> read(cudaArray_const_t array) {
    std::vector<unsigned char> bytes(kSize, 0xee);
    EXPECT_OK(cudaMemcpy2DFromArray(bytes.data(), kWidth, array, 0, 0, kWidth, kHeight,
                                    cudaMemcpyDeviceToHost));
    return bytes;
  }
  const std::vector<unsigned char> host_ = counted(kSize);
  Stream stream_;
  cudaArray_t array_ = nullptr;
};

TEST_F(Arrays, cudaMallocArray_gives_memory_of_its_own) {
  cudaArray_t other = nullptr;
  ASSERT_OK(cudaMallocArray(&other, &kBytes, kWidth, kHeight, 0));
  write(array_, host_);
  write(other, bytes_of(kSize, 9));
  EXPECT_EQ(host_, read(array_));
  EXPECT_EQ(bytes_of(kSize, 9), read(other));
  EXPECT_OK(cudaFreeArray(other));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocArray(nullptr, &kBytes, 1, 1, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocArray(&other, nullptr, 1, 1, 0));
}

TEST_F(Arrays, cudaFreeArray_only_once) {
  cudaArray_t gone = nullptr;
  ASSERT_OK(cudaMallocArray(&gone, &kBytes, kWidth, kHeight, 0));
  EXPECT_OK(cudaFreeArray(gone));
  EXPECT_NE(cudaSuccess, cudaFreeArray(gone));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
  EXPECT_OK(cudaFreeArray(nullptr));
}

TEST_F(Arrays, cudaArrayGetInfo_says_what_it_was_made_with) {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned int flags = 99;
  EXPECT_OK(cudaArrayGetInfo(&format, &extent, &flags, array_));
  EXPECT_EQ(8, format.x);
  EXPECT_EQ(0, format.y);
  EXPECT_EQ(kWidth, extent.width);
  EXPECT_EQ(kHeight, extent.height);
  EXPECT_EQ(0u, extent.depth);
  EXPECT_EQ(0u, flags);
}

TEST_F(Arrays, cudaGetChannelDesc_says_what_it_was_made_with) {
  cudaChannelFormatDesc format{};
  EXPECT_OK(cudaGetChannelDesc(&format, array_));
  EXPECT_EQ(8, format.x);
  EXPECT_EQ(cudaChannelFormatKindUnsigned, format.f);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetChannelDesc(nullptr, array_));
}

TEST_F(Arrays, cudaMalloc3DArray_says_what_it_was_made_with) {
  cudaArray_t array = nullptr;
  ASSERT_OK(cudaMalloc3DArray(&array, &kBytes, {8, 4, 2}, 0));
  cudaExtent extent{};
  EXPECT_OK(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
  EXPECT_EQ(2u, extent.depth);
  EXPECT_OK(cudaFreeArray(array));
}

TEST_F(Arrays, cudaMemcpy2DToArray_writes_the_rows_alone) {
  write(array_, bytes_of(kSize, 0));
  EXPECT_OK(cudaMemcpy2DToArray(array_, 2, 1, host_.data(), 4, 4, 2, cudaMemcpyHostToDevice));
  const auto bytes = read(array_);
  EXPECT_EQ(0, bytes[kWidth + 1]);
  EXPECT_EQ(host_[0], bytes[kWidth + 2]);
  EXPECT_EQ(host_[7], bytes[2 * kWidth + 5]);
  EXPECT_EQ(0, bytes[2 * kWidth + 6]);
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy2DToArray(array_, 0, 0, host_.data(), 8, 8, 5, cudaMemcpyHostToDevice));
}

TEST_F(Arrays, cudaMemcpy2DFromArray_reads_the_rows) {
  write(array_, host_);
  std::vector<unsigned char> bytes(8);
  EXPECT_OK(cudaMemcpy2DFromArray(bytes.data(), 4, array_, 2, 1, 4, 2, cudaMemcpyDeviceToHost));
  EXPECT_EQ(host_[kWidth + 2], bytes[0]);
  EXPECT_EQ(host_[2 * kWidth + 5], bytes[7]);
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy2DFromArray(bytes.data(), 8, array_, 0, 0, 8, 5, cudaMemcpyDeviceToHost));
}

TEST_F(Arrays, cudaMemcpy2DToArrayAsync_writes_in_the_order_of_the_stream) {
  EXPECT_OK(cudaMemcpy2DToArrayAsync(array_, 0, 0, host_.data(), kWidth, kWidth, kHeight,
                                     cudaMemcpyHostToDevice, stream_));
  EXPECT_OK(cudaStreamSynchronize(stream_));
  EXPECT_EQ(host_, read(array_));
}

TEST_F(Arrays, cudaMemcpy2DFromArrayAsync_reads_in_the_order_of_the_stream) {
  write(array_, host_);
  std::vector<unsigned char> bytes(kSize);
  EXPECT_OK(cudaMemcpy2DFromArrayAsync(bytes.data(), kWidth, array_, 0, 0, kWidth, kHeight,
                                       cudaMemcpyDeviceToHost, stream_));
  EXPECT_OK(cudaStreamSynchronize(stream_));
  EXPECT_EQ(host_, bytes);
}

// The middle of a row, whole rows, and the beginning of another one.
TEST_F(Arrays, cudaMemcpyToArray_writes_row_after_row) {
  write(array_, bytes_of(kSize, 0));
  EXPECT_OK(cudaMemcpyToArray(array_, 5, 0, host_.data(), 3 + 16 + 2, cudaMemcpyHostToDevice));
  auto expected = bytes_of(kSize, 0);
  std::copy_n(host_.begin(), 21, expected.begin() + 5);
  EXPECT_EQ(expected, read(array_));
  EXPECT_OK(cudaMemcpyToArray(array_, 0, 0, host_.data(), kSize, cudaMemcpyHostToDevice));
  EXPECT_EQ(host_, read(array_));
  EXPECT_OK(cudaMemcpyToArray(array_, 0, kHeight - 1, host_.data(), 0, cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpyToArray(array_, 1, 0, host_.data(), kSize, cudaMemcpyHostToDevice));
  EXPECT_EQ(host_, read(array_));
}

TEST_F(Arrays, cudaMemcpyFromArray_reads_row_after_row) {
  write(array_, host_);
  std::vector<unsigned char> bytes(21);
  EXPECT_OK(cudaMemcpyFromArray(bytes.data(), array_, 5, 0, 21, cudaMemcpyDeviceToHost));
  EXPECT_EQ(std::vector<unsigned char>(host_.begin() + 5, host_.begin() + 26), bytes);
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpyFromArray(bytes.data(), array_, 0, kHeight, 1, cudaMemcpyDeviceToHost));
}

TEST_F(Arrays, cudaMemcpyToArrayAsync_writes_in_the_order_of_the_stream) {
  EXPECT_OK(
      cudaMemcpyToArrayAsync(array_, 0, 0, host_.data(), kSize, cudaMemcpyHostToDevice, stream_));
  std::vector<unsigned char> bytes(kSize);
  EXPECT_OK(
      cudaMemcpyFromArrayAsync(bytes.data(), array_, 0, 0, kSize, cudaMemcpyDeviceToHost, stream_));
  EXPECT_OK(cudaStreamSynchronize(stream_));
  EXPECT_EQ(host_, bytes);
}

TEST_F(Arrays, cudaMemcpyFromArrayAsync_reads_a_line) {
  cudaArray_t line = nullptr;
  ASSERT_OK(cudaMallocArray(&line, &kBytes, kSize, 0, 0));
  EXPECT_OK(cudaMemcpyToArray(line, 1, 0, host_.data(), kSize - 1, cudaMemcpyHostToDevice));
  std::vector<unsigned char> bytes(kSize - 1);
  EXPECT_OK(cudaMemcpyFromArrayAsync(bytes.data(), line, 1, 0, kSize - 1, cudaMemcpyDeviceToHost,
                                     stream_));
  EXPECT_OK(cudaStreamSynchronize(stream_));
  EXPECT_EQ(std::vector<unsigned char>(host_.begin(), host_.end() - 1), bytes);
  EXPECT_OK(cudaFreeArray(line));
}

TEST_F(Arrays, cudaMemcpy2DArrayToArray_copies) {
  cudaArray_t other = nullptr;
  ASSERT_OK(cudaMallocArray(&other, &kBytes, kWidth, kHeight, 0));
  write(array_, host_);
  EXPECT_OK(cudaMemcpy2DArrayToArray(other, 0, 0, array_, 0, 0, kWidth, kHeight,
                                     cudaMemcpyDeviceToDevice));
  EXPECT_EQ(host_, read(other));
  EXPECT_OK(cudaFreeArray(other));
}

TEST_F(Arrays, cudaGetMipmappedArrayLevel_halves_each_level) {
  cudaMipmappedArray_t levels = nullptr;
  ASSERT_OK(cudaMallocMipmappedArray(&levels, &kBytes, {8, 4, 0}, 2, 0));
  cudaArray_t level = nullptr;
  cudaExtent extent{};
  EXPECT_OK(cudaGetMipmappedArrayLevel(&level, levels, 1));
  EXPECT_OK(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
  EXPECT_EQ(4u, extent.width);
  EXPECT_EQ(2u, extent.height);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&level, levels, 5));
  EXPECT_OK(cudaFreeMipmappedArray(levels));
}

TEST_F(Arrays, cudaMallocMipmappedArray_refuses_bad_arguments) {
  cudaMipmappedArray_t levels = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocMipmappedArray(nullptr, &kBytes, {8, 4, 0}, 2, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocMipmappedArray(&levels, nullptr, {8, 4, 0}, 2, 0));
}

TEST_F(Arrays, cudaFreeMipmappedArray_only_once) {
  cudaMipmappedArray_t levels = nullptr;
  ASSERT_OK(cudaMallocMipmappedArray(&levels, &kBytes, {8, 4, 0}, 2, 0));
  EXPECT_OK(cudaFreeMipmappedArray(levels));
  EXPECT_NE(cudaSuccess, cudaFreeMipmappedArray(levels));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
}

size_t limit(cudaDeviceAttr attribute) {
  int value = 0;
  EXPECT_OK(cudaDeviceGetAttribute(&value, attribute, 0));
  EXPECT_GT(value, 0);
  return static_cast<size_t>(value);
}

// The limits of each shape are in the documentation of cudaMalloc3DArray.
TEST_F(Arrays, cudaMallocArray_refuses_more_than_the_limits) {
  cudaArray_t array = nullptr;
  const size_t line = limit(cudaDevAttrMaxTexture1DWidth);
  EXPECT_OK(cudaMallocArray(&array, &kBytes, line, 0, 0));
  EXPECT_OK(cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocArray(&array, &kBytes, line + 1, 0, 0));
  const size_t width = limit(cudaDevAttrMaxTexture2DWidth);
  const size_t height = limit(cudaDevAttrMaxTexture2DHeight);
  EXPECT_OK(cudaMallocArray(&array, &kBytes, width, 1, 0));
  EXPECT_OK(cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocArray(&array, &kBytes, width + 1, 1, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocArray(&array, &kBytes, 1, height + 1, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocArray(&array, &kBytes, 0, 1, 0));
}

TEST_F(Arrays, cudaMallocArray_gathers_from_planes_alone) {
  cudaArray_t array = nullptr;
  EXPECT_OK(cudaMallocArray(&array, &kBytes, 8, 8, cudaArrayTextureGather));
  EXPECT_OK(cudaFreeArray(array));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMallocArray(&array, &kBytes, 8, 0, cudaArrayTextureGather));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMalloc3DArray(&array, &kBytes, {8, 8, 2}, cudaArrayTextureGather));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMallocArray(&array, &kBytes, limit(cudaDevAttrMaxTexture2DGatherWidth) + 1, 1,
                               cudaArrayTextureGather));
}

TEST_F(Arrays, cudaMalloc3DArray_refuses_more_than_the_limits) {
  cudaArray_t array = nullptr;
  const auto refuses = [&](cudaExtent extent, unsigned int flags) {
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &kBytes, extent, flags));
  };
  refuses({limit(cudaDevAttrMaxTexture3DWidth) + 1, 1, 1}, 0);
  refuses({1, limit(cudaDevAttrMaxTexture3DHeight) + 1, 1}, 0);
  refuses({1, 0, 1}, 0);
  refuses({limit(cudaDevAttrMaxTexture1DLayeredWidth) + 1, 0, 1}, cudaArrayLayered);
  refuses({1, 0, limit(cudaDevAttrMaxTexture1DLayeredLayers) + 1}, cudaArrayLayered);
  refuses({1, limit(cudaDevAttrMaxTexture2DLayeredHeight) + 1, 1}, cudaArrayLayered);
  refuses({1, 1, limit(cudaDevAttrMaxTexture2DLayeredLayers) + 1}, cudaArrayLayered);
  refuses({1, 1, 0}, cudaArrayLayered);
  const size_t side = limit(cudaDevAttrMaxTextureCubemapWidth) + 1;
  refuses({side, side, 6}, cudaArrayCubemap);
  refuses({4, 5, 6}, cudaArrayCubemap);
  refuses({4, 4, 5}, cudaArrayCubemap);
  refuses({4, 4, limit(cudaDevAttrMaxTextureCubemapLayeredLayers) + 6},
          cudaArrayCubemap | cudaArrayLayered);
  EXPECT_OK(cudaMalloc3DArray(&array, &kBytes, {4, 4, 12}, cudaArrayCubemap | cudaArrayLayered));
  EXPECT_OK(cudaFreeArray(array));
}

TEST_F(Arrays, cudaMallocMipmappedArray_refuses_more_than_the_limits) {
  cudaMipmappedArray_t levels = nullptr;
  const auto refuses = [&](cudaExtent extent) {
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocMipmappedArray(&levels, &kBytes, extent, 1, 0));
  };
  refuses({limit(cudaDevAttrMaxTexture1DMipmappedWidth) + 1, 0, 0});
  refuses({limit(cudaDevAttrMaxTexture2DMipmappedWidth) + 1, 1, 0});
  refuses({1, limit(cudaDevAttrMaxTexture2DMipmappedHeight) + 1, 0});
  refuses({0, 1, 0});
}

constexpr unsigned int kSurfaceLoadStore = 0x02;  // cudaArraySurfaceLoadStore

TEST_F(Arrays, cudaMallocArray_refuses_flags_that_it_does_not_take) {
  cudaArray_t array = nullptr;
  for (const unsigned int flags :
       {0x10U, 0x100U, unsigned{cudaArrayLayered}, unsigned{cudaArrayCubemap}}) {
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocArray(&array, &kBytes, 8, 8, flags));
  }
  EXPECT_OK(cudaMallocArray(&array, &kBytes, 8, 8, kSurfaceLoadStore));
  unsigned int told = 0;
  EXPECT_OK(cudaArrayGetInfo(nullptr, nullptr, &told, array));
  EXPECT_EQ(kSurfaceLoadStore, told);
  EXPECT_OK(cudaFreeArray(array));
}

TEST_F(Arrays, cudaMalloc3DArray_refuses_flags_that_do_not_fit) {
  cudaArray_t array = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc3DArray(nullptr, &kBytes, {4, 4, 4}, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc3DArray(&array, nullptr, {4, 4, 4}, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &kBytes, {4, 4, 4}, 0x100));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &kBytes, {4, 4, 6},
                                                        cudaArrayCubemap | cudaArrayTextureGather));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &kBytes, {4, 4, 2},
                                                        cudaArrayLayered | cudaArrayTextureGather));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &kBytes, {0, 0, 0}, 0));
}

TEST_F(Arrays, cudaMallocArray_refuses_formats_that_there_are_not) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc bad[] = {{7, 0, 0, 0, cudaChannelFormatKindUnsigned},
                                       {8, 8, 8, 0, cudaChannelFormatKindUnsigned},
                                       {8, 16, 0, 0, cudaChannelFormatKindUnsigned},
                                       {8, 0, 0, 0, cudaChannelFormatKindFloat},
                                       {0, 0, 0, 0, cudaChannelFormatKindUnsigned}};
  for (const auto& format : bad) {
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 8, 8, 0));
  }
}

// Every error that the documentation lists for the copies of arrays.
TEST_F(Arrays, cudaMemcpy2DToArray_refuses_bad_arguments) {
  const auto copy = [&](cudaArray_t to, size_t pitch, size_t width, cudaMemcpyKind kind) {
    return cudaMemcpy2DToArray(to, 0, 0, host_.data(), pitch, width, 2, kind);
  };
  EXPECT_ERROR(cudaErrorInvalidPitchValue, copy(array_, 3, 4, cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection, copy(array_, 4, 4, static_cast<cudaMemcpyKind>(9)));
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection, copy(array_, 4, 4, cudaMemcpyDeviceToHost));
  EXPECT_NE(cudaSuccess,
            copy(reinterpret_cast<cudaArray_t>(not_an_object), 4, 4, cudaMemcpyHostToDevice));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy2DToArray(array_, kWidth, 0, host_.data(), 4, 4, 2,
                                                          cudaMemcpyHostToDevice));
}

TEST_F(Arrays, cudaMemcpy2DFromArray_refuses_bad_arguments) {
  std::vector<unsigned char> bytes(kSize);
  const auto copy = [&](cudaArray_const_t from, size_t pitch, size_t width, cudaMemcpyKind kind) {
    return cudaMemcpy2DFromArray(bytes.data(), pitch, from, 0, 0, width, 2, kind);
  };
  EXPECT_ERROR(cudaErrorInvalidPitchValue, copy(array_, 3, 4, cudaMemcpyDeviceToHost));
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection, copy(array_, 4, 4, static_cast<cudaMemcpyKind>(9)));
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection, copy(array_, 4, 4, cudaMemcpyHostToDevice));
  EXPECT_NE(cudaSuccess,
            copy(reinterpret_cast<cudaArray_t>(not_an_object), 4, 4, cudaMemcpyDeviceToHost));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
}

TEST_F(Arrays, cudaMemcpy2DArrayToArray_refuses_bad_arguments) {
  EXPECT_ERROR(
      cudaErrorInvalidMemcpyDirection,
      cudaMemcpy2DArrayToArray(array_, 0, 0, array_, 0, 0, 1, 1, static_cast<cudaMemcpyKind>(9)));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpy2DArrayToArray(array_, 0, 0, array_, kWidth, 0, 1,
                                                               1, cudaMemcpyDeviceToDevice));
  EXPECT_NE(cudaSuccess,
            cudaMemcpy2DArrayToArray(array_, 0, 0, reinterpret_cast<cudaArray_t>(not_an_object), 0,
                                     0, 1, 1, cudaMemcpyDeviceToDevice));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
}

TEST_F(Arrays, cudaArrayGetInfo_refuses_what_is_no_array) {
  cudaExtent extent{};
  EXPECT_NE(cudaSuccess, cudaArrayGetInfo(nullptr, &extent, nullptr,
                                          reinterpret_cast<cudaArray_t>(not_an_object)));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
}

}  // namespace
