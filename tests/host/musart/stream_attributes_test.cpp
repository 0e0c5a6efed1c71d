#include "tests/host/musart/support.h"

namespace {

class StreamAttributes : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(musaStreamCreateWithPriority(&stream_, 0, -1)); }
  void TearDown() override { EXPECT_OK(musaStreamDestroy(stream_)); }
  musaLaunchAttributeValue read(musaLaunchAttributeID id) {
    musaLaunchAttributeValue value{};
    EXPECT_OK(musaStreamGetAttribute(stream_, id, &value));
    return value;
  }
  musaStream_t stream_ = nullptr;
  musaLaunchAttributeValue value_{};
  int nothing_ = 0;
  musaStream_t bad_ = reinterpret_cast<musaStream_t>(&nothing_);
};

TEST_F(StreamAttributes, musaStreamGetAttribute_starts_with_the_usual) {
  EXPECT_EQ(musaSyncPolicyAuto, read(musaLaunchAttributeSynchronizationPolicy).syncPolicy);
  EXPECT_EQ(-1, read(musaLaunchAttributePriority).priority);
  EXPECT_EQ(0u, read(musaLaunchAttributeAccessPolicyWindow).accessPolicyWindow.num_bytes);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamGetAttribute(stream_, musaLaunchAttributeCooperative, &value_));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamGetAttribute(stream_, musaLaunchAttributePriority, nullptr));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaStreamGetAttribute(bad_, musaLaunchAttributePriority, &value_));
}

TEST_F(StreamAttributes, musaStreamSetAttribute_is_checked_and_kept) {
  value_.syncPolicy = musaSyncPolicyBlockingSync;
  ASSERT_OK(musaStreamSetAttribute(stream_, musaLaunchAttributeSynchronizationPolicy, &value_));
  EXPECT_EQ(musaSyncPolicyBlockingSync, read(musaLaunchAttributeSynchronizationPolicy).syncPolicy);
  value_.syncPolicy = static_cast<musaSynchronizationPolicy>(5);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamSetAttribute(stream_, musaLaunchAttributeSynchronizationPolicy, &value_));

  musaLaunchAttributeValue window{};
  window.accessPolicyWindow.hitRatio = 0.5F;
  window.accessPolicyWindow.hitProp = musaAccessPropertyPersisting;
  window.accessPolicyWindow.missProp = musaAccessPropertyStreaming;
  ASSERT_OK(musaStreamSetAttribute(stream_, musaLaunchAttributeAccessPolicyWindow, &window));
  EXPECT_EQ(0.5F, read(musaLaunchAttributeAccessPolicyWindow).accessPolicyWindow.hitRatio);
  window.accessPolicyWindow.hitRatio = 1.5F;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamSetAttribute(stream_, musaLaunchAttributeAccessPolicyWindow, &window));
  window.accessPolicyWindow.hitRatio = 1;
  window.accessPolicyWindow.num_bytes = 1;  // the device has no such window
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamSetAttribute(stream_, musaLaunchAttributeAccessPolicyWindow, &window));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamSetAttribute(stream_, musaLaunchAttributePriority, &value_));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaStreamSetAttribute(stream_, musaLaunchAttributeAccessPolicyWindow, nullptr));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               musaStreamSetAttribute(bad_, musaLaunchAttributeAccessPolicyWindow, &window));
}

TEST_F(StreamAttributes, musaStreamCopyAttributes_takes_those_of_the_other) {
  musaStream_t other = nullptr;
  ASSERT_OK(musaStreamCreate(&other));
  value_.syncPolicy = musaSyncPolicySpin;
  ASSERT_OK(musaStreamSetAttribute(other, musaLaunchAttributeSynchronizationPolicy, &value_));
  ASSERT_OK(musaStreamCopyAttributes(stream_, other));
  EXPECT_EQ(musaSyncPolicySpin, read(musaLaunchAttributeSynchronizationPolicy).syncPolicy);
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamCopyAttributes(stream_, bad_));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamCopyAttributes(bad_, stream_));
  EXPECT_OK(musaStreamDestroy(other));
}

}  // namespace
