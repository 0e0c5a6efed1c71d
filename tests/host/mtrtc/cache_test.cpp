// TORCHADA_HOST_COMPILE_CACHE. CXX counts how often the compiler is started.
#include "tests/host/mtrtc/compiled.h"

namespace {

using mtrtc_tests::Folder;
using mtrtc_tests::Program;
using mtrtc_tests::Variable;

class MtrtcCache : public testing::Test {
 protected:
  MtrtcCache()
      : compiler_(folder_.write(
            "c++", "#!/bin/sh\necho >>" + folder_.path() + "/runs\nexec c++ \"$@\"\n")),
        cxx_("CXX", compiler_.c_str()) {
    std::filesystem::permissions(compiler_, std::filesystem::perms::owner_all);
  }

  // Compiles a source of this test, and returns whether a compiler was started.
  bool compiles(const std::string& source, const std::vector<const char*>& options = {}) {
    std::filesystem::remove(folder_.path() + "/runs");
    const Program program(source);
    program.add("k");
    EXPECT_EQ(program.compile(options), MTRTC_SUCCESS) << program.log();
    EXPECT_EQ(program.lowered("k"), "k");
    EXPECT_GT(program.image().size(), 1000U);
    return std::filesystem::exists(folder_.path() + "/runs");
  }

  static std::string source(int value) {
    return "extern \"C\" __global__ void k(int* p) { *p = " + std::to_string(value) + "; }\n";
  }

  Folder folder_;
  std::string compiler_;
  Variable cxx_;
};

TEST_F(MtrtcCache, mtrtcCompileProgram_compiles_the_same_program_once) {
  const Variable unset("TORCHADA_HOST_COMPILE_CACHE", nullptr);
  EXPECT_TRUE(compiles(source(1)));
  EXPECT_FALSE(compiles(source(1)));
  EXPECT_TRUE(compiles(source(1), {"-DOTHER"}));
  EXPECT_TRUE(compiles(source(2)));
}

TEST_F(MtrtcCache, mtrtcCompileProgram_compiles_each_time_if_the_cache_is_off) {
  const Variable off("TORCHADA_HOST_COMPILE_CACHE", "off");
  EXPECT_TRUE(compiles(source(3)));
  EXPECT_TRUE(compiles(source(3)));
}

TEST_F(MtrtcCache, mtrtcCompileProgram_sees_that_a_header_changed) {
  const Variable unset("TORCHADA_HOST_COMPILE_CACHE", nullptr);
  const Folder headers;
  headers.write("value.h", "#define VALUE 1\n");
  const std::string option = "-I" + headers.path();
  const std::string program = "#include <value.h>\n" + source(4);
  EXPECT_TRUE(compiles(program, {option.c_str()}));
  EXPECT_FALSE(compiles(program, {option.c_str()}));
  headers.write("value.h", "#define VALUE 22\n");
  EXPECT_TRUE(compiles(program, {option.c_str()}));
}

TEST_F(MtrtcCache, mtrtcCompileProgram_takes_an_image_from_the_folder) {
  const Folder kept;
  const Variable variable("TORCHADA_HOST_COMPILE_CACHE", kept.path().c_str());
  EXPECT_TRUE(compiles(source(5)));
  EXPECT_EQ(kept.entries(), 1U);
  const std::string file = std::filesystem::directory_iterator(kept.path())->path();
  const std::filesystem::perms mode = std::filesystem::status(file).permissions();
  EXPECT_EQ(mode & (std::filesystem::perms::group_all | std::filesystem::perms::others_all),
            std::filesystem::perms::none);
}

// Without a compiler, a process compiles only what the folder has.
TEST_F(MtrtcCache, mtrtcCompileProgram_takes_images_that_another_process_left) {
  const Folder kept;
  const Variable variable("TORCHADA_HOST_COMPILE_CACHE", kept.path().c_str());
  const std::string once = ONCE;
  ASSERT_EQ(std::system(once.c_str()), 0);
  ASSERT_EQ(kept.entries(), 1U);
  // The compiler is part of what must be the same, so it keeps its time and size.
  const std::string file = std::filesystem::directory_iterator(kept.path())->path();
  std::filesystem::remove(folder_.path() + "/runs");
  EXPECT_EQ(std::system(once.c_str()), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/runs"));

  // Neither a damaged file is taken nor one that others may write.
  std::filesystem::permissions(file, std::filesystem::perms::others_write,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(std::system(once.c_str()), 0);
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/runs"));
  std::filesystem::remove(folder_.path() + "/runs");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_EQ(std::system(once.c_str()), 0);
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/runs"));
}

}  // namespace
