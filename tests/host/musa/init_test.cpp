// What works before muInit, and the texts of statuses.
#include "tests/host/musa/support.h"

namespace {

TEST(DriverInit, muInit_takes_no_flags) {
  EXPECT_EQ(muInit(1), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muInit(0));
}

TEST(DriverInit, muGetErrorName_and_muGetErrorString_know_the_statuses) {
  const char* text = nullptr;
  EXPECT_MU(muGetErrorName(MUSA_ERROR_NOT_INITIALIZED, &text));
  EXPECT_STREQ(text, "MUSA_ERROR_NOT_INITIALIZED");
  EXPECT_MU(muGetErrorString(MUSA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT_STREQ(text, "out of memory");
  for (const int code : {0, 34, 100, 209, 720, 809, 912, 999}) {
    EXPECT_MU(muGetErrorName(static_cast<MUresult>(code), &text)) << code;
    EXPECT_EQ(std::string(text).rfind("MUSA_", 0), 0U) << text;
    EXPECT_MU(muGetErrorString(static_cast<MUresult>(code), &text)) << code;
  }
  for (const int code : {9, 33, 203, 913, 1000}) {
    text = "left";
    EXPECT_EQ(muGetErrorName(static_cast<MUresult>(code), &text), MUSA_ERROR_INVALID_VALUE);
    EXPECT_EQ(text, nullptr) << code;
    text = "left";
    EXPECT_EQ(muGetErrorString(static_cast<MUresult>(code), &text), MUSA_ERROR_INVALID_VALUE);
    EXPECT_EQ(text, nullptr) << code;
  }
  EXPECT_EQ(muGetErrorName(MUSA_SUCCESS, nullptr), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muGetErrorString(MUSA_SUCCESS, nullptr), MUSA_ERROR_INVALID_VALUE);
}

TEST(DriverInit, muGetProcAddress_gives_the_newest_version_of_a_name) {
  void* found = nullptr;
  EXPECT_MU(muGetProcAddress("muMemAlloc", &found, 30100, MU_GET_PROC_ADDRESS_DEFAULT));
  EXPECT_EQ(found, reinterpret_cast<void*>(&muMemAlloc_v2));
  EXPECT_MU(muGetProcAddress("muInit", &found, 30100, MU_GET_PROC_ADDRESS_LEGACY_STREAM));
  EXPECT_EQ(found, reinterpret_cast<void*>(&muInit));
  for (const char* name : {"muNothing", "malloc", "musaMalloc", ""}) {
    EXPECT_EQ(muGetProcAddress(name, &found, 30100, 0), MUSA_ERROR_NOT_FOUND) << name;
    EXPECT_EQ(found, nullptr) << name;
  }
  EXPECT_EQ(muGetProcAddress("muInit", &found, 30100, 2), MUSA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(muGetProcAddress("muInit", &found, 30100, 3), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muGetProcAddress(nullptr, &found, 30100, 0), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muGetProcAddress("muInit", nullptr, 30100, 0), MUSA_ERROR_INVALID_VALUE);
}

}  // namespace
