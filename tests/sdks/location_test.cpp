// Advice and prefetching by location: CUDA 12 has these functions with a suffix, CUDA 13 under the
// plain name. SDK 3.1 takes devices instead.
#include "tests/sdks/sdk.h"

#if CUDA_MAJOR >= 12

#if CUDA_MAJOR == 12
#define V2(name) name##_v2
#else
#define V2(name) name
#endif

namespace {

constexpr size_t kSize = 1 << 16;

class Locations : public testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(cudaMallocManaged(&memory_, kSize, cudaMemAttachGlobal)); }
  void TearDown() override { EXPECT_OK(cudaFree(memory_)); }
  int told(cudaMemRangeAttribute which) {
    int value = 77;
    EXPECT_OK(cudaMemRangeGetAttribute(&value, sizeof value, which, memory_, kSize));
    return value;
  }
  void* memory_ = nullptr;
};

cudaMemLocation of_type(int type) {
  cudaMemLocation made{};
  made.type = static_cast<cudaMemLocationType>(type);
  return made;
}

TEST_F(Locations, cudaMemAdvise_takes_devices_and_the_host) {
  const auto preferred = cudaMemAdviseSetPreferredLocation;
  EXPECT_OK(V2(cudaMemAdvise)(memory_, kSize, preferred, location(1)));
  EXPECT_EQ(1, told(cudaMemRangeAttributePreferredLocation));
  EXPECT_OK(V2(cudaMemAdvise)(memory_, kSize, preferred, location(cudaCpuDeviceId)));
  EXPECT_EQ(cudaCpuDeviceId, told(cudaMemRangeAttributePreferredLocation));
  // Advice that needs no location accepts any.
  EXPECT_OK(V2(cudaMemAdvise)(memory_, kSize, cudaMemAdviseSetReadMostly, of_type(0)));
  EXPECT_EQ(1, told(cudaMemRangeAttributeReadMostly));
  EXPECT_OK(V2(cudaMemAdvise)(memory_, kSize, cudaMemAdviseUnsetPreferredLocation, of_type(0)));
  EXPECT_EQ(cudaInvalidDeviceId, told(cudaMemRangeAttributePreferredLocation));
}

TEST_F(Locations, cudaMemAdvise_refuses_what_is_no_location) {
  const auto preferred = cudaMemAdviseSetPreferredLocation;
  EXPECT_ERROR(cudaErrorInvalidValue, V2(cudaMemAdvise)(memory_, kSize, preferred, of_type(0)));
  EXPECT_ERROR(cudaErrorInvalidValue, V2(cudaMemAdvise)(memory_, kSize, preferred, of_type(99)));
  if (sdk() < 40200) {
    EXPECT_ERROR(cudaErrorNotSupported, V2(cudaMemAdvise)(memory_, kSize, preferred, of_type(3)));
  }
  EXPECT_EQ(cudaInvalidDeviceId, told(cudaMemRangeAttributePreferredLocation));
}

TEST_F(Locations, cudaMemPrefetchAsync_takes_devices_and_the_host) {
  for (const int where : {0, 1, cudaCpuDeviceId}) {
    EXPECT_OK(V2(cudaMemPrefetchAsync)(memory_, kSize, location(where), 0, nullptr));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_EQ(where, told(cudaMemRangeAttributeLastPrefetchLocation));
  }
  EXPECT_ERROR(cudaErrorInvalidValue,
               V2(cudaMemPrefetchAsync)(memory_, kSize, of_type(0), 0, nullptr));
  EXPECT_ERROR(cudaErrorInvalidValue,
               V2(cudaMemPrefetchAsync)(memory_, kSize, location(0), 1, nullptr));
}

}  // namespace
#endif
