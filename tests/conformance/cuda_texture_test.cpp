// Texture and surface objects of the driver: what they are made of, and what kernels read in them.
// The kernels are those of tests/kernels/programs.
#include <array>

#include "tests/conformance/cuda_driver.h"

namespace {

constexpr unsigned CUDA_ARRAY3D_SURFACE_LDST = 2;
constexpr unsigned CU_TRSF_READ_AS_INTEGER = 1;
constexpr unsigned CU_TRSF_NORMALIZED_COORDINATES = 2;
constexpr unsigned CU_TRSF_SRGB = 0x10;
constexpr unsigned CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION = 0x20;

constexpr size_t kWidth = 8;
constexpr size_t kHeight = 4;
constexpr size_t kRow = kWidth * sizeof(float);
constexpr const char* kReadFloats = "_Z11read_texelsIfLi2EEvPT_yPK6float4i";
constexpr const char* kReadBytes = "_Z11read_texelsI6uchar1Li2EEvPT_yPK6float4i";

class DriverTextures : public Driver {
 protected:
  // An array with x + 10 y, and memory with the same.
  void SetUp() override {
    Driver::SetUp();
    CUDA_ARRAY3D_DESCRIPTOR box{};
    box.Width = kWidth;
    box.Height = kHeight;
    box.Format = CU_AD_FORMAT_FLOAT;
    box.NumChannels = 1;
    box.Flags = CUDA_ARRAY3D_SURFACE_LDST;
    ASSERT_CU(cuArray3DCreate_v2(&array_, &box));
    ASSERT_CU(cuMipmappedArrayCreate(&levels_, &box, 2));
    std::vector<float> values;
    for (size_t i = 0; i < kWidth * kHeight; ++i) {
      values.push_back(static_cast<float>(i % kWidth + i / kWidth * 10));
    }
    ASSERT_OK(cudaMemcpy(memory_, values.data(), kRow * kHeight, cudaMemcpyHostToDevice));
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = values.data();
    copy.srcPitch = copy.WidthInBytes = kRow;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array_;
    copy.Height = kHeight;
    ASSERT_CU(cuMemcpy2D_v2(&copy));
    texture_.addressMode[0] = texture_.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
    texture_.filterMode = CU_TR_FILTER_MODE_LINEAR;
  }
  void TearDown() override {
    EXPECT_CU(cuArrayDestroy(array_));
    EXPECT_CU(cuMipmappedArrayDestroy(levels_));
    Driver::TearDown();
  }
  CUDA_RESOURCE_DESC of_array() const {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array_;
    return resource;
  }
  CUDA_RESOURCE_DESC of_levels() const {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = levels_;
    return resource;
  }
  CUDA_RESOURCE_DESC of_line() const {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = address_of(memory_);
    resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT16;
    resource.res.linear.numChannels = 4;
    resource.res.linear.sizeInBytes = kRow;
    return resource;
  }
  CUDA_RESOURCE_DESC of_plane(CUarray_format format = CU_AD_FORMAT_FLOAT) const {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D.devPtr = address_of(memory_);
    resource.res.pitch2D.format = format;
    resource.res.pitch2D.numChannels = 1;
    resource.res.pitch2D.width = kWidth;
    resource.res.pitch2D.height = kHeight;
    resource.res.pitch2D.pitchInBytes = kRow;
    return resource;
  }
  CUtexObject made(const CUDA_RESOURCE_DESC& resource) const {
    CUtexObject object = 0;
    EXPECT_CU(cuTexObjectCreate(&object, &resource, &texture_, nullptr));
    return object;
  }
  void expect_refused(const CUDA_RESOURCE_DESC& resource) {
    CUtexObject object = 0;
    EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, &texture_, nullptr));
  }
  CUfunction function(const char* image, const char* name) {
    EXPECT_CU(cuModuleLoad(&module_, (std::string(IMAGES) + image).c_str()));
    CUfunction found = nullptr;
    EXPECT_CU(cuModuleGetFunction(&found, module_, name));
    return found;
  }
  // What the kernel reads at four places.
  template <typename T>
  std::vector<T> read(CUtexObject object, const char* kernel) {
    struct Place {
      float x, y, z, w;
    };
    const std::array<Place, 4> places{
        {{2.5F, 1.5F, 0, 0}, {3, 2, 0, 0}, {-5, 2, 0, 0}, {7.75F, 9, 0, 0}}};
    const Buffer at(sizeof places);
    const Buffer out(places.size() * sizeof(T));
    EXPECT_OK(cudaMemcpy(at, places.data(), sizeof places, cudaMemcpyHostToDevice));
    void* to = out;
    void* from = at;
    int count = places.size();
    std::array<void*, 4> arguments{&to, &object, &from, &count};
    EXPECT_CU(cuLaunchKernel(function("textures.image", kernel), 1, 1, 1, 4, 1, 1, 0, nullptr,
                             arguments.data(), nullptr));
    std::vector<T> values(places.size());
    EXPECT_OK(cudaMemcpy(values.data(), out, values.size() * sizeof(T), cudaMemcpyDeviceToHost));
    EXPECT_CU(cuModuleUnload(module_));
    return values;
  }

  Buffer memory_{kRow * kHeight};
  CUarray array_ = nullptr;
  CUmipmappedArray levels_ = nullptr;
  CUmodule module_ = nullptr;
  CUDA_TEXTURE_DESC texture_{};
};

TEST_F(DriverTextures, cuTexObjectCreate_makes_what_kernels_read) {
  NEEDS_IMAGES();
  for (const auto& resource : {of_array(), of_plane()}) {
    const CUtexObject object = made(resource);
    EXPECT_EQ((std::vector<float>{12, 17.5, 15, 37}), read<float>(object, kReadFloats));
    EXPECT_CU(cuTexObjectDestroy(object));
  }
}

// Integers of 8 and 16 bits are read as floats up to 1, unless a flag says otherwise.
TEST_F(DriverTextures, cuTexObjectCreate_makes_small_integers_floats_unless_told) {
  NEEDS_IMAGES();
  constexpr unsigned char kSeven = 7;
  EXPECT_OK(cudaMemset(memory_, kSeven, kRow * kHeight));
  texture_.filterMode = CU_TR_FILTER_MODE_POINT;
  const auto resource = of_plane(CU_AD_FORMAT_UNSIGNED_INT8);
  const CUtexObject floats = made(resource);
  EXPECT_EQ(std::vector<float>(4, kSeven / 255.0F), read<float>(floats, kReadFloats));
  texture_.flags = CU_TRSF_READ_AS_INTEGER;
  const CUtexObject integers = made(resource);
  EXPECT_EQ(std::vector<unsigned char>(4, kSeven), read<unsigned char>(integers, kReadBytes));
  EXPECT_CU(cuTexObjectDestroy(floats));
  EXPECT_CU(cuTexObjectDestroy(integers));
}

TEST_F(DriverTextures, cuTexObjectCreate_needs_its_arguments) {
  CUtexObject object = 0;
  const auto resource = of_array();
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(nullptr, &resource, &texture_, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, nullptr, &texture_, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, nullptr, nullptr));
}

TEST_F(DriverTextures, cuTexObjectCreate_refuses_what_there_is_not) {
  auto bad = of_array();
  bad.res.array.hArray = reinterpret_cast<CUarray>(not_an_object);
  expect_refused(bad);
  bad = of_array();
  bad.flags = 1;
  expect_refused(bad);
  bad = of_array();
  bad.resType = static_cast<CUresourcetype>(9);
  expect_refused(bad);
  bad = of_plane();
  bad.res.pitch2D.numChannels = 3;
  expect_refused(bad);
  bad = of_line();
  bad.res.linear.sizeInBytes = 0;
  expect_refused(bad);
  expect_refused(of_levels());  // Their coordinates must be normalized.
  texture_.flags = 0x1000;
  expect_refused(of_array());
}

TEST_F(DriverTextures, cuTexObjectGetResourceDesc_says_what_it_was_made_of) {
  texture_.flags = CU_TRSF_NORMALIZED_COORDINATES;
  for (const auto& resource : {of_array(), of_levels(), of_line(), of_plane()}) {
    const CUtexObject object = made(resource);
    CUDA_RESOURCE_DESC told;
    std::memset(&told, 0xee, sizeof told);
    EXPECT_CU(cuTexObjectGetResourceDesc(&told, object));
    EXPECT_EQ(0, std::memcmp(&told.res, &resource.res, sizeof told.res)) << resource.resType;
    EXPECT_EQ(resource.resType, told.resType);
    EXPECT_EQ(0U, told.flags);
    EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetResourceDesc(nullptr, object));
    EXPECT_CU(cuTexObjectDestroy(object));
    EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetResourceDesc(&told, object));
  }
}

TEST_F(DriverTextures, cuTexObjectGetTextureDesc_says_what_it_was_made_with) {
  texture_.addressMode[2] = CU_TR_ADDRESS_MODE_MIRROR;
  texture_.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
  texture_.maxAnisotropy = 3;
  texture_.mipmapLevelBias = 0.5F;
  texture_.minMipmapLevelClamp = 0.25F;
  texture_.maxMipmapLevelClamp = 0.75F;
  for (int i = 0; i < 4; ++i) texture_.borderColor[i] = static_cast<float>(i);
  for (const unsigned flags : {CU_TRSF_READ_AS_INTEGER, CU_TRSF_NORMALIZED_COORDINATES,
                               CU_TRSF_SRGB, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION, 0U}) {
    texture_.flags = flags;
    const CUtexObject object = made(of_array());
    CUDA_TEXTURE_DESC told;
    std::memset(&told, 0xee, sizeof told);
    EXPECT_CU(cuTexObjectGetTextureDesc(&told, object));
    EXPECT_EQ(0, std::memcmp(&told, &texture_, sizeof told)) << flags;
    EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetTextureDesc(nullptr, object));
    EXPECT_CU(cuTexObjectDestroy(object));
  }
}

TEST_F(DriverTextures, cuTexObjectGetResourceViewDesc_only_where_there_is_one) {
  CUDA_RESOURCE_VIEW_DESC view{};
  view.format = CU_RES_VIEW_FORMAT_UINT_1X32;
  view.width = kWidth;
  view.height = kHeight;
  texture_.filterMode = CU_TR_FILTER_MODE_POINT;
  const auto resource = of_array();
  CUtexObject viewed = 0;
  ASSERT_CU(cuTexObjectCreate(&viewed, &resource, &texture_, &view));
  CUDA_RESOURCE_VIEW_DESC told;
  std::memset(&told, 0xee, sizeof told);
  EXPECT_CU(cuTexObjectGetResourceViewDesc(&told, viewed));
  EXPECT_EQ(0, std::memcmp(&told, &view, sizeof told));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetResourceViewDesc(nullptr, viewed));
  const CUtexObject plain = made(resource);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetResourceViewDesc(&told, plain));
  EXPECT_CU(cuTexObjectDestroy(viewed));
  EXPECT_CU(cuTexObjectDestroy(plain));
}

TEST_F(DriverTextures, cuTexObjectDestroy_only_once) {
  const CUtexObject object = made(of_array());
  EXPECT_CU(cuTexObjectDestroy(object));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(object));
}

// The object is of both: the runtime says what the driver was told.
TEST_F(DriverTextures, cuTexObjectCreate_makes_an_object_of_the_runtime_too) {
  const CUtexObject object = made(of_plane());
  cudaResourceDesc told{};
  EXPECT_OK(cudaGetTextureObjectResourceDesc(&told, object));
  EXPECT_EQ(cudaResourceTypePitch2D, told.resType);
  EXPECT_EQ(32, told.res.pitch2D.desc.x);
  EXPECT_EQ(cudaChannelFormatKindFloat, told.res.pitch2D.desc.f);
  EXPECT_OK(cudaDestroyTextureObject(object));
}

TEST_F(DriverTextures, cuSurfObjectCreate_makes_what_kernels_write) {
  NEEDS_IMAGES();
  CUsurfObject object = 0;
  const auto resource = of_array();
  ASSERT_CU(cuSurfObjectCreate(&object, &resource));
  int width = kWidth;
  int height = kHeight;
  std::array<void*, 3> arguments{&object, &width, &height};
  EXPECT_CU(cuLaunchKernel(function("surfaces.image", "_Z10add_placesILi2ELb0EEvyii"), 1, 1, 1,
                           kWidth, kHeight, 1, 0, nullptr, arguments.data(), nullptr));
  EXPECT_CU(cuSurfObjectDestroy(object));
  EXPECT_CU(cuModuleUnload(module_));
  std::vector<int> values(kWidth * kHeight);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array_;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = values.data();
  copy.dstPitch = copy.WidthInBytes = kRow;
  copy.Height = kHeight;
  EXPECT_CU(cuMemcpy2D_v2(&copy));
  const float last = 37;
  int bits = 0;
  std::memcpy(&bits, &last, sizeof bits);
  EXPECT_EQ(bits + 10 * (7 + 10 * 3), values.back());
}

TEST_F(DriverTextures, cuSurfObjectCreate_needs_an_array) {
  CUsurfObject object = 0;
  const auto array = of_array();
  const auto plane = of_plane();
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(nullptr, &array));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(&object, nullptr));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(&object, &plane));
}

TEST_F(DriverTextures, cuSurfObjectGetResourceDesc_says_what_it_was_made_of) {
  CUsurfObject object = 0;
  const auto resource = of_array();
  ASSERT_CU(cuSurfObjectCreate(&object, &resource));
  CUDA_RESOURCE_DESC told{};
  EXPECT_CU(cuSurfObjectGetResourceDesc(&told, object));
  EXPECT_EQ(CU_RESOURCE_TYPE_ARRAY, told.resType);
  EXPECT_EQ(array_, told.res.array.hArray);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuSurfObjectGetResourceDesc(nullptr, object));
  EXPECT_CU(cuSurfObjectDestroy(object));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuSurfObjectGetResourceDesc(&told, object));
}

TEST_F(DriverTextures, cuSurfObjectDestroy_only_once) {
  CUsurfObject object = 0;
  const auto resource = of_array();
  ASSERT_CU(cuSurfObjectCreate(&object, &resource));
  EXPECT_CU(cuSurfObjectDestroy(object));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuSurfObjectDestroy(object));
}

}  // namespace
