#include "tests/host/musart/support.h"

namespace {

TEST(Error, musaGetErrorName_and_musaGetErrorString_of_every_kind_of_code) {
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

TEST(Version, musaRuntimeGetVersion_and_musaDriverGetVersion_are_major_minor_patch) {
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
