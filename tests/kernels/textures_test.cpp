#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "musa_runtime.h"
#include "tests/kernels/launched_programs.h"

namespace {

class Textures : public Programs {
 protected:
  // A plane of 8 by 4 floats: x + 10 y.
  void SetUp() override {
    Programs::SetUp();
    const musaChannelFormatDesc floats{32, 0, 0, 0, musaChannelFormatKindFloat};
    EXPECT_EQ(musaMallocArray(&resource_.res.array.array, &floats, 8, 4, musaArraySurfaceLoadStore),
              musaSuccess);
    std::vector<float> values;
    for (int i = 0; i < 32; ++i) values.push_back(static_cast<float>(i % 8 + i / 8 * 10));
    EXPECT_EQ(musaMemcpy2DToArray(resource_.res.array.array, 0, 0, values.data(), 32, 32, 4,
                                  musaMemcpyHostToDevice),
              musaSuccess);
    how_.addressMode[0] = how_.addressMode[1] = musaAddressModeClamp;
    how_.filterMode = musaFilterModeLinear;
  }
  musaTextureObject_t texture() const {
    musaTextureObject_t made = 0;
    EXPECT_EQ(musaCreateTextureObject(&made, &resource_, &how_, nullptr), musaSuccess);
    return made;
  }
  musaSurfaceObject_t surface() const {
    musaSurfaceObject_t made = 0;
    EXPECT_EQ(musaCreateSurfaceObject(&made, &resource_), musaSuccess);
    return made;
  }
  static MUdeviceptr places() {
    struct Place {
      float x, y, z = 0, w = 0;
    };
    return upload(std::vector<Place>{{2.5F, 1.5F}, {3, 2}, {-5, 2}, {7.75F, 9}});
  }
  void read(musaTextureObject_t texture, MUdeviceptr out, MUdeviceptr at) {
    launch("_Z11read_texelsIfLi2EEvPT_yPK6float4i", {1}, {4}, 0, out, texture, at, 4);
  }
  void expect_read(MUdeviceptr out) {
    EXPECT_EQ(download<float>(out, 4), (std::vector<float>{12, 17.5, 15, 37}));
  }
  // The kernel fails, and the line ends in this.
  void expect_failure(musaTextureObject_t texture, MUresult status, const std::string& why) {
    load("textures");
    const MUdeviceptr out = allocate(16);
    const MUdeviceptr at = places();
    testing::internal::CaptureStderr();
    read(texture, out, at);
    EXPECT_EQ(muCtxSynchronize(), status);
    EXPECT_NE(testing::internal::GetCapturedStderr().find(": " + why), std::string::npos);
  }

  musaResourceDesc resource_{};
  musaTextureDesc how_{};
};

TEST_F(Textures, are_read) {
  load("textures");
  const musaTextureObject_t object = texture();
  const MUdeviceptr out = allocate(16);
  read(object, out, places());
  expect_read(out);
  EXPECT_EQ(musaDestroyTextureObject(object), musaSuccess);
}

TEST_F(Textures, surfaces_are_written) {
  load("surfaces");
  const musaSurfaceObject_t object = surface();
  launch("_Z10add_placesILi2ELb0EEvyii", {1}, {8, 8}, 0, object, 8, 4);
  EXPECT_EQ(musaDestroySurfaceObject(object), musaSuccess);
  std::vector<int> values(32);
  EXPECT_EQ(musaMemcpy2DFromArray(values.data(), 32, resource_.res.array.array, 0, 0, 32, 4,
                                  musaMemcpyDeviceToHost),
            musaSuccess);
  const float last = 37;
  int bits = 0;
  std::memcpy(&bits, &last, sizeof bits);
  EXPECT_EQ(values[31], bits + 10 * (7 + 10 * 3));
}

TEST_F(Textures, a_destroyed_one_is_an_illegal_address) {
  const musaTextureObject_t object = texture();
  EXPECT_EQ(musaDestroyTextureObject(object), musaSuccess);
  EXPECT_NE(texture(), object);
  expect_failure(object, MUSA_ERROR_ILLEGAL_ADDRESS, "illegal address 0x");
}

TEST_F(Textures, a_surface_is_none) {
  expect_failure(surface(), MUSA_ERROR_LAUNCH_FAILED, "it reads no texture object\n");
}

TEST_F(Textures, memory_is_none) {
  expect_failure(allocate(64), MUSA_ERROR_LAUNCH_FAILED, "it reads no texture object\n");
}

TEST_F(Textures, surfaces_end_where_the_array_ends) {
  load("surfaces");
  testing::internal::CaptureStderr();
  launch("_Z10add_placesILi2ELb0EEvyii", {1}, {9, 1}, 0, surface(), 9, 4);
  EXPECT_EQ(muCtxSynchronize(), MUSA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "torchada host: kernel _Z10add_placesILi2ELb0EEvyii: block (0, 0, 0), thread (8, 0, "
            "0): it reads or writes outside of a surface\n");
}

TEST_F(Textures, are_not_destroyed_while_a_kernel_may_read_them) {
  load("textures");
  const musaTextureObject_t object = texture();
  const MUdeviceptr out = allocate(16);
  const MUdeviceptr at = places();
  EXPECT_MU(muStreamCreate(&stream_, MU_STREAM_NON_BLOCKING));
  std::atomic<bool> released{false};
  EXPECT_MU(muLaunchHostFunc(
      stream_,
      [](void* flag) {
        while (!static_cast<std::atomic<bool>*>(flag)->load()) std::this_thread::yield();
      },
      &released));
  read(object, out, at);
  std::thread destroyer([&] { EXPECT_EQ(musaDestroyTextureObject(object), musaSuccess); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  released = true;
  destroyer.join();
  EXPECT_MU(muStreamSynchronize(stream_));
  expect_read(out);
}

}  // namespace
