// The line that names code that cannot run.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "tests/device_code/registering.h"

extern "C" char __cudaInitModule(void** handle);

namespace {

class Lines : public testing::Test {
 protected:
  static std::string said_by_launching(const void* kernel) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(kNoImage, launch(kernel));
    return testing::internal::GetCapturedStderr();
  }
};

// Each process prints a limited number of lines, so ctest runs each of these tests in its own
// process.
TEST_F(Lines, NameTheKernelOnce) {
  char kernel = 0;
  const Module module;
  module.kernel(&kernel, "_Z3addPfS_");
  const std::string said = said_by_launching(&kernel);
  EXPECT_NE(std::string::npos,
            said.find("cudaLaunchKernel is not supported: kernel add(float*, float*) has no MUSA "
                      "image: make one from its source (torchada kernels build) and start the "
                      "program with torchada run --kernels=IMAGE; returning "
                      "cudaErrorNoKernelImageForDevice (209)\n"))
      << said;
  EXPECT_EQ("", said_by_launching(&kernel));
}

TEST_F(Lines, NameTheVariable) {
  char variable = 0;
  const Module module;
  module.variable(&variable, "table", 4);
  void* address = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(kNoImage, cudaGetSymbolAddress(&address, &variable));
  EXPECT_NE(std::string::npos,
            testing::internal::GetCapturedStderr().find(
                "cudaGetSymbolAddress is not supported: device variable table "));
}

// nvcc's code calls this just before the host uses a managed variable.
TEST_F(Lines, NameManagedVariables) {
  void* pointers[2] = {};
  const Module module, without;
  for (int i = 0; i < 2; ++i) {
    __cudaRegisterManagedVar(module.handle(), &pointers[i], nullptr, i == 0 ? "first" : "next", 0,
                             4, 0, 0);
  }
  char variable = 0;
  without.variable(&variable, "table", 4);
  testing::internal::CaptureStderr();
  EXPECT_EQ(1, __cudaInitModule(without.handle()));
  EXPECT_EQ("", testing::internal::GetCapturedStderr());
  testing::internal::CaptureStderr();
  EXPECT_EQ(1, __cudaInitModule(module.handle()));
  EXPECT_EQ(1, __cudaInitModule(module.handle()));
  const std::string said = testing::internal::GetCapturedStderr();
  for (const char* const name : {"first", "next"}) {
    const std::string line = std::string("__cudaInitModule is not supported: managed variable ") +
                             name +
                             " has no memory on MUSA; the program fails where its host code uses "
                             "it\n";
    EXPECT_NE(std::string::npos, said.find(line)) << said;
    EXPECT_EQ(said.find(line), said.rfind(line)) << "told twice";
  }
  EXPECT_EQ(nullptr, pointers[0]);
}

TEST_F(Lines, LongNamesKeepTheEnd) {
  char kernel = 0;
  const std::string name(5000, 'x');
  const Module module;
  module.kernel(&kernel, name.c_str());
  const std::string said = said_by_launching(&kernel);
  EXPECT_LT(said.size(), 1100u);
  EXPECT_NE(std::string::npos, said.find("xxx... has no MUSA image")) << said;
  EXPECT_NE(std::string::npos, said.find("(209)\n")) << said;
}

TEST_F(Lines, EndAfterThirtyTwo) {
  std::vector<char> kernels(100);
  const Module module;
  for (char& kernel : kernels) module.kernel(&kernel, "_Z4manyv");
  testing::internal::CaptureStderr();
  for (char& kernel : kernels) EXPECT_EQ(kNoImage, launch(&kernel));
  const std::string said = testing::internal::GetCapturedStderr();
  std::size_t lines = 0;
  for (const char c : said) lines += c == '\n';
  EXPECT_EQ(32u, lines);
  const std::size_t end = said.find("; further kernels and variables are not reported; returning");
  ASSERT_NE(std::string::npos, end) << said;
  EXPECT_EQ(said.find('\n', end), said.size() - 1) << "the note is on another line";
}

TEST_F(Lines, StrictModeStopsAtTheLaunch) {
  char kernel = 0;
  const Module module;
  module.kernel(&kernel, "_Z6strictv");
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        setenv("TORCHADA_STRICT", "1", 1);
        static_cast<void>(launch(&kernel));
      },
      "kernel strict\\(\\) has no MUSA image");
}

}  // namespace
