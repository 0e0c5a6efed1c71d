// Texture objects; tests/conformance/texture_test.cpp tests what they refuse.
#include "tests/host/musart/support.h"

namespace {

class Textures : public ::testing::Test {
 protected:
  void SetUp() override {
    const musaChannelFormatDesc bytes{8, 0, 0, 0, musaChannelFormatKindUnsigned};
    ASSERT_OK(musaMallocArray(&resource_.res.array.array, &bytes, 8, 8));
    texture_.maxAnisotropy = 5;
    view_.width = 8;
    ASSERT_OK(musaCreateTextureObject(&object_, &resource_, &texture_, &view_));
  }
  musaResourceDesc resource_{};
  musaTextureDesc texture_{};
  musaResourceViewDesc view_{};
  musaTextureObject_t object_ = 0;
};

TEST_F(Textures, musaCreateTextureObject_refuses_what_is_not_filtered) {
  musaTextureObject_t other = 0;
  texture_.filterMode = musaFilterModeLinear;
  EXPECT_ERROR(musaErrorInvalidFilterSetting,
               musaCreateTextureObject(&other, &resource_, &texture_, nullptr));
  texture_.readMode = musaReadModeNormalizedFloat;
  EXPECT_OK(musaCreateTextureObject(&other, &resource_, &texture_, nullptr));
  EXPECT_OK(musaDestroyTextureObject(other));
}

TEST_F(Textures, musaCreateTextureObject_views_elements_of_the_same_size) {
  musaTextureObject_t other = 0;
  view_.format = static_cast<musaResourceViewFormat>(4);  // of one signed channel of 8 bits
  EXPECT_OK(musaCreateTextureObject(&other, &resource_, &texture_, &view_));
  EXPECT_OK(musaDestroyTextureObject(other));
  view_.format = static_cast<musaResourceViewFormat>(5);  // of two
  EXPECT_ERROR(musaErrorInvalidValue,
               musaCreateTextureObject(&other, &resource_, &texture_, &view_));
  view_.format = static_cast<musaResourceViewFormat>(25);  // blocks
  EXPECT_ERROR(musaErrorNotSupported,
               musaCreateTextureObject(&other, &resource_, &texture_, &view_));
}

TEST_F(Textures, musaCreateTextureObject_views_levels_and_layers_that_are_there) {
  const musaChannelFormatDesc bytes{8, 0, 0, 0, musaChannelFormatKindUnsigned};
  musaTextureObject_t other = 0;
  musaResourceDesc levels{};
  levels.resType = musaResourceTypeMipmappedArray;
  ASSERT_OK(musaMallocMipmappedArray(&levels.res.mipmap.mipmap, &bytes, {8, 8, 0}, 3));
  texture_.normalizedCoords = 1;
  view_.lastMipmapLevel = 2;
  EXPECT_OK(musaCreateTextureObject(&other, &levels, &texture_, &view_));
  view_.lastMipmapLevel = 3;
  EXPECT_ERROR(musaErrorInvalidValue, musaCreateTextureObject(&other, &levels, &texture_, &view_));
  view_ = {};
  musaResourceDesc layers{};
  ASSERT_OK(musaMalloc3DArray(&layers.res.array.array, &bytes, {8, 8, 3}, musaArrayLayered));
  view_.firstLayer = view_.lastLayer = 2;
  EXPECT_OK(musaCreateTextureObject(&other, &layers, &texture_, &view_));
  view_.lastLayer = 3;
  EXPECT_ERROR(musaErrorInvalidValue, musaCreateTextureObject(&other, &layers, &texture_, &view_));
}

TEST_F(Textures, musaCreateTextureObject_refuses_seamless_cubes) {
  const musaChannelFormatDesc bytes{8, 0, 0, 0, musaChannelFormatKindUnsigned};
  musaTextureObject_t other = 0;
  ASSERT_OK(musaMalloc3DArray(&resource_.res.array.array, &bytes, {8, 8, 6}, musaArrayCubemap));
  texture_.seamlessCubemap = 1;
  EXPECT_ERROR(musaErrorNotSupported,
               musaCreateTextureObject(&other, &resource_, &texture_, nullptr));
}

TEST_F(Textures, AreEachTheirOwn) {
  musaTextureObject_t other = 0;
  ASSERT_OK(musaCreateTextureObject(&other, &resource_, &texture_, nullptr));
  EXPECT_NE(object_, other);
  EXPECT_OK(musaDestroyTextureObject(other));
  EXPECT_ERROR(musaErrorInvalidValue, musaDestroyTextureObject(0));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetTextureObjectResourceDesc(nullptr, object_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetTextureObjectTextureDesc(nullptr, object_));
  EXPECT_ERROR(musaErrorInvalidValue, musaGetTextureObjectResourceViewDesc(nullptr, object_));
}

TEST_F(Textures, musaDeviceReset_ends_them) {
  EXPECT_OK(musaDeviceReset());
  EXPECT_ERROR(musaErrorInvalidValue, musaDestroyTextureObject(object_));
}

}  // namespace
