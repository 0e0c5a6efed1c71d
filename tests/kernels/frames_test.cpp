// Kernels whose threads have frames or stacks of their own.
#include <dlfcn.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "src/host/kernels/include/torchada_image.h"
#include "tests/kernels/launched_programs.h"
#include "tests/kernels/programs/expected.h"

namespace {

class Frames : public Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    load("frames");
    out_ = upload(repeat(96, 0));
  }
  // Whether the image says that the kernel's threads have frames.
  static bool has_frames(const char* kernel) {
    void* const image = dlopen(image_of("frames").c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto* const all = static_cast<const torchada_image*>(dlsym(image, "torchada_image"));
    const auto* const found = std::find_if(all->kernels, all->kernels_end, [&](const auto* each) {
      return std::string_view(each->name) == kernel;
    });
    const bool starts = (*found)->start != nullptr;
    EXPECT_EQ(starts, (*found)->run == nullptr);
    dlclose(image);
    return starts;
  }
  std::string fail(MUresult error, const char* kernel, int thread = 0) {
    EXPECT_TRUE(has_frames(kernel));
    testing::internal::CaptureStderr();
    launch(kernel, {1}, {96}, 0, out_, thread);
    EXPECT_EQ(muCtxSynchronize(), error);
    return testing::internal::GetCapturedStderr();
  }
  MUdeviceptr out_ = 0;
};

TEST_F(Frames, keep_what_threads_have) {
  EXPECT_TRUE(has_frames("_Z4keepPii"));
  const MUdeviceptr out = upload(repeat(288, 0));
  launch("_Z4keepPii", {3}, {96}, 0, out, 6);
  for (int block = 0; block < 3; ++block) {
    EXPECT_EQ(download<int>(out + block * 384, 96), kept(96, 6));
  }
}

TEST_F(Frames, of_threads_that_spin) {
  EXPECT_TRUE(has_frames("_Z6followPi"));
  launch("_Z6followPi", {1}, {96}, 0, out_);
  std::vector<int> expected(96);
  std::iota(expected.begin(), expected.end(), 7);
  EXPECT_EQ(download<int>(out_, 96), expected);
}

TEST_F(Frames, of_threads_in_three_dimensions) {
  EXPECT_TRUE(has_frames("_Z4stayPi"));
  launch("_Z4stayPi", {2}, {8, 4, 3}, 0, out_);
  std::vector<int> expected(96);
  for (int t = 0; t < 96; ++t) expected[t] = t % 8 + t / 8 % 4 * 100 + t / 32 * 10000;
  EXPECT_EQ(download<int>(out_, 96), expected);
}

TEST_F(Frames, of_threads_that_end_early_and_write_to_a_parameter) {
  struct Values {
    int of[8];
  };
  EXPECT_TRUE(has_frames("_Z5leavePi6Values"));
  launch("_Z5leavePi6Values", {2}, {96}, 0, out_, Values{{0, 1, 2, 3, 4, 5, 6, 7}});
  std::vector<int> expected(96);
  for (int t = 0; t < 96; ++t) expected[t] = left(t);
  EXPECT_EQ(download<int>(out_, 96), expected);
}

TEST_F(Frames, and_stacks_where_another_function_waits) {
  EXPECT_FALSE(has_frames("_Z7descendPi"));
  launch("_Z7descendPi", {1}, {96}, 0, out_);
  std::vector<int> expected(96);
  for (int t = 0; t < 96; ++t) expected[t] = 40 + t % 4 + t;
  EXPECT_EQ(download<int>(out_, 96), expected);
}

TEST_F(Frames, and_stacks_where_a_kernel_asks_for_them) {
  EXPECT_FALSE(has_frames("_Z3askPi"));
  launch("_Z3askPi", {1}, {96}, 0, out_);
  std::vector<int> expected(96);
  std::iota(expected.begin(), expected.end(), 2);
  EXPECT_EQ(download<int>(out_, 96), expected);
}

TEST_F(Frames, and_stacks_where_a_variable_is_aligned_widely) {
  EXPECT_FALSE(has_frames("_Z5widenPi"));
  launch("_Z5widenPi", {1}, {96}, 0, out_);
  std::vector<int> expected(96);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(download<int>(out_, 96), expected);
}

TEST_F(Frames, of_a_thread_that_fails_while_others_wait) {
  EXPECT_NE(fail(MUSA_ERROR_LAUNCH_FAILED, "_Z4failPii", 7).find("thread (7, 0, 0): trap\n"),
            std::string::npos);
  // After a reset all is forgotten.
  EXPECT_MU(muDevicePrimaryCtxReset_v2(0));
  ASSERT_MU(muDevicePrimaryCtxRetain(&context_, 0));
  load("frames");
  const MUdeviceptr out = upload(repeat(96, 0));
  launch("_Z4keepPii", {1}, {96}, 0, out, 6);
  EXPECT_EQ(download<int>(out, 96), kept(96, 6));
  EXPECT_MU(muDevicePrimaryCtxRelease_v2(0));
}

TEST_F(Frames, of_threads_that_wait_for_each_other) {
  EXPECT_NE(fail(MUSA_ERROR_LAUNCH_FAILED, "_Z4failPii", -1).find("wait for each other"),
            std::string::npos);
}

TEST_F(Frames, of_an_illegal_address) {
  EXPECT_NE(fail(MUSA_ERROR_ILLEGAL_ADDRESS, "_Z4failPii", -2).find("illegal address 0x1000"),
            std::string::npos);
}

TEST_F(Frames, of_a_kernel_that_never_returns) {
  EXPECT_NE(fail(MUSA_ERROR_LAUNCH_FAILED, "_Z3endv").find(": trap\n"), std::string::npos);
}

TEST_F(Frames, are_no_larger_than_stacks) {
  EXPECT_NE(fail(MUSA_ERROR_LAUNCH_FAILED, "_Z4growPi").find("64 KiB of stack"), std::string::npos);
}

}  // namespace
