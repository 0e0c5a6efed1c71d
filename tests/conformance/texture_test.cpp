// Texture objects: what they are made of, and what the documentation of cudaCreateTextureObject
// requires of it.
#include "tests/conformance/support.h"

namespace {

constexpr size_t kWidth = 64;
constexpr size_t kHeight = 8;
constexpr size_t kBytes = sizeof(float) * kWidth * kHeight;
const cudaChannelFormatDesc kFloats = {32, 0, 0, 0, cudaChannelFormatKindFloat};

int attribute(cudaDeviceAttr name) {
  int value = 0;
  EXPECT_OK(cudaDeviceGetAttribute(&value, name, 0));
  return value;
}

class Textures : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(cudaMallocArray(&array_, &kFloats, kWidth, kHeight, 0));
    ASSERT_OK(cudaMallocMipmappedArray(&levels_, &kFloats, {kWidth, kHeight, 0}, 2, 0));
    texture_.addressMode[0] = cudaAddressModeClamp;
    texture_.maxAnisotropy = 3;
  }
  void TearDown() override {
    EXPECT_OK(cudaFreeArray(array_));
    EXPECT_OK(cudaFreeMipmappedArray(levels_));
  }
  cudaResourceDesc of_array() const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    return resource;
  }
  cudaResourceDesc of_levels() const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = levels_;
    return resource;
  }
  cudaResourceDesc of_line() const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory_;
    resource.res.linear.desc = kFloats;
    resource.res.linear.sizeInBytes = kBytes;
    return resource;
  }
  cudaResourceDesc of_plane() const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory_;
    resource.res.pitch2D.desc = kFloats;
    resource.res.pitch2D.width = kWidth;
    resource.res.pitch2D.height = kHeight;
    resource.res.pitch2D.pitchInBytes = sizeof(float) * kWidth;
    return resource;
  }
  void expect_made(const cudaResourceDesc& resource) {
    cudaTextureObject_t made = 0;
    ASSERT_OK(cudaCreateTextureObject(&made, &resource, &texture_, nullptr));
    cudaResourceDesc told{};
    EXPECT_OK(cudaGetTextureObjectResourceDesc(&told, made));
    EXPECT_EQ(resource.resType, told.resType);
    EXPECT_EQ(resource.res.linear.devPtr, told.res.linear.devPtr);
    EXPECT_OK(cudaDestroyTextureObject(made));
  }
  void expect_refused(const cudaResourceDesc& resource,
                      const cudaResourceViewDesc* view = nullptr) {
    cudaTextureObject_t made = 0;
    EXPECT_ERROR(cudaErrorInvalidValue, cudaCreateTextureObject(&made, &resource, &texture_, view));
  }
  // `spoil` makes a good resource bad.
  template <typename Spoil>
  void refuses(cudaResourceDesc resource, Spoil spoil) {
    spoil(resource);
    expect_refused(resource);
  }

  Buffer memory_{2 * kBytes};
  cudaArray_t array_ = nullptr;
  cudaMipmappedArray_t levels_ = nullptr;
  cudaTextureDesc texture_{};
};

TEST_F(Textures, cudaCreateTextureObject_of_arrays) {
  expect_made(of_array());
  texture_.normalizedCoords = 1;
  expect_made(of_levels());
}

TEST_F(Textures, cudaCreateTextureObject_of_linear_memory) {
  expect_made(of_line());
  expect_made(of_plane());
}

TEST_F(Textures, cudaCreateTextureObject_needs_its_arguments) {
  cudaTextureObject_t made = 0;
  const auto resource = of_array();
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaCreateTextureObject(nullptr, &resource, &texture_, nullptr));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaCreateTextureObject(&made, nullptr, &texture_, nullptr));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaCreateTextureObject(&made, &resource, nullptr, nullptr));
}

TEST_F(Textures, cudaCreateTextureObject_needs_a_valid_array) {
  refuses(of_array(), [](auto& bad) { bad.res.array.array = nullptr; });
  refuses(of_array(),
          [](auto& bad) { bad.res.array.array = reinterpret_cast<cudaArray_t>(not_an_object); });
  refuses(of_array(), [](auto& bad) { bad.resType = static_cast<cudaResourceType>(99); });
}

TEST_F(Textures, cudaCreateTextureObject_of_levels_needs_normalized_coordinates) {
  expect_refused(of_levels());
  texture_.normalizedCoords = 1;
  refuses(of_levels(), [](auto& bad) { bad.res.mipmap.mipmap = nullptr; });
}

TEST_F(Textures, cudaCreateTextureObject_of_linear_memory_checks_it) {
  refuses(of_line(), [](auto& bad) { bad.res.linear.devPtr = nullptr; });
  refuses(of_line(), [](auto& bad) { bad.res.linear.sizeInBytes = 0; });
  refuses(of_line(), [](auto& bad) { bad.res.linear.sizeInBytes = 2 * kBytes + 1; });
  refuses(of_line(), [](auto& bad) { bad.res.linear.desc.x = 7; });
  refuses(of_line(), [](auto& bad) {
    bad.res.linear.devPtr = static_cast<char*>(bad.res.linear.devPtr) + sizeof(float);
  });
  void* freed = nullptr;
  ASSERT_OK(cudaMalloc(&freed, kBytes));
  ASSERT_OK(cudaFree(freed));
  refuses(of_line(), [&](auto& bad) { bad.res.linear.devPtr = freed; });
}

TEST_F(Textures, cudaCreateTextureObject_of_a_plane_checks_it) {
  refuses(of_plane(), [](auto& bad) { bad.res.pitch2D.devPtr = nullptr; });
  refuses(of_plane(), [](auto& bad) { bad.res.pitch2D.height = 2 * kHeight + 1; });
  refuses(of_plane(), [](auto& bad) { bad.res.pitch2D.pitchInBytes += 1; });
  refuses(of_plane(), [](auto& bad) { bad.res.pitch2D.pitchInBytes /= 2; });
  refuses(of_plane(), [](auto& bad) {
    bad.res.pitch2D.devPtr = static_cast<char*>(bad.res.pitch2D.devPtr) + sizeof(float);
  });
  const auto beyond = [](cudaDeviceAttr name) { return static_cast<size_t>(attribute(name)) + 1; };
  refuses(of_plane(),
          [&](auto& bad) { bad.res.pitch2D.width = beyond(cudaDevAttrMaxTexture2DLinearWidth); });
  refuses(of_plane(),
          [&](auto& bad) { bad.res.pitch2D.height = beyond(cudaDevAttrMaxTexture2DLinearHeight); });
}

TEST_F(Textures, cudaCreateTextureObject_refuses_modes_that_there_are_not) {
  const auto good = texture_;
  texture_.addressMode[2] = static_cast<cudaTextureAddressMode>(9);
  expect_refused(of_array());
  texture_ = good;
  texture_.filterMode = static_cast<cudaTextureFilterMode>(9);
  expect_refused(of_array());
  texture_ = good;
  texture_.readMode = static_cast<cudaTextureReadMode>(9);
  expect_refused(of_array());
}

TEST_F(Textures, cudaCreateTextureObject_views_arrays_alone) {
  cudaResourceViewDesc view{};
  view.format = cudaResViewFormatFloat1;
  expect_refused(of_line(), &view);
  expect_refused(of_plane(), &view);
  view.format = static_cast<cudaResourceViewFormat>(99);
  expect_refused(of_array(), &view);
}

TEST_F(Textures, cudaGetTextureObjectTextureDesc_says_what_it_was_made_with) {
  cudaTextureObject_t made = 0;
  const auto resource = of_line();
  ASSERT_OK(cudaCreateTextureObject(&made, &resource, &texture_, nullptr));
  cudaTextureDesc told{};
  EXPECT_OK(cudaGetTextureObjectTextureDesc(&told, made));
  EXPECT_EQ(cudaAddressModeClamp, told.addressMode[0]);
  EXPECT_EQ(3u, told.maxAnisotropy);
  EXPECT_OK(cudaDestroyTextureObject(made));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&told, made));
}

TEST_F(Textures, cudaGetTextureObjectResourceDesc_refuses_bad_arguments) {
  cudaResourceDesc told{};
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(&told, 12345));
}

TEST_F(Textures, cudaGetTextureObjectResourceViewDesc_only_where_there_is_one) {
  cudaTextureObject_t plain = 0;
  cudaTextureObject_t viewed = 0;
  const auto resource = of_array();
  cudaResourceViewDesc view{};
  view.format = cudaResViewFormatFloat1;
  view.width = kWidth;
  view.height = kHeight;
  ASSERT_OK(cudaCreateTextureObject(&plain, &resource, &texture_, nullptr));
  ASSERT_OK(cudaCreateTextureObject(&viewed, &resource, &texture_, &view));
  cudaResourceViewDesc told{};
  EXPECT_OK(cudaGetTextureObjectResourceViewDesc(&told, viewed));
  EXPECT_EQ(cudaResViewFormatFloat1, told.format);
  EXPECT_EQ(kWidth, told.width);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetTextureObjectResourceViewDesc(&told, plain));
  EXPECT_OK(cudaDestroyTextureObject(plain));
  EXPECT_OK(cudaDestroyTextureObject(viewed));
}

TEST_F(Textures, cudaDestroyTextureObject_only_once) {
  cudaTextureObject_t made = 0;
  const auto resource = of_array();
  ASSERT_OK(cudaCreateTextureObject(&made, &resource, &texture_, nullptr));
  EXPECT_OK(cudaDestroyTextureObject(made));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDestroyTextureObject(made));
}

}  // namespace
