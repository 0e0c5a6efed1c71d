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

TEST_F(Textures, musaCreateTextureObject_makes_a_new_one) {
  musaTextureObject_t other = 0;
  ASSERT_OK(musaCreateTextureObject(&other, &resource_, &texture_, nullptr));
  EXPECT_NE(object_, other);
  EXPECT_OK(musaDestroyTextureObject(other));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaCreateTextureObject(nullptr, &resource_, &texture_, nullptr));
}

TEST_F(Textures, musaDestroyTextureObject_only_once) {
  EXPECT_OK(musaDestroyTextureObject(object_));
  EXPECT_ERROR(musaErrorInvalidValue, musaDestroyTextureObject(object_));
  EXPECT_ERROR(musaErrorInvalidValue, musaDestroyTextureObject(0));
}

TEST_F(Textures, musaGetTextureObjectResourceDesc_gives_it_back) {
  musaResourceDesc told{};
  EXPECT_OK(musaGetTextureObjectResourceDesc(&told, object_));
  EXPECT_EQ(resource_.res.array.array, told.res.array.array);
  EXPECT_ERROR(musaErrorInvalidValue, musaGetTextureObjectResourceDesc(nullptr, object_));
}

TEST_F(Textures, musaGetTextureObjectTextureDesc_gives_it_back) {
  musaTextureDesc told{};
  EXPECT_OK(musaGetTextureObjectTextureDesc(&told, object_));
  EXPECT_EQ(5u, told.maxAnisotropy);
  EXPECT_ERROR(musaErrorInvalidValue, musaGetTextureObjectTextureDesc(nullptr, object_));
}

TEST_F(Textures, musaGetTextureObjectResourceViewDesc_gives_it_back) {
  musaResourceViewDesc told{};
  EXPECT_OK(musaGetTextureObjectResourceViewDesc(&told, object_));
  EXPECT_EQ(8u, told.width);
  EXPECT_ERROR(musaErrorInvalidValue, musaGetTextureObjectResourceViewDesc(nullptr, object_));
}

TEST_F(Textures, musaDeviceReset_ends_them) {
  EXPECT_OK(musaDeviceReset());
  EXPECT_ERROR(musaErrorInvalidValue, musaDestroyTextureObject(object_));
}

}  // namespace
