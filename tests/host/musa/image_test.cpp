// Images that must not be loaded: damaged ones, files that are no images, files of others, and
// images with what the loader would run.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "src/host/shared/image_file.h"
#include "tests/host/musa/support.h"
#include "tests/host/shared/guarded_pages.h"

namespace {

class DriverImage : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    folder_ = std::filesystem::temp_directory_path() / ("image_test." + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
    image_ = contents_of(DEVICE_CODE);
    ASSERT_GT(image_.size(), 1000U);
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    DriverTest::TearDown();
  }

  std::string write(const std::string& name, const std::string& bytes) const {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  static void unload(MUresult loaded, MUmodule module) {
    if (loaded == MUSA_SUCCESS) {
      EXPECT_MU(muModuleUnload(module));
    }
  }

  // What each function that loads says to these bytes, if they agree.
  MUresult load(const std::string& bytes) const {
    const GuardedCopy copy(bytes);
    MUmodule module = nullptr;
    const MUresult first = muModuleLoadData(&module, copy.begin());
    unload(first, module);
    EXPECT_EQ(muModuleLoadDataEx(&module, copy.begin(), 0, nullptr, nullptr), first);
    unload(first, module);
    EXPECT_EQ(muModuleLoadFatBinary(&module, copy.begin()), first);
    unload(first, module);
    EXPECT_EQ(muModuleLoad(&module, write("image", bytes).c_str()), first);
    unload(first, module);
    return first;
  }

  std::filesystem::path folder_;
  std::string image_;
  MUmodule module_ = nullptr;
};

TEST_F(DriverImage, a_whole_image_is_loaded) { EXPECT_MU(load(image_)); }

TEST_F(DriverImage, an_image_with_a_wrong_bit_is_invalid) {
  std::minstd_rand random(1);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = image_;
    // The header, the tables at the end, or anywhere.
    const std::size_t range = i % 3 == 0 ? 64 : i % 3 == 1 ? 2048 : damaged.size();
    const std::size_t at = i % 3 == 1 ? damaged.size() - 1 - random() % range : random() % range;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    const MUresult status = load(damaged);
    // What names another machine or another maker is not damaged, as far as anybody can tell.
    EXPECT_TRUE(status == MUSA_ERROR_INVALID_IMAGE || status == MUSA_ERROR_NO_BINARY_FOR_GPU)
        << status << " at " << at;
  }
}

TEST_F(DriverImage, an_image_that_is_cut_short_is_invalid) {
  for (std::size_t size = 64; size < image_.size(); size += image_.size() / 50) {
    EXPECT_EQ(load(image_.substr(0, size)), MUSA_ERROR_INVALID_IMAGE) << size;
  }
  MUmodule module = nullptr;
  const std::string zero(1, '\0');
  for (const std::string& more : {std::string("x"), zero + zero, zero + "x"}) {
    EXPECT_EQ(muModuleLoad(&module, write("longer", image_ + more).c_str()),
              MUSA_ERROR_INVALID_IMAGE);
  }
}

// Programs write what nvrtcGetPTX gave them, whose size counts the zero that ends a text.
TEST_F(DriverImage, a_zero_behind_an_image_is_no_part_of_it) {
  EXPECT_MU(load(image_ + '\0'));
  std::string damaged = image_;
  damaged[image_.size() / 2] = static_cast<char>(damaged[image_.size() / 2] ^ 1);
  EXPECT_EQ(load(damaged + '\0'), MUSA_ERROR_INVALID_IMAGE);
}

// The test seals them, as somebody would who does not use torchada-kernels.
TEST_F(DriverImage, nothing_of_an_image_runs_while_it_is_opened) {
  for (const std::string what : {"INITIALISER", "FINALISER", "INIT", "RESOLVER", "SYSTEM"}) {
    std::string image = contents_of(FORBIDDEN_IMAGES + what + ".so");
    EXPECT_EQ(load(image), MUSA_ERROR_INVALID_IMAGE) << what << ": not sealed";
    ASSERT_TRUE(host::seal_image(&image)) << what;
    testing::internal::CaptureStderr();
    EXPECT_EQ(load(image), MUSA_ERROR_INVALID_IMAGE) << what;
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find(what == "SYSTEM"     ? "which is no device function"
                        : what == "RESOLVER" ? "ifunc"
                                             : "runs when it is loaded or unloaded"),
              std::string::npos)
        << said;
  }
}

TEST_F(DriverImage, muModuleLoad_does_not_wait_for_a_FIFO_or_a_device) {
  const std::string fifo = folder_ / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string& path :
       {fifo, std::string("/dev/zero"), std::string("/dev/tty"), folder_.string()}) {
    EXPECT_EQ(muModuleLoad(&module_, path.c_str()), MUSA_ERROR_FILE_NOT_FOUND) << path;
  }
}

TEST_F(DriverImage, muModuleLoad_takes_no_memory_for_a_large_file) {
  const std::string path = write("large", image_);
  ASSERT_EQ(truncate(path.c_str(), off_t{1} << 40), 0);
  EXPECT_EQ(muModuleLoad(&module_, path.c_str()), MUSA_ERROR_INVALID_IMAGE);
  ASSERT_EQ(truncate(write("zeros", "").c_str(), off_t{1} << 40), 0);
  EXPECT_EQ(muModuleLoad(&module_, (folder_ / "zeros").c_str()), MUSA_ERROR_INVALID_IMAGE);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 1L << 20) << "KiB";
}

TEST_F(DriverImage, muModuleLoad_takes_no_file_that_another_user_could_have_written) {
  const std::string path = write("mine", image_);
  ASSERT_EQ(chmod(path.c_str(), 0606), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(muModuleLoad(&module_, path.c_str()), MUSA_ERROR_FILE_NOT_FOUND);
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
    EXPECT_EQ(muModuleLoad(&module_, path.c_str()), MUSA_ERROR_FILE_NOT_FOUND);
    ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("everybody may write to it"), std::string::npos) << said;
  EXPECT_EQ(said.find("belongs to user 12345") != std::string::npos, geteuid() == 0) << said;
  EXPECT_MU(muModuleLoad(&module_, path.c_str()));
  EXPECT_MU(muModuleUnload(module_));
}

}  // namespace
