// Surface objects: arrays that kernels may write.
#include "tests/conformance/support.h"

namespace {

class Surfaces : public testing::Test {
 protected:
  void SetUp() override {
    const cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    ASSERT_OK(
        cudaMallocArray(&resource_.res.array.array, &floats, 8, 4, cudaArraySurfaceLoadStore));
    resource_.resType = cudaResourceTypeArray;
    ASSERT_OK(cudaCreateSurfaceObject(&object_, &resource_));
  }
  void TearDown() override { EXPECT_OK(cudaFreeArray(resource_.res.array.array)); }

  cudaResourceDesc resource_{};
  cudaSurfaceObject_t object_ = 0;
};

TEST_F(Surfaces, cudaCreateSurfaceObject_makes_a_new_one) {
  cudaSurfaceObject_t other = 0;
  ASSERT_OK(cudaCreateSurfaceObject(&other, &resource_));
  EXPECT_NE(object_, other);
  EXPECT_OK(cudaDestroySurfaceObject(other));
}

TEST_F(Surfaces, cudaCreateSurfaceObject_needs_an_array) {
  cudaSurfaceObject_t made = 0;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaCreateSurfaceObject(nullptr, &resource_));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaCreateSurfaceObject(&made, nullptr));
  auto bad = resource_;
  bad.res.array.array = nullptr;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaCreateSurfaceObject(&made, &bad));
  bad = resource_;
  bad.resType = cudaResourceTypeLinear;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaCreateSurfaceObject(&made, &bad));
}

TEST_F(Surfaces, cudaCreateSurfaceObject_takes_a_level_without_the_flag) {
  const cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaMipmappedArray_t all = nullptr;
  ASSERT_OK(cudaMallocMipmappedArray(&all, &floats, {8, 4, 0}, 2, 0));
  auto level = resource_;
  ASSERT_OK(cudaGetMipmappedArrayLevel(&level.res.array.array, all, 1));
  cudaSurfaceObject_t made = 0;
  ASSERT_OK(cudaCreateSurfaceObject(&made, &level));
  EXPECT_OK(cudaDestroySurfaceObject(made));
  EXPECT_OK(cudaFreeMipmappedArray(all));
}

TEST_F(Surfaces, cudaGetSurfaceObjectResourceDesc_says_what_it_was_made_of) {
  cudaResourceDesc told{};
  EXPECT_OK(cudaGetSurfaceObjectResourceDesc(&told, object_));
  EXPECT_EQ(cudaResourceTypeArray, told.resType);
  EXPECT_EQ(resource_.res.array.array, told.res.array.array);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetSurfaceObjectResourceDesc(&told, 12345));
}

TEST_F(Surfaces, cudaDestroySurfaceObject_only_once) {
  EXPECT_OK(cudaDestroySurfaceObject(object_));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDestroySurfaceObject(object_));
}

}  // namespace
