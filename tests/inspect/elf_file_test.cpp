// What the reader reports about well-formed files.
#include "src/inspect/elf_file.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace torchada {
namespace {

const ElfExport* find_export(const ElfFile& file, const std::string& name,
                             const std::string& version) {
  for (const ElfExport& symbol : file.exports) {
    if (symbol.name == name && symbol.version == version) return &symbol;
  }
  return nullptr;
}

const ElfImport* find_import(const ElfFile& file, const std::string& name) {
  for (const ElfImport& symbol : file.imports) {
    if (symbol.name == name) return &symbol;
  }
  return nullptr;
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

TEST(ElfFile, ReadsHeaderAndDynamicSection) {
  const ElfFile file = read_elf_file(VERSIONED_LIBRARY);
  EXPECT_EQ(file.path, VERSIONED_LIBRARY);
  EXPECT_EQ(file.bits, 64);
  EXPECT_EQ(file.machine, EM_X86_64);
  EXPECT_EQ(file.type, ET_DYN);
  EXPECT_TRUE(file.dynamic);
  EXPECT_TRUE(file.interpreter.empty());
  EXPECT_EQ(file.soname, "libversioned.so.1");
  EXPECT_TRUE(file.nodelete);
}

TEST(ElfFile, TellsRpathFromRunpath) {
  const ElfFile versioned = read_elf_file(VERSIONED_LIBRARY);
  EXPECT_EQ(versioned.rpath, "/opt/first");
  EXPECT_FALSE(versioned.runpath.has_value());
  const ElfFile client = read_elf_file(CLIENT_LIBRARY);
  EXPECT_EQ(client.runpath, "/opt/second");
  EXPECT_FALSE(client.rpath.has_value());
}

TEST(ElfFile, ListsNeededInOrderAndMissingSoname) {
  const ElfFile client = read_elf_file(CLIENT_LIBRARY);
  EXPECT_EQ(client.soname, "");
  ASSERT_FALSE(client.needed.empty());
  EXPECT_EQ(client.needed.front(), "libversioned.so.1");
  EXPECT_TRUE(contains(client.needed, "libc.so.6"));
}

TEST(ElfFile, ReadsVersionNodesWithoutTheBase) {
  const ElfFile file = read_elf_file(VERSIONED_LIBRARY);
  EXPECT_EQ(file.version_nodes, (std::vector<std::string>{"NODE_1", "NODE_2"}));
  EXPECT_TRUE(read_elf_file(CLIENT_LIBRARY).version_nodes.empty());
}

TEST(ElfFile, ListsExactlyTheExports) {
  const ElfFile file = read_elf_file(VERSIONED_LIBRARY);
  std::vector<std::string> names;
  for (const ElfExport& symbol : file.exports) names.push_back(symbol.name + " " + symbol.version);
  std::sort(names.begin(), names.end());
  // Without the nodes' own absolute symbols and without hidden and local functions.
  EXPECT_EQ(names, (std::vector<std::string>{"api_changed NODE_1", "api_changed NODE_2",
                                             "api_data NODE_1", "api_strong NODE_1",
                                             "api_thread_local NODE_1", "api_weak NODE_1"}));
}

TEST(ElfFile, TellsDefaultFromHiddenVersions) {
  const ElfFile file = read_elf_file(VERSIONED_LIBRARY);
  ASSERT_NE(find_export(file, "api_changed", "NODE_1"), nullptr);
  ASSERT_NE(find_export(file, "api_changed", "NODE_2"), nullptr);
  EXPECT_TRUE(find_export(file, "api_changed", "NODE_2")->default_version);
  EXPECT_FALSE(find_export(file, "api_changed", "NODE_1")->default_version);
  EXPECT_TRUE(find_export(file, "api_strong", "NODE_1")->default_version);
}

TEST(ElfFile, TellsBindingTypeAddressAndSize) {
  const ElfFile file = read_elf_file(VERSIONED_LIBRARY);
  EXPECT_FALSE(find_export(file, "api_strong", "NODE_1")->weak);
  EXPECT_TRUE(find_export(file, "api_weak", "NODE_1")->weak);
  EXPECT_EQ(find_export(file, "api_weak", "NODE_1")->type, ElfSymbolType::kFunction);
  EXPECT_EQ(find_export(file, "api_data", "NODE_1")->type, ElfSymbolType::kObject);
  EXPECT_EQ(find_export(file, "api_data", "NODE_1")->size, sizeof(int));
  EXPECT_EQ(find_export(file, "api_thread_local", "NODE_1")->type, ElfSymbolType::kThreadLocal);
  EXPECT_NE(find_export(file, "api_strong", "NODE_1")->address,
            find_export(file, "api_weak", "NODE_1")->address);
}

TEST(ElfFile, ExportsWithoutVersionAreDefault) {
  const ElfFile file = read_elf_file(CLIENT_LIBRARY);
  const ElfExport* symbol = find_export(file, "client_call", "");
  ASSERT_NE(symbol, nullptr);
  EXPECT_TRUE(symbol->default_version);
}

TEST(ElfFile, ReadsImportsWithVersionAndFile) {
  const ElfFile client = read_elf_file(CLIENT_LIBRARY);
  const ElfImport* strong = find_import(client, "api_strong");
  ASSERT_NE(strong, nullptr);
  EXPECT_EQ(strong->version, "NODE_1");
  EXPECT_EQ(strong->version_file, "libversioned.so.1");
  EXPECT_FALSE(strong->weak);
  EXPECT_EQ(find_import(client, "api_changed")->version, "NODE_2");
  const ElfImport* optional = find_import(client, "maybe_there");
  ASSERT_NE(optional, nullptr);
  EXPECT_TRUE(optional->weak);
  EXPECT_EQ(optional->version, "");
}

TEST(ElfFile, ReportsControlFlowProtection) {
  const ElfFile with = read_elf_file(VERSIONED_LIBRARY);
  EXPECT_TRUE(with.ibt);
  EXPECT_TRUE(with.shadow_stack);
  const ElfFile without = read_elf_file(CLIENT_LIBRARY);
  EXPECT_FALSE(without.ibt);
  EXPECT_FALSE(without.shadow_stack);
}

TEST(ElfFile, ReportsMemoryThatIsWritableAndExecutable) {
  EXPECT_FALSE(read_elf_file(VERSIONED_LIBRARY).executable_stack);
  EXPECT_TRUE(read_elf_file(CLIENT_LIBRARY).executable_stack);
  EXPECT_FALSE(read_elf_file(VERSIONED_LIBRARY).writable_code);
  EXPECT_TRUE(read_elf_file(WRITABLE_CODE_LIBRARY).writable_code);
  EXPECT_FALSE(read_elf_file(VERSIONED_LIBRARY).text_relocations);
  EXPECT_TRUE(read_elf_file(TEXT_RELOCATION_LIBRARY).text_relocations);
}

TEST(ElfFile, ReportsThreadLocalStorage) {
  const ElfFile file = read_elf_file(VERSIONED_LIBRARY);
  EXPECT_EQ(file.tls_size, sizeof(int));
  EXPECT_EQ(read_elf_file(CLIENT_LIBRARY).tls_size, 0u);
}

TEST(ElfFile, ListsSections) {
  const ElfFile file = read_elf_file(VERSIONED_LIBRARY);
  const auto text = std::find_if(file.sections.begin(), file.sections.end(),
                                 [](const ElfSection& section) { return section.name == ".text"; });
  ASSERT_NE(text, file.sections.end());
  EXPECT_GT(text->offset, 0u);
  EXPECT_GT(text->size, 0u);
}

TEST(ElfFile, ReadsThisProgramsInterpreter) {
  const ElfFile file = read_elf_file("/proc/self/exe");
  EXPECT_NE(file.interpreter.find("ld-linux"), std::string::npos);
}

}  // namespace
}  // namespace torchada
