#include "tests/host/musart/support.h"

namespace {

const musaChannelFormatDesc kFloats{32, 0, 0, 0, musaChannelFormatKindFloat};
const musaChannelFormatDesc kBytes{8, 0, 0, 0, musaChannelFormatKindUnsigned};
const musaChannelFormatDesc kFourShorts{16, 16, 16, 16, musaChannelFormatKindSigned};

std::vector<float> numbers(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  return values;
}

class Arrays : public ::testing::Test {
 protected:
  static constexpr size_t kWidth = 5;
  static constexpr size_t kHeight = 4;
  static constexpr size_t kRow = kWidth * sizeof(float);

  void SetUp() override {
    ASSERT_OK(musaMallocArray(&array_, &kFloats, kWidth, kHeight));
    ASSERT_OK(musaMemcpy2DToArray(array_, 0, 0, values_.data(), kRow, kRow, kHeight,
                                  musaMemcpyHostToDevice));
  }
  void TearDown() override { EXPECT_OK(musaFreeArray(array_)); }
  std::vector<float> contents(musaArray_t array) {
    std::vector<float> read(kWidth * kHeight, -1);
    EXPECT_OK(musaMemcpy2DFromArray(read.data(), kRow, array, 0, 0, kRow, kHeight,
                                    musaMemcpyDeviceToHost));
    return read;
  }
  std::vector<float> values_ = numbers(kWidth * kHeight);
  musaArray_t array_ = nullptr;
};

TEST_F(Arrays, musaCreateChannelDesc_puts_its_arguments_together) {
  const auto format = musaCreateChannelDesc(1, 2, 3, 4, musaChannelFormatKindFloat);
  EXPECT_EQ(1, format.x);
  EXPECT_EQ(2, format.y);
  EXPECT_EQ(3, format.z);
  EXPECT_EQ(4, format.w);
  EXPECT_EQ(musaChannelFormatKindFloat, format.f);
}

// CUDA's samples volumeRender and volumeFiltering give 0 for the distance.
TEST_F(Arrays, musaMemcpy2DToArray_needs_no_distance_for_a_single_row) {
  const std::vector<float> row = {9, 8, 7, 6, 5};
  ASSERT_OK(musaMemcpy2DToArray(array_, 0, 1, row.data(), 0, kRow, 1, musaMemcpyHostToDevice));
  std::vector<float> read(kWidth);
  ASSERT_OK(musaMemcpy2DFromArray(read.data(), 0, array_, 0, 1, kRow, 1, musaMemcpyDeviceToHost));
  EXPECT_EQ(row, read);
  EXPECT_EQ(values_[0], contents(array_)[0]);
  EXPECT_ERROR(musaErrorInvalidPitchValue,
               musaMemcpy2DToArray(array_, 0, 0, row.data(), 0, kRow, 2, musaMemcpyHostToDevice));
}

TEST_F(Arrays, musaMallocArray_gives_memory_of_its_own) {
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  ASSERT_OK(musaMemGetInfo(&before, &total));
  musaArray_t other = nullptr;
  ASSERT_OK(musaMallocArray(&other, &kFloats, kWidth, kHeight));
  ASSERT_OK(musaMemGetInfo(&after, &total));
  EXPECT_LT(after, before);
  EXPECT_NE(array_, other);
  EXPECT_EQ(std::vector<float>(kWidth * kHeight, 0), contents(other));
  EXPECT_EQ(values_, contents(array_));
  EXPECT_OK(musaFreeArray(other));
  ASSERT_OK(musaMemGetInfo(&after, &total));
  EXPECT_EQ(before, after);
}

TEST_F(Arrays, musaMallocArray_checks_what_is_asked_for) {
  musaArray_t array = nullptr;
  EXPECT_ERROR(musaErrorNotSupported, musaMallocArray(&array, &kFloats, 1, 1, musaArraySparse));
  EXPECT_ERROR(musaErrorInvalidValue, musaMallocArray(&array, &kFloats, SIZE_MAX, SIZE_MAX));
  EXPECT_ERROR(musaErrorMemoryAllocation, musaMallocArray(&array, &kFloats, 65536, 65536));
  for (const musaChannelFormatDesc& bad :
       {musaChannelFormatDesc{8, 0, 8, 8, musaChannelFormatKindSigned},
        musaChannelFormatDesc{8, 0, 0, 0, musaChannelFormatKindNone}}) {
    EXPECT_ERROR(musaErrorInvalidValue, musaMallocArray(&array, &bad, 1, 1));
  }
}

TEST_F(Arrays, musaFreeArray_ends_the_handle) {
  EXPECT_OK(musaFreeArray(nullptr));
  musaArray_t gone = nullptr;
  ASSERT_OK(musaMallocArray(&gone, &kFloats, kWidth, kHeight));
  ASSERT_OK(musaFreeArray(gone));
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeArray(gone));
  EXPECT_ERROR(
      musaErrorInvalidResourceHandle,
      musaMemcpy2DToArray(gone, 0, 0, values_.data(), kRow, kRow, 1, musaMemcpyHostToDevice));
  EXPECT_ERROR(musaErrorInvalidValue, musaArrayGetInfo(nullptr, nullptr, nullptr, gone));
}

TEST_F(Arrays, musaArrayGetInfo_says_what_was_asked_for) {
  musaArray_t array = nullptr;
  ASSERT_OK(musaMallocArray(&array, &kFourShorts, 7, 0, musaArraySurfaceLoadStore));
  musaChannelFormatDesc format{};
  musaExtent extent{1, 1, 1};
  unsigned int flags = 0;
  ASSERT_OK(musaArrayGetInfo(&format, &extent, &flags, array));
  EXPECT_EQ(16, format.w);
  EXPECT_EQ(7u, extent.width);
  EXPECT_EQ(0u, extent.height);
  EXPECT_EQ(0u, extent.depth);
  EXPECT_EQ(static_cast<unsigned>(musaArraySurfaceLoadStore), flags);
  EXPECT_OK(musaArrayGetInfo(nullptr, nullptr, nullptr, array));
  EXPECT_ERROR(musaErrorInvalidValue, musaArrayGetInfo(&format, &extent, &flags, nullptr));
  EXPECT_OK(musaFreeArray(array));
}

TEST_F(Arrays, NothingIsNoArray) {
  musaChannelFormatDesc format{};
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaGetChannelDesc(&format, nullptr));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMemcpy2DFromArray(&format, kRow, nullptr, 0, 0, 4, 1, musaMemcpyDeviceToHost));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMemcpy2DArrayToArray(array_, 0, 0, nullptr, 0, 0, kRow, kHeight));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemcpy2DToArray(array_, 0, 0, nullptr, kRow, kRow, 1, musaMemcpyHostToDevice));
}

TEST_F(Arrays, musaArrayGetPlane_has_none_to_give) {
  musaArray_t plane = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaArrayGetPlane(&plane, array_, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaArrayGetPlane(nullptr, array_, 0));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaArrayGetPlane(&plane, nullptr, 0));
}

TEST_F(Arrays, musaArrayGetMemoryRequirements_is_for_arrays_without_memory) {
  musaArrayMemoryRequirements needed{};
  EXPECT_ERROR(musaErrorInvalidValue, musaArrayGetMemoryRequirements(&needed, array_, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaArrayGetMemoryRequirements(nullptr, array_, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaArrayGetMemoryRequirements(&needed, array_, 1));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaArrayGetMemoryRequirements(&needed, nullptr, 0));
}

TEST_F(Arrays, musaArrayGetSparseProperties_is_for_sparse_arrays) {
  musaArraySparseProperties properties{};
  EXPECT_ERROR(musaErrorInvalidValue, musaArrayGetSparseProperties(&properties, array_));
  EXPECT_ERROR(musaErrorInvalidValue, musaArrayGetSparseProperties(nullptr, array_));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaArrayGetSparseProperties(&properties, nullptr));
}

TEST_F(Arrays, musaMemcpy2DToArrayAsync_keeps_its_place_in_the_stream) {
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  Barrier barrier;
  barrier.hold(stream);
  const std::vector<float> other(kWidth * kHeight, 9);
  ASSERT_OK(musaMemcpy2DToArrayAsync(array_, 0, 0, other.data(), kRow, kRow, kHeight,
                                     musaMemcpyHostToDevice, stream));
  EXPECT_EQ(values_, contents(array_));
  barrier.open();
  ASSERT_OK(musaStreamSynchronize(stream));
  EXPECT_EQ(other, contents(array_));
  int nothing = 0;
  EXPECT_ERROR(
      musaErrorInvalidResourceHandle,
      musaMemcpy2DToArrayAsync(array_, 0, 0, other.data(), kRow, kRow, kHeight,
                               musaMemcpyHostToDevice, reinterpret_cast<musaStream_t>(&nothing)));
  EXPECT_OK(musaStreamDestroy(stream));
}

TEST_F(Arrays, musaMemcpy2DFromArrayAsync_keeps_its_place_in_the_stream) {
  musaStream_t stream = nullptr;
  void* pinned = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  ASSERT_OK(musaMallocHost(&pinned, kRow));
  auto* const read = static_cast<float*>(pinned);
  Barrier barrier;
  barrier.hold(stream);
  ASSERT_OK(musaMemcpy2DFromArrayAsync(pinned, kRow, array_, 0, 1, kRow, 1, musaMemcpyDeviceToHost,
                                       stream));
  EXPECT_EQ(0, read[1]);
  barrier.open();
  ASSERT_OK(musaStreamSynchronize(stream));
  EXPECT_EQ(values_[kWidth + 1], read[1]);
  EXPECT_OK(musaFreeHost(pinned));
  EXPECT_OK(musaStreamDestroy(stream));
}

TEST_F(Arrays, FreeingComesAfterTheCopiesUnderWay) {
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  musaArray_t gone = nullptr;
  ASSERT_OK(musaMallocArray(&gone, &kFloats, kWidth, kHeight));
  ASSERT_OK(musaMemcpy2DToArrayAsync(gone, 0, 0, values_.data(), kRow, kRow, kHeight,
                                     musaMemcpyHostToDevice, stream));
  EXPECT_OK(musaFreeArray(gone));
  EXPECT_OK(musaStreamQuery(stream));
  EXPECT_OK(musaStreamDestroy(stream));
}

class ArrayBoxes : public ::testing::Test {
 protected:
  static constexpr musaExtent kExtent{4, 3, 2};
  static constexpr size_t kCount = 24;
  void SetUp() override { ASSERT_OK(musaMalloc3DArray(&array_, &kFloats, kExtent)); }
  void TearDown() override { EXPECT_OK(musaFreeArray(array_)); }
  static musaPitchedPtr pointer(float* values) {
    return {values, kExtent.width * sizeof(float), kExtent.width, kExtent.height};
  }
  musaArray_t array_ = nullptr;
  std::vector<float> values_ = numbers(kCount);
};

TEST_F(ArrayBoxes, musaMalloc3DArray_makes_boxes_layers_and_cubes) {
  musaArray_t array = nullptr;
  for (const auto& [extent, flags] : std::vector<std::pair<musaExtent, unsigned int>>{
           {{4, 0, 0}, 0},
           {{4, 0, 3}, musaArrayLayered},
           {{4, 4, 6}, musaArrayCubemap},
           {{4, 4, 12}, musaArrayCubemap | musaArrayLayered}}) {
    array = nullptr;
    ASSERT_OK(musaMalloc3DArray(&array, &kBytes, extent, flags));
    ASSERT_NE(nullptr, array);
    EXPECT_OK(musaFreeArray(array));
  }
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMalloc3DArray(&array, &kBytes, {4, 3, 6}, musaArrayCubemap));
}

TEST_F(ArrayBoxes, musaMemcpy3D_counts_in_elements) {
  musaMemcpy3DParms in{};
  in.srcPtr = pointer(values_.data());
  in.dstArray = array_;
  in.extent = kExtent;
  in.kind = musaMemcpyHostToDevice;
  ASSERT_OK(musaMemcpy3D(&in));

  float found[2] = {};
  musaMemcpy3DParms out{};
  out.srcArray = array_;
  out.srcPos = {2, 1, 1};
  out.dstPtr = {found, sizeof(found), 2, 1};
  out.extent = {2, 1, 1};
  out.kind = musaMemcpyDeviceToHost;
  ASSERT_OK(musaMemcpy3D(&out));
  EXPECT_EQ(values_[12 + 4 + 2], found[0]);
  EXPECT_EQ(values_[12 + 4 + 3], found[1]);

  out.srcPos = {3, 1, 1};
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(&out));
  out.srcPos = {0, 0, 2};
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(&out));
  out.srcPos = {0, 0, 0};
  out.srcPtr = pointer(values_.data());
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(&out));
  out.srcPtr = {};
  out.srcArray = reinterpret_cast<musaArray_t>(found);
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaMemcpy3D(&out));
}

TEST_F(ArrayBoxes, musaMemcpy3DPeer_takes_arrays) {
  musaArray_t other = nullptr;
  ASSERT_OK(musaMalloc3DArray(&other, &kFloats, kExtent));
  musaMemcpy3DPeerParms across{};
  across.srcPtr = pointer(values_.data());
  across.dstArray = array_;
  across.extent = kExtent;
  // A peer copy accepts only memory that devices know.
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DPeer(&across));
  across.srcPtr = {};
  across.srcArray = other;
  EXPECT_OK(musaMemcpy3DPeer(&across));
  musaArray_t bytes = nullptr;
  ASSERT_OK(musaMalloc3DArray(&bytes, &kBytes, kExtent));
  across.srcArray = bytes;
  EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DPeer(&across));
  EXPECT_OK(musaFreeArray(bytes));
  EXPECT_OK(musaFreeArray(other));
}

class Mipmaps : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(musaMallocMipmappedArray(&mipmap_, &kFloats, {8, 4, 0}, 100)); }
  void TearDown() override { EXPECT_OK(musaFreeMipmappedArray(mipmap_)); }
  musaMipmappedArray_t mipmap_ = nullptr;
};

TEST_F(Mipmaps, musaMallocMipmappedArray_makes_as_many_levels_as_there_can_be) {
  musaArray_t level = nullptr;
  EXPECT_OK(musaGetMipmappedArrayLevel(&level, mipmap_, 3));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetMipmappedArrayLevel(&level, mipmap_, 4));
  musaMipmappedArray_t other = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaMallocMipmappedArray(nullptr, &kFloats, {8, 4, 0}, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMallocMipmappedArray(&other, &kFloats, {0, 4, 0}, 1));
  ASSERT_OK(musaMallocMipmappedArray(&other, &kFloats, {8, 4, 0}, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetMipmappedArrayLevel(&level, other, 1));
  EXPECT_OK(musaFreeMipmappedArray(other));
}

TEST_F(Mipmaps, musaGetMipmappedArrayLevel_gives_arrays_half_as_large) {
  musaArray_t level = nullptr;
  ASSERT_OK(musaGetMipmappedArrayLevel(&level, mipmap_, 2));
  musaExtent extent{};
  ASSERT_OK(musaArrayGetInfo(nullptr, &extent, nullptr, level));
  EXPECT_EQ(2u, extent.width);
  EXPECT_EQ(1u, extent.height);
  float value = 3;
  EXPECT_OK(musaMemcpy2DToArray(level, 4, 0, &value, 4, 4, 1, musaMemcpyHostToDevice));
  // The level is freed with the whole array.
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeArray(level));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetMipmappedArrayLevel(nullptr, mipmap_, 0));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaGetMipmappedArrayLevel(&level, nullptr, 0));
}

TEST_F(Mipmaps, musaFreeMipmappedArray_ends_it_and_its_levels) {
  EXPECT_OK(musaFreeMipmappedArray(nullptr));
  musaMipmappedArray_t gone = nullptr;
  musaArray_t level = nullptr;
  ASSERT_OK(musaMallocMipmappedArray(&gone, &kFloats, {8, 4, 0}, 2));
  ASSERT_OK(musaGetMipmappedArrayLevel(&level, gone, 1));
  ASSERT_OK(musaFreeMipmappedArray(gone));
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeMipmappedArray(gone));
  EXPECT_ERROR(musaErrorInvalidValue, musaArrayGetInfo(nullptr, nullptr, nullptr, level));
}

TEST_F(Mipmaps, musaMipmappedArrayGetMemoryRequirements_is_for_arrays_without_memory) {
  musaArrayMemoryRequirements needed{};
  EXPECT_ERROR(musaErrorInvalidValue, musaMipmappedArrayGetMemoryRequirements(&needed, mipmap_, 0));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMipmappedArrayGetMemoryRequirements(&needed, nullptr, 0));
}

TEST_F(Mipmaps, musaMipmappedArrayGetSparseProperties_is_for_sparse_arrays) {
  musaArraySparseProperties properties{};
  EXPECT_ERROR(musaErrorInvalidValue, musaMipmappedArrayGetSparseProperties(&properties, mipmap_));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMipmappedArrayGetSparseProperties(&properties, nullptr));
}

TEST(ArrayReset, musaDeviceReset_takes_arrays_away) {
  musaArray_t array = nullptr;
  musaMipmappedArray_t mipmap = nullptr;
  ASSERT_OK(musaMallocArray(&array, &kFloats, 4));
  ASSERT_OK(musaMallocMipmappedArray(&mipmap, &kFloats, {4, 0, 0}, 2));
  ASSERT_OK(musaDeviceReset());
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeArray(array));
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeMipmappedArray(mipmap));
}

}  // namespace
