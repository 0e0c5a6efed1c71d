// What TORCHADA_KERNELS may hold, and what is said about it.
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/kernel_libraries/program.h"

namespace {

namespace files = std::filesystem;

class Lists : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    char name[] = "/tmp/torchada-kernels-XXXXXX";
    ASSERT_NE(nullptr, mkdtemp(name));
    folder_ = name;
  }
  void TearDown() override { files::remove_all(folder_); }

  std::string folder_;
};

TEST_F(Lists, FoldersAreInTheOrderOfNames) {
  files::copy(SECOND_IMAGE, folder_ + "/a");
  files::copy(FIRST_IMAGE, folder_ + "/b");
  files::create_symlink(FIRST_IMAGE, folder_ + "/c");
  files::create_directory(folder_ + "/d");
  std::ofstream(folder_ + "/.hidden") << "not an image";
  use(folder_);
  testing::internal::CaptureStderr();
  const Buffer data(sizeof(int));
  EXPECT_OK(start(&add, data.bytes(), 1));
  EXPECT_EQ(100, read_int(data)) << "the first by name";
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::string::npos, said.find(".hidden")) << said;
  EXPECT_NE(std::string::npos, said.find(folder_ + "/a, which is used, and in " + folder_ + "/b"))
      << said;
}

TEST_F(Lists, WhatIsMissingIsLeftOut) {
  use("/nonexistent/x.so::" FIRST_IMAGE ":");
  testing::internal::CaptureStderr();
  const Buffer data(sizeof(int));
  EXPECT_OK(start(&add, data.bytes(), 1));
  EXPECT_OK(start(&add, data.bytes(), 1));
  EXPECT_EQ(2, read_int(data));
  const std::string said = testing::internal::GetCapturedStderr();
  const std::string line =
      "TORCHADA_KERNELS: /nonexistent/x.so: no such file or folder; it is left out\n";
  EXPECT_NE(std::string::npos, said.find(line)) << said;
  EXPECT_EQ(said.find(line), said.rfind(line)) << "told twice";
}

TEST_F(Lists, WhatMusaCannotLoadIsLeftOut) {
  std::ofstream(folder_ + "/broken") << "not an image";
  use(folder_ + "/broken:" FIRST_IMAGE);
  testing::internal::CaptureStderr();
  const Buffer data(sizeof(int));
  EXPECT_OK(start(&add, data.bytes(), 1));
  EXPECT_EQ(1, read_int(data));
  EXPECT_EQ(61, result_of(&hidden));
  const std::string said = testing::internal::GetCapturedStderr();
  const std::string start_of_line =
      folder_ + "/broken: MUSA cannot load this kernel library: MUSA_ERROR_";
  EXPECT_NE(std::string::npos, said.find(start_of_line)) << said;
  EXPECT_EQ(said.find(start_of_line), said.rfind(start_of_line)) << "told twice";
}

TEST_F(Lists, NothingUsefulIsARefusal) {
  use("/nonexistent/x.so");
  testing::internal::CaptureStderr();
  EXPECT_ERROR(kNoImage, start(&add, nullptr, 1));
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStderr().find(
                                   "kernel add(int*, int) is in none of the 0 "));
}

TEST_F(Lists, WithoutTheVariableItIsAsBefore) {
  unsetenv("TORCHADA_KERNELS");
  testing::internal::CaptureStderr();
  EXPECT_ERROR(kNoImage, start(&add, nullptr, 1));
  EXPECT_NE(std::string::npos,
            testing::internal::GetCapturedStderr().find(
                "kernel add(int*, int) has no MUSA image: make one from its source"));
  int value = 0;
  EXPECT_ERROR(kNoImage, cudaMemcpyToSymbol(table, &value, 4, 0, cudaMemcpyHostToDevice));
}

TEST_F(Lists, DebugTellsWhereAKernelComesFrom) {
  setenv("TORCHADA_LOG", "debug", 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(2, result_of(&second));
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStderr().find(
                                   ": _Z6secondPi is taken from " SECOND_IMAGE "\n"));
}

TEST_F(Lists, ChildrenOfForkAreNotStuck) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(result_of(&second) == 2 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
