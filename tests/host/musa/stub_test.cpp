// lib/stubs/libmusa.so: for linkers only.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/host/shared/library.h"

namespace {

constexpr int kStubLibrary = 34;

TEST(LinkStub, HasTheNamesAndTheSonameOfTheDriver) {
  EXPECT_EQ(host_tests::exported_symbols(STUB_FILE), host_tests::exported_symbols(LIBRARY_FILE));
  EXPECT_EQ(host_tests::dynamic_entries(STUB_FILE, "SONAME"),
            host_tests::dynamic_entries(LIBRARY_FILE, "SONAME"));
}

TEST(LinkStub, RefusesEveryCallAndSaysSoOnce) {
  void* const stub = dlopen(STUB_FILE, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(stub, nullptr) << dlerror();
  const auto version = reinterpret_cast<int (*)(int*)>(dlsym(stub, "muDriverGetVersion"));
  ASSERT_NE(version, nullptr);
  int value = -1;
  testing::internal::CaptureStderr();
  EXPECT_EQ(version(&value), kStubLibrary);
  EXPECT_EQ(version(&value), kStubLibrary);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(value, -1);
  EXPECT_NE(said.find("muDriverGetVersion"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  dlclose(stub);
}

}  // namespace
