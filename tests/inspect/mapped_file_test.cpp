#include "src/inspect/mapped_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace torchada {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  std::string write(std::size_t size) {
    content_.clear();
    for (std::size_t at = 0; at < size; ++at) content_ += static_cast<char>('a' + at % 23);
    std::ofstream(path_, std::ios::binary) << content_;
    return path_;
  }
  void TearDown() override { unlink(path_.c_str()); }

  const std::string path_ =
      testing::TempDir() + "torchada-mapped-" + std::to_string(getpid()) + ".bin";
  std::string content_;
};

// Short files are read, long ones are mapped; the beginning is shown first.
TEST_F(MappedFileTest, every_size_has_all_its_bytes) {
  for (const std::size_t size : {0, 1, 1023, 1024, 1025, 65535, 65536, 65537, 1 << 20}) {
    const std::string path = write(size);
    EXPECT_EQ(MappedFile(path).bytes(), content_) << size;
    std::string shown = "not called";
    const MappedFile wanted(path, [&shown](std::string_view begin) {
      shown = begin;
      return true;
    });
    EXPECT_EQ(wanted.bytes(), content_) << size;
    EXPECT_EQ(shown, content_.substr(0, 1024)) << size;
  }
}

TEST_F(MappedFileTest, of_an_unwanted_file_only_the_beginning_is_read) {
  for (const std::size_t size : {0, 5, 1024, 5000, 1 << 20}) {
    const MappedFile file(write(size), [](std::string_view) { return false; });
    EXPECT_EQ(file.bytes(), content_.substr(0, 1024)) << size;
  }
}

TEST_F(MappedFileTest, what_is_no_file_has_a_reason) {
  for (const char* path : {"/nonexistent", "/dev/null", "/"}) {
    EXPECT_THROW(MappedFile{path}, std::runtime_error) << path;
    EXPECT_THROW(MappedFile(path, [](std::string_view) { return true; }), std::runtime_error);
  }
}

}  // namespace
}  // namespace torchada
