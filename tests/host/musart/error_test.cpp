#include <thread>

#include "tests/host/musart/support.h"

namespace {

TEST(Error, NameAndTextOfEveryKindOfCode) {
  EXPECT_STREQ("musaSuccess", musaGetErrorName(musaSuccess));
  EXPECT_STREQ("no error", musaGetErrorString(musaSuccess));
  EXPECT_STREQ("musaErrorMtlinkUncorrectable", musaGetErrorName(static_cast<musaError_t>(220)));
  EXPECT_STREQ("musaErrorMusartUnloading", musaGetErrorName(static_cast<musaError_t>(4)));
  EXPECT_STREQ("musaErrorApiFailureBase", musaGetErrorName(static_cast<musaError_t>(10000)));
  EXPECT_STREQ("out of memory", musaGetErrorString(musaErrorMemoryAllocation));
}

TEST(Error, UnknownCodesHaveATextToo) {
  for (const int code : {-1, 10, 221 + 4, 9999, 10001, 1 << 30}) {
    EXPECT_STREQ("unrecognized error code", musaGetErrorName(static_cast<musaError_t>(code)));
    EXPECT_STREQ("unrecognized error code", musaGetErrorString(static_cast<musaError_t>(code)));
  }
}

TEST(Error, StaysUntilRead) {
  EXPECT_EQ(musaErrorInvalidValue, musaGetDeviceCount(nullptr));
  int count = 0;
  EXPECT_OK(musaGetDeviceCount(&count));
  EXPECT_EQ(musaErrorInvalidValue, musaPeekAtLastError());
  EXPECT_EQ(musaErrorInvalidDevice, musaSetDevice(-1));
  EXPECT_EQ(musaErrorInvalidDevice, musaGetLastError());
  EXPECT_EQ(musaSuccess, musaGetLastError());
}

TEST(Error, BelongsToItsThread) {
  EXPECT_EQ(musaErrorInvalidValue, musaGetDeviceCount(nullptr));
  std::thread([] { EXPECT_EQ(musaSuccess, musaPeekAtLastError()); }).join();
  EXPECT_EQ(musaErrorInvalidValue, musaGetLastError());
}

TEST(Error, NotReadyIsNotRemembered) {
  Barrier barrier;
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreate(&stream));
  barrier.hold(stream);
  EXPECT_EQ(musaErrorNotReady, musaStreamQuery(stream));
  EXPECT_EQ(musaSuccess, musaPeekAtLastError());
  barrier.open();
  EXPECT_OK(musaStreamSynchronize(stream));
  EXPECT_OK(musaStreamDestroy(stream));
}

TEST(Version, MajorMinorPatch) {
  int version = 0;
  EXPECT_OK(musaRuntimeGetVersion(&version));
  EXPECT_EQ(50200, version);
  version = 0;
  EXPECT_OK(musaDriverGetVersion(&version));
  EXPECT_EQ(50200, version);
  EXPECT_ERROR(musaErrorInvalidValue, musaRuntimeGetVersion(nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaDriverGetVersion(nullptr));
}

}  // namespace
