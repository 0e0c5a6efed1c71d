// What the conformance tests of managed memory do not say.
#include "tests/host/musart/support.h"

namespace {

class Managed : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(musaMallocManaged(&memory_, kSize)); }
  void TearDown() override { EXPECT_OK(musaFree(memory_)); }
  int read(musaMemRangeAttribute attribute) {
    int value = -99;
    EXPECT_OK(musaMemRangeGetAttribute(&value, sizeof(value), attribute, memory_, kSize));
    return value;
  }
  static constexpr size_t kSize = 8192;
  void* memory_ = nullptr;
};

TEST_F(Managed, AdviceCanBeReadBack) {
  EXPECT_EQ(0, read(musaMemRangeAttributeReadMostly));
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseSetReadMostly, 0));
  EXPECT_EQ(1, read(musaMemRangeAttributeReadMostly));
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseUnsetReadMostly, 0));
  EXPECT_EQ(0, read(musaMemRangeAttributeReadMostly));

  EXPECT_EQ(musaInvalidDeviceId, read(musaMemRangeAttributePreferredLocation));
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseSetPreferredLocation, 0));
  EXPECT_EQ(0, read(musaMemRangeAttributePreferredLocation));
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseUnsetPreferredLocation, 99));
  EXPECT_EQ(musaInvalidDeviceId, read(musaMemRangeAttributePreferredLocation));

  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseSetAccessedBy, musaCpuDeviceId));
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseSetAccessedBy, 0));
  int devices[3] = {};
  EXPECT_OK(musaMemRangeGetAttribute(devices, sizeof(devices), musaMemRangeAttributeAccessedBy,
                                     memory_, kSize));
  EXPECT_EQ(musaCpuDeviceId, devices[0]);
  EXPECT_EQ(0, devices[1]);
  EXPECT_EQ(musaInvalidDeviceId, devices[2]);
  EXPECT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseUnsetAccessedBy, musaCpuDeviceId));
  EXPECT_EQ(0, read(musaMemRangeAttributeAccessedBy));

  EXPECT_EQ(musaInvalidDeviceId, read(musaMemRangeAttributeLastPrefetchLocation));
  EXPECT_OK(musaMemPrefetchAsync(memory_, kSize, musaCpuDeviceId));
  EXPECT_EQ(musaCpuDeviceId, read(musaMemRangeAttributeLastPrefetchLocation));
}

TEST_F(Managed, BadArguments) {
  void* other = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaMallocManaged(&other, 1, musaMemAttachSingle));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPrefetchAsync(memory_, kSize + 1, 0));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaMemPrefetchAsync(memory_, kSize, 0, reinterpret_cast<musaStream_t>(&other)));
  char small = 0;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttribute(&small, 1, musaMemRangeAttributeAccessedBy, memory_, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaStreamAttachMemAsync(nullptr, memory_));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaStreamAttachMemAsync(reinterpret_cast<musaStream_t>(&other), memory_));
}

TEST_F(Managed, musaMemRangeGetAttributes_tells_locations_and_several_at_once) {
  EXPECT_EQ(musaMemLocationTypeInvalid, read(musaMemRangeAttributePreferredLocationType));
  ASSERT_OK(musaMemAdvise(memory_, kSize, musaMemAdviseSetPreferredLocation, 0));
  EXPECT_EQ(musaMemLocationTypeDevice, read(musaMemRangeAttributePreferredLocationType));
  EXPECT_EQ(0, read(musaMemRangeAttributePreferredLocationId));
  ASSERT_OK(musaMemAdvise_v2(memory_, kSize, musaMemAdviseSetPreferredLocation,
                             {musaMemLocationTypeHost, 0}));
  EXPECT_EQ(musaMemLocationTypeHost, read(musaMemRangeAttributePreferredLocationType));
  ASSERT_OK(musaMemPrefetchAsync(memory_, kSize, musaCpuDeviceId, nullptr));
  EXPECT_EQ(musaCpuDeviceId, read(musaMemRangeAttributeLastPrefetchLocationId));
  ASSERT_OK(musaMemPrefetchAsync_v2(memory_, kSize, {musaMemLocationTypeDevice, 0}, 0, nullptr));
  EXPECT_EQ(0, read(musaMemRangeAttributeLastPrefetchLocationId));
  EXPECT_EQ(musaMemLocationTypeDevice, read(musaMemRangeAttributeLastPrefetchLocationType));

  int preferred = 99;
  int prefetched = 99;
  void* data[] = {&preferred, &prefetched};
  size_t sizes[] = {sizeof(int), sizeof(int)};
  musaMemRangeAttribute wanted[] = {musaMemRangeAttributePreferredLocation,
                                    musaMemRangeAttributeLastPrefetchLocation};
  ASSERT_OK(musaMemRangeGetAttributes(data, sizes, wanted, 2, memory_, kSize));
  EXPECT_EQ(musaCpuDeviceId, preferred);
  EXPECT_EQ(0, prefetched);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttributes(data, sizes, wanted, 0, memory_, kSize));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttributes(nullptr, sizes, wanted, 2, memory_, kSize));
  sizes[1] = 2;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttributes(data, sizes, wanted, 2, memory_, kSize));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPrefetchAsync_v2(memory_, kSize, {musaMemLocationTypeDevice, 0}, 1, nullptr));
  EXPECT_ERROR(
      musaErrorInvalidValue,
      musaMemPrefetchAsync_v2(memory_, kSize, {musaMemLocationTypeInvalid, 0}, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDevice,
               musaMemPrefetchAsync_v2(memory_, kSize, {musaMemLocationTypeDevice, 7}, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDevice,
               musaMemAdvise_v2(memory_, kSize, musaMemAdviseSetPreferredLocation,
                                {musaMemLocationTypeDevice, 7}));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemAdvise_v2(memory_, kSize, musaMemAdviseSetPreferredLocation,
                                {musaMemLocationTypeInvalid, 0}));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemAdvise(memory_, kSize + 1, musaMemAdviseSetPreferredLocation, 0));
}

}  // namespace
