// The installed layout, and what the library shows to the outside.
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "support.h"

extern "C" musaError_t count_devices_in_c(int* count);

namespace {

const std::filesystem::path kTree = std::filesystem::path(HOST_PREFIX) / "current";

TEST(Tree, CurrentIsFiveOne) {
  EXPECT_EQ("5.1", std::filesystem::read_symlink(kTree).string());
  std::ifstream version(kTree / "version.json");
  const std::string text(std::istreambuf_iterator<char>(version), {});
  EXPECT_NE(std::string::npos, text.find("\"5.1.0\""));
}

TEST(Tree, LibraryAndItsLinks) {
  EXPECT_EQ("libmusart.so.5", std::filesystem::read_symlink(kTree / "lib/libmusart.so").string());
  EXPECT_EQ("libmusart.so.5.1.0",
            std::filesystem::read_symlink(kTree / "lib/libmusart.so.5").string());
  EXPECT_TRUE(std::filesystem::is_regular_file(kTree / "lib/libmusart.so.5.1.0"));
}

TEST(Tree, Headers) {
  for (const char* name : {"musa_runtime_api.h", "musa_runtime.h", "driver_types.h",
                           "library_types.h", "vector_types.h", "musart_version.h",
                           "musa_types/error_types.h", "musa_types/device_types.h"}) {
    EXPECT_TRUE(std::filesystem::is_regular_file(kTree / "include" / name)) << name;
  }
  int count = 0;
  EXPECT_OK(count_devices_in_c(&count));
}

// Names that the library defines for others.
std::set<std::string> exported_names(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(bytes.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes.data() + header->e_shoff);
  std::set<std::string> names;
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM) continue;
    const char* strings = bytes.data() + sections[sections[i].sh_link].sh_offset;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(bytes.data() + sections[i].sh_offset);
    for (size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); ++s) {
      if (symbols[s].st_shndx != SHN_UNDEF) names.insert(strings + symbols[s].st_name);
    }
  }
  return names;
}

TEST(Tree, ExportsTheApiAndNothingElse) {
  const auto names = exported_names(kTree / "lib/libmusart.so.5.1.0");
  EXPECT_GT(names.size(), 100u);
  EXPECT_EQ(1u, names.count("musaMalloc"));
  EXPECT_EQ(0u, names.count("__musaRegisterFatBinary"));  // In the tree "assumed" alone.
  for (const std::string& name : names) {
    EXPECT_EQ(0u, name.rfind("musa", 0)) << name;
  }
}

}  // namespace
