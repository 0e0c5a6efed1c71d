// The loader is the reference: whatever find_function finds, dlsym finds too.
#include "stubs/system/symbol_table.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "src/inspect/elf_file.h"
#include "src/shared/symbol_hash.h"

namespace {

using torchada::ElfSymbolType;
using torchada::symbol_table_of;

void* find_function(const torchada::SymbolTable& table, const char* name) {
  return torchada::find_function(table, name, torchada::symbol_hash(name));
}

struct Opened {
  explicit Opened(const std::string& path) : handle(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle) throw std::runtime_error(dlerror());
    const link_map* map = nullptr;
    dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map));
    file = map->l_name;
  }
  ~Opened() { dlclose(handle); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  void* handle;
  std::string file;
};

class SameAsTheLoader : public testing::TestWithParam<const char*> {};

TEST_P(SameAsTheLoader, ForEveryExport) {
  const Opened opened(GetParam());
  const auto table = symbol_table_of(opened.handle);
  const torchada::ElfFile file = torchada::read_elf_file(opened.file);
  std::set<std::string> with_indirect;
  for (const auto& each : file.exports) {
    if (each.type == ElfSymbolType::kIndirectFunction) with_indirect.insert(each.name);
  }
  std::size_t compared = 0;
  for (const auto& each : file.exports) {
    void* found = find_function(table, each.name.c_str());
    if (found) {
      EXPECT_EQ(found, dlsym(opened.handle, each.name.c_str())) << each.name;
    }
    const bool is_plain = each.type == ElfSymbolType::kFunction && each.default_version;
    if (is_plain && with_indirect.count(each.name) == 0) {
      EXPECT_NE(found, nullptr) << each.name;
      ++compared;
    }
    EXPECT_EQ(find_function(table, (each.name + "_that_nobody_has").c_str()), nullptr);
  }
  EXPECT_GT(compared, 3U) << opened.file;
}

INSTANTIATE_TEST_SUITE_P(SymbolTable, SameAsTheLoader,
                         testing::Values("libc.so.6", "libm.so.6", "libstdc++.so.6",
                                         PROBE_BACKEND));

TEST(SymbolTable, LeavesIndirectFunctionsToTheLoader) {
  const Opened c("libc.so.6");
  ASSERT_NE(dlsym(c.handle, "memcpy"), nullptr);
  EXPECT_EQ(find_function(symbol_table_of(c.handle), "memcpy"), nullptr);
}

TEST(SymbolTable, LeavesDataToTheLoader) {
  const Opened versions(PROBE_VERSIONS);
  ASSERT_NE(dlsym(versions.handle, "versions_data"), nullptr);
  EXPECT_EQ(find_function(symbol_table_of(versions.handle), "versions_data"), nullptr);
}

TEST(SymbolTable, LeavesDependenciesToTheLoader) {
  const Opened math("libm.so.6");
  ASSERT_NE(dlsym(math.handle, "qsort"), nullptr);
  EXPECT_EQ(find_function(symbol_table_of(math.handle), "qsort"), nullptr);
}

TEST(SymbolTable, FindsTheVersionThatDlsymFinds) {
  const Opened versions(PROBE_VERSIONS);
  const auto table = symbol_table_of(versions.handle);
  using Function = int (*)();
  const auto twice = reinterpret_cast<Function>(find_function(table, "versions_twice"));
  ASSERT_NE(twice, nullptr);
  EXPECT_EQ(twice(), 2);
  EXPECT_EQ(reinterpret_cast<void*>(twice), dlsym(versions.handle, "versions_twice"));
  EXPECT_EQ(find_function(table, "versions_only_old"), nullptr);
}

// The old hash table says where the symbols are, but not to us.
TEST(SymbolTable, FindsNothingWithoutAGnuHash) {
  const Opened old(PROBE_OLD_HASH);
  ASSERT_NE(dlsym(old.handle, "versions_twice"), nullptr);
  EXPECT_EQ(find_function(symbol_table_of(old.handle), "versions_twice"), nullptr);
}

}  // namespace
