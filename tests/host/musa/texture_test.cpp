// Texture and surface objects by the driver's descriptions. tests/kernels reads and writes them.
#include <cstring>

#include "tests/host/musa/support.h"

namespace {

class DriverTexture : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    const MUSA_ARRAY3D_DESCRIPTOR wanted{
        8, 4, 0, MU_AD_FORMAT_SIGNED_INT16, 2, musaArraySurfaceLoadStore};
    MUarray array = nullptr;
    ASSERT_MU(muArray3DCreate_v2(&array, &wanted));
    resource_.res.array.hArray = array;
  }
  void TearDown() override {
    EXPECT_MU(muArrayDestroy(resource_.res.array.hArray));
    DriverTest::TearDown();
  }

  MUSA_RESOURCE_DESC resource_{};
  MUSA_TEXTURE_DESC texture_{};
};

TEST_F(DriverTexture, muTexObjectCreate_muTexObjectGetResourceDesc_muTexObjectDestroy) {
  MUtexObject object = 0;
  ASSERT_MU(muTexObjectCreate(&object, &resource_, &texture_, nullptr));
  MUSA_RESOURCE_DESC told{};
  EXPECT_MU(muTexObjectGetResourceDesc(&told, object));
  EXPECT_EQ(std::memcmp(&told, &resource_, sizeof told), 0);
  EXPECT_EQ(muTexObjectGetResourceDesc(nullptr, object), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muTexObjectDestroy(object));
  EXPECT_EQ(muTexObjectDestroy(object), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTexture, muTexObjectGetTextureDesc_and_muTexObjectGetResourceViewDesc) {
  texture_.borderColor[3] = 7;
  MUSA_RESOURCE_VIEW_DESC view{};
  view.format = MU_RES_VIEW_FORMAT_UINT_1X32;
  view.depth = 9;
  MUtexObject object = 0;
  ASSERT_MU(muTexObjectCreate(&object, &resource_, &texture_, &view));
  MUSA_TEXTURE_DESC told{};
  EXPECT_MU(muTexObjectGetTextureDesc(&told, object));
  EXPECT_EQ(std::memcmp(&told, &texture_, sizeof told), 0);
  EXPECT_EQ(muTexObjectGetTextureDesc(nullptr, object), MUSA_ERROR_INVALID_VALUE);
  MUSA_RESOURCE_VIEW_DESC seen{};
  EXPECT_MU(muTexObjectGetResourceViewDesc(&seen, object));
  EXPECT_EQ(std::memcmp(&seen, &view, sizeof seen), 0);
  EXPECT_EQ(muTexObjectGetResourceViewDesc(nullptr, object), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muTexObjectDestroy(object));
}

TEST_F(DriverTexture, muSurfObjectCreate_muSurfObjectGetResourceDesc_muSurfObjectDestroy) {
  MUsurfObject object = 0;
  ASSERT_MU(muSurfObjectCreate(&object, &resource_));
  MUSA_RESOURCE_DESC told{};
  EXPECT_MU(muSurfObjectGetResourceDesc(&told, object));
  EXPECT_EQ(std::memcmp(&told, &resource_, sizeof told), 0);
  EXPECT_EQ(muSurfObjectGetResourceDesc(nullptr, object), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muSurfObjectDestroy(object));
  EXPECT_EQ(muSurfObjectDestroy(object), MUSA_ERROR_INVALID_VALUE);
}

}  // namespace
