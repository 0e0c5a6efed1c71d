#include "tests/host/musart/child.h"
#include "tests/host/musart/support.h"

namespace {

void notified(musaAsyncNotificationInfo_t*, void*, musaAsyncCallbackHandle_t) {}

TEST(DeviceNotices, musaDeviceRegisterAsyncNotification_gives_a_handle) {
  musaAsyncCallbackHandle_t handle = nullptr;
  ASSERT_OK(musaDeviceRegisterAsyncNotification(0, notified, nullptr, &handle));
  ASSERT_NE(nullptr, handle);
  EXPECT_OK(musaDeviceUnregisterAsyncNotification(0, handle));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaDeviceRegisterAsyncNotification(0, nullptr, nullptr, &handle));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaDeviceRegisterAsyncNotification(0, notified, nullptr, nullptr));
  EXPECT_ERROR(musaErrorInvalidDevice,
               musaDeviceRegisterAsyncNotification(1, notified, nullptr, &handle));
}

TEST(DeviceNotices, musaDeviceUnregisterAsyncNotification_ends_the_handle) {
  musaAsyncCallbackHandle_t handle = nullptr;
  ASSERT_OK(musaDeviceRegisterAsyncNotification(0, notified, nullptr, &handle));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceUnregisterAsyncNotification(1, handle));
  EXPECT_OK(musaDeviceUnregisterAsyncNotification(0, handle));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceUnregisterAsyncNotification(0, handle));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceUnregisterAsyncNotification(0, nullptr));
}

TEST(DeviceNotices, musaDeviceFlushGPUDirectRDMAWrites_is_not_supported) {
  EXPECT_ERROR(musaErrorNotSupported,
               musaDeviceFlushGPUDirectRDMAWrites(musaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                                  musaFlushGPUDirectRDMAWritesToOwner));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceFlushGPUDirectRDMAWrites(
                                          musaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                          static_cast<musaFlushGPUDirectRDMAWritesScope>(1)));
}

TEST(DeviceNotices, musaDeviceGetTexture1DLinearMaxWidth_agrees_with_the_properties) {
  const auto bytes = musaCreateChannelDesc(8, 0, 0, 0, musaChannelFormatKindUnsigned);
  musaDeviceProp prop{};
  size_t width = 99;
  ASSERT_OK(musaGetDeviceProperties(&prop, 0));
  ASSERT_OK(musaDeviceGetTexture1DLinearMaxWidth(&width, &bytes, 0));
  EXPECT_EQ(static_cast<size_t>(prop.maxTexture1DLinear), width);
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetTexture1DLinearMaxWidth(nullptr, &bytes, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetTexture1DLinearMaxWidth(&width, nullptr, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceGetTexture1DLinearMaxWidth(&width, &bytes, 1));
}

// These do nothing, but return an error if the runtime is unusable.
TEST(DeviceNotices, musaCtxResetPersistingL2Cache_needs_a_runtime) {
  EXPECT_OK(musaCtxResetPersistingL2Cache());
  EXPECT_EQ(
      0, in_child([] { return musaCtxResetPersistingL2Cache() == musaErrorInitializationError; }));
}

TEST(DeviceNotices, musaProfilerStart_needs_a_runtime) {
  EXPECT_OK(musaProfilerStart());
  EXPECT_EQ(0, in_child([] { return musaProfilerStart() == musaErrorInitializationError; }));
}

TEST(DeviceNotices, musaProfilerStop_needs_a_runtime) {
  EXPECT_OK(musaProfilerStop());
  EXPECT_EQ(0, in_child([] { return musaProfilerStop() == musaErrorInitializationError; }));
}

}  // namespace
