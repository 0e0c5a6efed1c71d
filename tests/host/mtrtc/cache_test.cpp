// TORCHADA_HOST_COMPILE_CACHE. TORCHADA_CLANG counts how often the compiler is started.
#include <sys/stat.h>
#include <unistd.h>

#include "tests/host/mtrtc/compiled.h"

namespace {

using mtrtc_tests::Folder;
using mtrtc_tests::Program;
using mtrtc_tests::Variable;

class MtrtcCache : public testing::Test {
 protected:
  MtrtcCache()
      : compiler_(folder_.write(
            "c++", "#!/bin/sh\necho >>" + folder_.path() + "/runs\nexec clang++-19 \"$@\"\n")),
        cxx_("TORCHADA_CLANG", compiler_.c_str()) {
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

// What stands in place of the entry is not taken, and the program is compiled.
TEST_F(MtrtcCache, mtrtcCompileProgram_takes_nothing_that_another_user_could_have_put_there) {
  namespace fs = std::filesystem;
  const Folder kept;
  const Variable variable("TORCHADA_HOST_COMPILE_CACHE", kept.path().c_str());
  const std::string once = std::string(ONCE) + " 2>" + folder_.path() + "/said";
  const auto compiles_again = [&](const std::string& said) {
    fs::remove(folder_.path() + "/runs");
    EXPECT_EQ(std::system(once.c_str()), 0);
    std::ifstream lines(folder_.path() + "/said");
    const std::string text{std::istreambuf_iterator<char>(lines), {}};
    EXPECT_NE(text.find(said), std::string::npos) << text;
    return fs::exists(folder_.path() + "/runs");
  };
  ASSERT_TRUE(compiles_again(""));
  ASSERT_EQ(kept.entries(), 1U);
  const std::string file = fs::directory_iterator(kept.path())->path();
  const std::string good = folder_.path() + "/good";
  fs::copy_file(file, good);
  fs::permissions(good, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(compiles_again(""));

  fs::remove(file);
  fs::create_symlink(good, file);
  EXPECT_TRUE(compiles_again("is not used: it is a link"));

  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_TRUE(compiles_again("is not used: it is no regular file"));

  EXPECT_FALSE(compiles_again(""));
  fs::resize_file(file, std::uintmax_t{1} << 40);  // Takes neither time nor memory.
  EXPECT_TRUE(compiles_again(""));

  if (geteuid() == 0) {
    ASSERT_EQ(chown(file.c_str(), 12345, 12345), 0);
    EXPECT_TRUE(compiles_again("is not used: it belongs to user 12345"));
    EXPECT_FALSE(compiles_again(""));
    ASSERT_EQ(chown(kept.path().c_str(), 12345, 12345), 0);
    EXPECT_TRUE(compiles_again("is not used: it belongs to user 12345"));
    ASSERT_EQ(chown(kept.path().c_str(), 0, 0), 0);
  }
  fs::permissions(kept.path(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_TRUE(compiles_again("is not used: other users may write to it"));
  fs::permissions(kept.path(), fs::perms::sticky_bit, fs::perm_options::add);
  EXPECT_FALSE(compiles_again(""));
}

TEST_F(MtrtcCache, mtrtcCompileProgram_makes_the_folder_for_this_user_alone) {
  const Folder outer;
  const std::string inner = outer.path() + "/inner";
  const Variable variable("TORCHADA_HOST_COMPILE_CACHE", inner.c_str());
  EXPECT_TRUE(compiles(source(6)));
  EXPECT_EQ(std::filesystem::status(inner).permissions(), std::filesystem::perms::owner_all);
}

}  // namespace
