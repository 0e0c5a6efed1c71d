// Arrays, and copies of rows, planes and boxes.
#include <numeric>

#include "tests/host/musa/support.h"

namespace {

class DriverArray : public DriverTest {
 protected:
  static MUarray create(size_t width, size_t height,
                        MUarray_format format = MU_AD_FORMAT_UNSIGNED_INT8,
                        unsigned int channels = 1) {
    const MUSA_ARRAY_DESCRIPTOR wanted{width, height, format, channels};
    MUarray array = nullptr;
    EXPECT_MU(muArrayCreate_v2(&array, &wanted));
    return array;
  }
  static std::string contents(MUarray array, size_t offset, size_t size) {
    std::string text(size, '?');
    EXPECT_MU(muMemcpyAtoH_v2(text.data(), array, offset, size));
    return text;
  }
};

TEST_F(DriverArray, muArrayCreate_v2_muArrayGetDescriptor_v2_muArrayDestroy) {
  const MUarray array = create(5, 3, MU_AD_FORMAT_HALF, 4);
  ASSERT_NE(array, nullptr);
  MUSA_ARRAY_DESCRIPTOR told{};
  EXPECT_MU(muArrayGetDescriptor_v2(&told, array));
  EXPECT_EQ(told.Width, 5U);
  EXPECT_EQ(told.Height, 3U);
  EXPECT_EQ(told.Format, MU_AD_FORMAT_HALF);
  EXPECT_EQ(told.NumChannels, 4U);
  EXPECT_EQ(muArrayGetDescriptor_v2(nullptr, array), MUSA_ERROR_INVALID_VALUE);
  musaExtent extent{};
  EXPECT_EQ(musaArrayGetInfo(nullptr, &extent, nullptr, reinterpret_cast<musaArray_t>(array)),
            musaSuccess);
  EXPECT_EQ(extent.width, 5U) << "a handle serves both";
  EXPECT_MU(muArrayDestroy(array));
  EXPECT_EQ(muArrayDestroy(array), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muArrayDestroy(nullptr), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muArrayGetDescriptor_v2(&told, array), MUSA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverArray, muArrayCreate_v2_refuses_bad_descriptors) {
  MUarray array = nullptr;
  MUSA_ARRAY_DESCRIPTOR wanted{4, 4, MU_AD_FORMAT_FLOAT, 3};
  EXPECT_EQ(muArrayCreate_v2(&array, &wanted), MUSA_ERROR_INVALID_VALUE) << "three channels";
  wanted = {4, 4, static_cast<MUarray_format>(7), 1};
  EXPECT_EQ(muArrayCreate_v2(&array, &wanted), MUSA_ERROR_INVALID_VALUE) << "no such format";
  wanted = {0, 4, MU_AD_FORMAT_FLOAT, 1};
  EXPECT_EQ(muArrayCreate_v2(&array, &wanted), MUSA_ERROR_INVALID_VALUE) << "empty";
  EXPECT_EQ(muArrayCreate_v2(&array, nullptr), MUSA_ERROR_INVALID_VALUE);
  wanted = {4, 4, MU_AD_FORMAT_FLOAT, 1};
  EXPECT_EQ(muArrayCreate_v2(nullptr, &wanted), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverArray, muArray3DCreate_v2_and_muArray3DGetDescriptor_v2_for_each_format) {
  constexpr unsigned int kSurface = musaArraySurfaceLoadStore;
  for (const MUarray_format format :
       {MU_AD_FORMAT_UNSIGNED_INT8, MU_AD_FORMAT_UNSIGNED_INT16, MU_AD_FORMAT_UNSIGNED_INT32,
        MU_AD_FORMAT_SIGNED_INT8, MU_AD_FORMAT_SIGNED_INT16, MU_AD_FORMAT_SIGNED_INT32,
        MU_AD_FORMAT_HALF, MU_AD_FORMAT_FLOAT}) {
    const MUSA_ARRAY3D_DESCRIPTOR wanted{4, 3, 2, format, 2, kSurface};
    MUarray array = nullptr;
    ASSERT_MU(muArray3DCreate_v2(&array, &wanted));
    MUSA_ARRAY3D_DESCRIPTOR told{};
    EXPECT_MU(muArray3DGetDescriptor_v2(&told, array));
    EXPECT_EQ(told.Depth, 2U);
    EXPECT_EQ(told.Format, format);
    EXPECT_EQ(told.NumChannels, 2U);
    EXPECT_EQ(told.Flags, kSurface);
    EXPECT_MU(muArrayDestroy(array));
  }
  EXPECT_EQ(muArray3DGetDescriptor_v2(nullptr, nullptr), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muArray3DCreate_v2(nullptr, nullptr), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverArray, muMipmappedArrayCreate_muMipmappedArrayGetLevel_muMipmappedArrayDestroy) {
  const MUSA_ARRAY3D_DESCRIPTOR wanted{8, 4, 0, MU_AD_FORMAT_FLOAT, 1, 0};
  MUmipmappedArray mipmap = nullptr;
  ASSERT_MU(muMipmappedArrayCreate(&mipmap, &wanted, 3));
  MUarray level = nullptr;
  EXPECT_MU(muMipmappedArrayGetLevel(&level, mipmap, 1));
  MUSA_ARRAY_DESCRIPTOR told{};
  EXPECT_MU(muArrayGetDescriptor_v2(&told, level));
  EXPECT_EQ(told.Width, 4U);
  EXPECT_EQ(muMipmappedArrayGetLevel(&level, mipmap, 3), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muMipmappedArrayDestroy(mipmap));
  EXPECT_EQ(muMipmappedArrayDestroy(mipmap), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muMipmappedArrayDestroy(nullptr), MUSA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverArray, muMemcpyHtoA_v2_muMemcpyAtoH_v2_muMemcpyHtoAAsync_v2_muMemcpyAtoHAsync_v2) {
  const MUarray array = create(8, 0);
  EXPECT_MU(muMemcpyHtoA_v2(array, 0, "abcdefgh", 8));
  EXPECT_EQ(contents(array, 2, 3), "cde");
  EXPECT_MU(muMemcpyHtoAAsync_v2(array, 3, "XY", 2, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_EQ(contents(array, 0, 8), "abcXYfgh");
  char text[3] = "";
  EXPECT_MU(muMemcpyAtoHAsync_v2(text, array, 6, 2, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_STREQ(text, "gh");
  EXPECT_EQ(muMemcpyHtoA_v2(array, 7, "zz", 2), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemcpyAtoH_v2(text, array, 7, 2), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muArrayDestroy(array));
}

// Sixteen rows of four bytes that count from 0.
class DriverBox : public DriverArray {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    std::iota(source_.begin(), source_.end(), 0);
    device_ = allocate(64);
    ASSERT_MU(muMemsetD8_v2(device_, 0xee, 64));
  }
  void TearDown() override {
    EXPECT_MU(muMemFree_v2(device_));
    DriverTest::TearDown();
  }
  // The middle two bytes of the second and third row go to the device's rows of eight bytes.
  MUSA_MEMCPY2D plane() {
    MUSA_MEMCPY2D copy{};
    copy.srcMemoryType = MU_MEMORYTYPE_HOST;
    copy.srcHost = source_.data();
    copy.srcXInBytes = 1;
    copy.srcY = 1;
    copy.srcPitch = 4;
    copy.dstMemoryType = MU_MEMORYTYPE_DEVICE;
    copy.dstDevice = device_;
    copy.dstXInBytes = 2;
    copy.dstPitch = 8;
    copy.WidthInBytes = 2;
    copy.Height = 2;
    return copy;
  }
  void expect_plane() {
    EXPECT_EQ(read(device_, 12),
              std::string("\xee\xee\x05\x06\xee\xee\xee\xee\xee\xee\x09\x0a", 12));
    ASSERT_MU(muMemsetD8_v2(device_, 0xee, 64));
  }

  std::vector<unsigned char> source_ = std::vector<unsigned char>(64);
  MUdeviceptr device_ = 0;
};

TEST_F(DriverBox, muMemcpy2D_v2_and_muMemcpy2DAsync_v2) {
  MUSA_MEMCPY2D copy = plane();
  EXPECT_MU(muMemcpy2D_v2(&copy));
  expect_plane();
  EXPECT_MU(muMemcpy2DAsync_v2(&copy, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  expect_plane();
  copy.dstMemoryType = MU_MEMORYTYPE_UNIFIED;
  EXPECT_MU(muMemcpy2D_v2(&copy));
  expect_plane();
  EXPECT_EQ(muMemcpy2D_v2(nullptr), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemcpy2DAsync_v2(nullptr, nullptr), MUSA_ERROR_INVALID_VALUE);
  copy.dstPitch = 3;
  EXPECT_EQ(muMemcpy2D_v2(&copy), MUSA_ERROR_INVALID_VALUE) << "rows overlap";
  copy = plane();
  copy.Height = 9;
  EXPECT_EQ(muMemcpy2D_v2(&copy), MUSA_ERROR_INVALID_VALUE) << "leaves the memory";
  copy = plane();
  copy.dstMemoryType = static_cast<MUmemorytype>(5);
  EXPECT_EQ(muMemcpy2D_v2(&copy), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverBox, muMemcpy2D_v2_without_pitches_copies_rows_without_gaps) {
  MUSA_MEMCPY2D copy{};
  copy.srcMemoryType = MU_MEMORYTYPE_HOST;
  copy.srcHost = source_.data();
  copy.dstMemoryType = MU_MEMORYTYPE_DEVICE;
  copy.dstDevice = device_;
  copy.WidthInBytes = 3;
  copy.Height = 2;
  EXPECT_MU(muMemcpy2D_v2(&copy));
  EXPECT_EQ(read(device_, 7), std::string("\0\1\2\3\4\5\xee", 7));
}

TEST_F(DriverBox, muMemcpy2D_v2_between_arrays_counts_bytes) {
  const MUarray from = create(4, 4, MU_AD_FORMAT_UNSIGNED_INT16);
  const MUarray to = create(4, 4, MU_AD_FORMAT_UNSIGNED_INT16);
  MUSA_MEMCPY2D copy{};
  copy.srcMemoryType = MU_MEMORYTYPE_HOST;
  copy.srcHost = source_.data();
  copy.dstMemoryType = MU_MEMORYTYPE_ARRAY;
  copy.dstArray = from;
  copy.WidthInBytes = 8;
  copy.Height = 4;
  EXPECT_MU(muMemcpy2D_v2(&copy));
  copy.srcMemoryType = MU_MEMORYTYPE_ARRAY;
  copy.srcArray = from;
  copy.srcXInBytes = 2;
  copy.dstArray = to;
  copy.WidthInBytes = 6;
  EXPECT_MU(muMemcpy2D_v2(&copy));
  EXPECT_EQ(contents(to, 0, 6), std::string("\2\3\4\5\6\7", 6));
  copy.srcXInBytes = 1;
  EXPECT_EQ(muMemcpy2D_v2(&copy), MUSA_ERROR_INVALID_VALUE) << "half an element";
  copy.srcXInBytes = 2;
  copy.WidthInBytes = 3;
  EXPECT_EQ(muMemcpy2D_v2(&copy), MUSA_ERROR_INVALID_VALUE) << "one and a half";
  copy.WidthInBytes = 8;
  EXPECT_EQ(muMemcpy2D_v2(&copy), MUSA_ERROR_INVALID_VALUE) << "leaves the array";
  EXPECT_MU(muArrayDestroy(from));
  EXPECT_EQ(muMemcpy2D_v2(&copy), MUSA_ERROR_INVALID_VALUE) << "destroyed";
  EXPECT_MU(muArrayDestroy(to));
}

TEST_F(DriverBox, muMemcpy3D_v2_and_muMemcpy3DAsync_v2) {
  // Two bytes of two rows of two slices, which are four rows apart.
  MUSA_MEMCPY3D copy{};
  copy.srcMemoryType = MU_MEMORYTYPE_HOST;
  copy.srcHost = source_.data();
  copy.srcPitch = 4;
  copy.srcHeight = 4;
  copy.srcZ = 1;
  copy.dstMemoryType = MU_MEMORYTYPE_DEVICE;
  copy.dstDevice = device_;
  copy.WidthInBytes = 2;
  copy.Height = 2;
  copy.Depth = 2;
  const std::string expected("\x10\x11\x14\x15\x20\x21\x24\x25\xee", 9);
  EXPECT_MU(muMemcpy3D_v2(&copy));
  EXPECT_EQ(read(device_, 9), expected);
  ASSERT_MU(muMemsetD8_v2(device_, 0xee, 64));
  EXPECT_MU(muMemcpy3DAsync_v2(&copy, nullptr));
  EXPECT_MU(muStreamSynchronize(nullptr));
  EXPECT_EQ(read(device_, 9), expected);
  copy.srcLOD = 1;
  EXPECT_EQ(muMemcpy3D_v2(&copy), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muMemcpy3DAsync_v2(nullptr, nullptr), MUSA_ERROR_INVALID_VALUE);
}

}  // namespace
