// Surface objects, where the conformance tests do not say it; tests/kernels/programs/surfaces.cu
// uses them.
#include "tests/host/musart/support.h"

namespace {

class Surfaces : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(
        musaMallocArray(&resource_.res.array.array, &kBytes, 8, 8, musaArraySurfaceLoadStore));
    ASSERT_OK(musaCreateSurfaceObject(&object_, &resource_));
  }
  static constexpr musaChannelFormatDesc kBytes{8, 0, 0, 0, musaChannelFormatKindUnsigned};
  musaResourceDesc resource_{};
  musaSurfaceObject_t object_ = 0;
};

TEST_F(Surfaces, musaCreateSurfaceObject_needs_an_array_that_was_made_for_it) {
  musaSurfaceObject_t other = 0;
  musaResourceDesc bad = resource_;
  ASSERT_OK(musaMallocArray(&bad.res.array.array, &kBytes, 8, 8));
  EXPECT_ERROR(musaErrorInvalidValue, musaCreateSurfaceObject(&other, &bad));
  EXPECT_OK(musaFreeArray(bad.res.array.array));
}

TEST_F(Surfaces, musaDestroyTextureObject_does_not_take_them) {
  EXPECT_ERROR(musaErrorInvalidValue, musaGetSurfaceObjectResourceDesc(nullptr, object_));
  EXPECT_ERROR(musaErrorInvalidValue, musaDestroyTextureObject(object_));
  EXPECT_OK(musaDestroySurfaceObject(object_));
  EXPECT_OK(musaDestroySurfaceObject(0));
}

TEST_F(Surfaces, musaDeviceReset_ends_them) {
  EXPECT_OK(musaDeviceReset());
  EXPECT_ERROR(musaErrorInvalidValue, musaDestroySurfaceObject(object_));
}

}  // namespace
