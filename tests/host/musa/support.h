// The machine that the tests of the driver expect: two devices with 1 GiB each.
#pragma once

#include <gtest/gtest.h>
#include <musa.h>
#include <musa_runtime_api.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#define EXPECT_MU(call) EXPECT_EQ(MUSA_SUCCESS, (call))
#define ASSERT_MU(call) ASSERT_EQ(MUSA_SUCCESS, (call))

inline std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Each test gets the primary context of device 0 as the only one on its stack.
class DriverTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TORCHADA_HOST_DEVICES", "2", 1);
    setenv("TORCHADA_HOST_MEMORY", "1G", 1);
    setenv("TORCHADA_HOST_ACCOUNT", "none", 1);
    ASSERT_MU(muInit(0));
    ASSERT_MU(muDevicePrimaryCtxRetain(&context_, 0));
    ASSERT_MU(muCtxPushCurrent_v2(context_));
  }
  void TearDown() override {
    MUcontext popped = nullptr;
    while (muCtxPopCurrent_v2(&popped) == MUSA_SUCCESS) continue;
    EXPECT_MU(muDevicePrimaryCtxRelease_v2(0));
  }

  static MUdeviceptr allocate(size_t size) {
    MUdeviceptr memory = 0;
    EXPECT_MU(muMemAlloc_v2(&memory, size));
    return memory;
  }
  static std::string read(MUdeviceptr from, size_t size) {
    std::string text(size, '?');
    EXPECT_MU(muMemcpyDtoH_v2(text.data(), from, size));
    return text;
  }

  MUcontext context_ = nullptr;
};
