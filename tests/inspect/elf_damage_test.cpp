// Damaged input gives an ElfError that names the file, never a crash.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "src/inspect/elf_file.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

class ElfDamage : public testing::Test {
 protected:
  ElfDamage() : path_(fs::path(testing::TempDir()) / ("elf_damage_" + std::to_string(getpid()))) {}
  ~ElfDamage() override { fs::remove(path_); }

  void write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

  static std::string library() {
    std::ifstream in(VERSIONED_LIBRARY, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  // The error message, or "" if the file can be read.
  std::string error_of(const std::string& path) const {
    try {
      read_elf_file(path);
      return "";
    } catch (const ElfError& error) {
      return error.what();
    }
  }

  const std::string path_;
};

TEST_F(ElfDamage, MissingFile) {
  EXPECT_EQ(error_of("/nonexistent/lib.so"), "/nonexistent/lib.so: No such file or directory");
}

TEST_F(ElfDamage, Directory) { EXPECT_EQ(error_of("/tmp"), "/tmp: not a regular file"); }

TEST_F(ElfDamage, EmptyFile) {
  write("");
  EXPECT_EQ(error_of(path_), path_ + ": empty file");
}

TEST_F(ElfDamage, TextFile) {
  write("/* GNU ld script */\nINPUT(libreal.so.1)\n");
  EXPECT_EQ(error_of(path_), path_ + ": not an ELF file");
}

TEST_F(ElfDamage, Archive) {
  write("!<arch>\n");
  EXPECT_EQ(error_of(path_), path_ + ": not an ELF file");
}

TEST_F(ElfDamage, OnlyTheMagicNumber) {
  write(library().substr(0, 4));
  EXPECT_NE(error_of(path_), "");
}

TEST_F(ElfDamage, EveryTruncationIsAnError) {
  const std::string whole = library();
  write(whole);
  ASSERT_EQ(error_of(path_), "");
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    write(whole.substr(0, size));
    const std::string error = error_of(path_);
    ASSERT_TRUE(error.starts_with(path_ + ": ")) << "cut to " << size << " bytes: " << error;
  }
}

// Each mutation is either still readable or refused; anything else is a failure.
TEST_F(ElfDamage, ChangedBytesNeverCrash) {
  const std::string whole = library();
  std::mt19937 random(20240601);
  // Most structure lies in the first pages and in the section headers at the end.
  std::uniform_int_distribution<std::size_t> front(0,
                                                   std::min<std::size_t>(whole.size(), 4096) - 1);
  std::uniform_int_distribution<std::size_t> back(whole.size() - 2048, whole.size() - 1);
  std::uniform_int_distribution<int> byte(0, 255);
  int refused = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string damaged = whole;
    for (int change = 0; change <= round % 4; ++change) {
      damaged[(round + change) % 2 == 0 ? front(random) : back(random)] =
          static_cast<char>(byte(random));
    }
    write(damaged);
    refused += error_of(path_).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace torchada
