// How the facts of several releases become one table, and how tables are compared.
#include <gtest/gtest.h>

#include "generator/extract/assemble_cuda.h"
#include "generator/extract/compare_cuda.h"
#include "generator/extract/extract_cuda.h"

namespace torchada {
namespace {

CudaReleases releases() {
  CudaReleases out;
  out.releases = {{"11.8", 11, {}}, {"12.9", 12, {}}, {"13.0", 13, {}}};
  return out;
}

std::vector<ReplacementLibrary> libraries() {
  ReplacementLibrary probe;
  probe.name = "probe";
  return {probe};
}

HeaderFunction function(const std::string& returns, const std::string& parameter = "",
                        const std::string& header = "probe.h") {
  HeaderFunction out;
  out.prototype.returns = returns;
  if (!parameter.empty()) out.prototype.parameters = {{"int", parameter}};
  out.header = header;
  return out;
}

// Three releases, each with one library that a test fills.
class Assembling : public testing::Test {
 protected:
  Assembling() {
    for (const char* name : {"11.8", "12.9", "13.0"}) {
      ReleaseFacts release;
      release.name = name;
      release.libraries.resize(1);
      release.libraries[0].name = "probe";
      release.libraries[0].soname = std::string("libprobe.so.") + name;
      facts_.push_back(release);
    }
  }

  LibraryFacts& library(int index) { return facts_[static_cast<std::size_t>(index)].libraries[0]; }
  void add_export(int index, const std::string& name, std::uint64_t address = 0,
                  bool weak = false) {
    if (address == 0) address = ++next_address_;
    library(index).exports[name] = {weak, address};
  }
  void declare(int index, const std::string& name, const HeaderFunction& declaration) {
    add_export(index, name);
    library(index).declared[name] = declaration;
  }
  CudaLibrary assemble() const {
    return assemble_cuda(facts_, releases(), libraries(), {}).front();
  }
  // "source: returns" of a symbol in one release, "" if it has no prototype.
  static std::string origin(const CudaLibrary& table, const std::string& name,
                            const std::string& release) {
    for (const CudaSymbol::Variant& variant : table.symbols.at(name).prototypes) {
      for (const std::string& covered : variant.releases) {
        if (covered == release) return variant.source + ": " + variant.prototype.returns;
      }
    }
    return "";
  }

  std::vector<ReleaseFacts> facts_;
  std::uint64_t next_address_ = 0x1000;
};

TEST_F(Assembling, MergesEqualPrototypesAndKeepsTheNewestNames) {
  declare(0, "f", function("int", "old", "first.h"));
  declare(1, "f", function("int", "new", "second.h"));
  declare(2, "f", function("long", "new", "second.h"));
  const CudaLibrary table = assemble();
  const CudaSymbol& symbol = table.symbols.at("f");
  ASSERT_EQ(symbol.prototypes.size(), 2u);
  EXPECT_EQ(symbol.prototypes[0].releases, (std::vector<std::string>{"11.8", "12.9"}));
  EXPECT_EQ(symbol.prototypes[0].prototype.parameters[0].name, "new");
  EXPECT_EQ(symbol.prototypes[0].source, "second.h");
  EXPECT_EQ(symbol.prototypes[1].releases, (std::vector<std::string>{"13.0"}));
}

TEST_F(Assembling, DerivesPerThreadStreamVariants) {
  declare(0, "f", function("int"));
  add_export(0, "f_ptsz");
  add_export(0, "f_ptds");
  const CudaLibrary table = assemble();
  EXPECT_EQ(origin(table, "f_ptsz", "11.8"), "derived from f: int");
  EXPECT_EQ(origin(table, "f_ptds", "11.8"), "derived from f: int");
}

TEST_F(Assembling, DerivesProfilingNames) {
  declare(0, "ncclSum", function("int"));
  add_export(0, "pncclSum");
  EXPECT_EQ(origin(assemble(), "pncclSum", "11.8"), "derived from ncclSum: int");
}

TEST_F(Assembling, DerivesFromTheNextOlderReleaseFirst) {
  declare(0, "f", function("int"));
  add_export(1, "f");
  declare(2, "f", function("long"));
  EXPECT_EQ(origin(assemble(), "f", "12.9"), "derived from 11.8: int");
}

TEST_F(Assembling, DerivesFromANewerReleaseWhereNoOlderDeclares) {
  add_export(0, "f");
  add_export(1, "f");
  declare(2, "f", function("long"));
  const CudaLibrary table = assemble();
  EXPECT_EQ(origin(table, "f", "11.8"), "derived from 13.0: long");
  EXPECT_EQ(origin(table, "f", "12.9"), "derived from 13.0: long");
}

TEST_F(Assembling, DerivesNothingFromANewerReleaseBesideASecondVersion) {
  add_export(1, "f");
  add_export(1, "f_ptsz");
  declare(1, "f_v2", function("long"));
  declare(2, "f", function("long"));
  const CudaLibrary table = assemble();
  EXPECT_EQ(origin(table, "f", "12.9"), "");
  EXPECT_EQ(origin(table, "f_ptsz", "12.9"), "");
}

TEST_F(Assembling, CombinesBothDerivations) {
  declare(0, "f", function("int"));
  add_export(1, "f_ptsz");
  EXPECT_EQ(origin(assemble(), "f_ptsz", "12.9"), "derived from f in 11.8: int");
}

TEST_F(Assembling, KeepsDerivedApartFromDeclared) {
  declare(0, "f", function("int"));
  add_export(1, "f");
  EXPECT_EQ(assemble().symbols.at("f").prototypes.size(), 2u);
}

TEST_F(Assembling, LearnsDeclarationsFromTheCommittedTable) {
  declare(0, "f", function("int"));
  add_export(1, "f");
  const CudaLibrary committed = assemble();
  facts_.erase(facts_.begin());
  const CudaLibrary again = assemble_cuda(facts_, releases(), libraries(), {committed}).front();
  EXPECT_EQ(origin(again, "f", "12.9"), "derived from 11.8: int");
}

TEST_F(Assembling, AWeakNameOfAStrongOneIsItsAlias) {
  add_export(0, "pncclSum", 0x10);
  add_export(0, "ncclSum", 0x10, true);
  const CudaLibrary table = assemble();
  EXPECT_EQ(table.symbols.at("ncclSum").alias_of, "pncclSum");
  EXPECT_TRUE(table.symbols.at("ncclSum").weak);
  EXPECT_EQ(table.symbols.at("pncclSum").alias_of, "");
}

TEST_F(Assembling, StrongNamesAtOneAddressStayApart) {
  add_export(0, "f", 0x10);
  add_export(0, "g", 0x10);
  const CudaLibrary table = assemble();
  EXPECT_EQ(table.symbols.at("f").alias_of, "");
  EXPECT_EQ(table.symbols.at("g").alias_of, "");
}

TEST_F(Assembling, AnAliasHoldsInEveryRelease) {
  add_export(0, "pf", 0x10);
  add_export(0, "f", 0x10, true);
  add_export(1, "pf", 0x10);
  add_export(1, "f", 0x20, true);
  EXPECT_EQ(assemble().symbols.at("f").alias_of, "");
}

TEST_F(Assembling, MergesEqualTypes) {
  TypeFact fact;
  fact.kind = TypeKind::kScalar;
  fact.underlying = "int";
  facts_[0].types["probe"]["t"] = fact;
  facts_[2].types["probe"]["t"] = fact;
  fact.underlying = "long";
  facts_[1].types["probe"]["t"] = fact;
  const CudaLibrary table = assemble();
  const CudaType& type = table.types.at("t");
  ASSERT_EQ(type.variants.size(), 2u);
  EXPECT_EQ(type.variants[0].releases, (std::vector<std::string>{"11.8", "13.0"}));
}

TEST_F(Assembling, ComparisonNamesEachDifference) {
  declare(2, "f", function("int", "a"));
  declare(2, "gone", function("int"));
  add_export(2, "weak", 0x77, false);
  TypeFact fact;
  fact.kind = TypeKind::kEnum;
  fact.enumeration.values = {{"A", 1}, {"B", 2}};
  facts_[2].types["probe"]["e"] = fact;
  facts_[2].types["probe"]["lost"] = fact;
  fact = {};
  fact.kind = TypeKind::kStruct;
  fact.structure = {16, 8, false, {{"x", "long", 0}, {"y", "long", 8}}};
  facts_[2].types["probe"]["s"] = fact;
  const CudaLibrary table = assemble();
  EXPECT_TRUE(compare_cuda(table, assemble()).empty());

  library(2).soname = "libprobe.so.14";
  library(2).exports.erase("gone");
  library(2).declared.erase("gone");
  add_export(2, "fresh");
  library(2).exports["weak"].weak = true;
  library(2).declared["f"] = function("int");
  facts_[2].types["probe"]["e"].enumeration.values = {{"A", 1}, {"B", 3}, {"C", 4}};
  facts_[2].types["probe"].erase("lost");
  facts_[2].types["probe"]["s"].structure = {24, 8, false, {{"x", "int", 0}, {"y", "long", 8}}};
  facts_[2].types["probe"]["novel"] = fact;
  facts_.erase(facts_.begin(), facts_.begin() + 2);
  EXPECT_EQ(compare_cuda(table, assemble()),
            (std::vector<std::string>{
                "probe: library: 13.0: SONAME differs: table libprobe.so.13.0, extracted "
                "libprobe.so.14",
                "probe: f: 13.0: prototype differs: table int (int), extracted int ()",
                "probe: gone: 13.0: in the table, but not exported",
                "probe: weak: 13.0: binding differs: table strong, extracted weak",
                "probe: fresh: 13.0: exported, but not in the table",
                "probe: e: 13.0: value B: table 2, extracted 3",
                "probe: e: 13.0: value C: extracted, but not in the table",
                "probe: lost: 13.0: type in the table, but not extracted",
                "probe: novel: 13.0: type extracted, but not in the table",
                "probe: s: 13.0: size: table 16, extracted 24",
                "probe: s: 13.0: field x: table long at 0, extracted int at 0"}));
}

TEST(ReleaseRoots, SplitsFolders) {
  const CudaReleaseRoots roots = parse_release_roots("13.0=/a:/b/c");
  EXPECT_EQ(roots.name, "13.0");
  EXPECT_EQ(roots.roots, (std::vector<std::string>{"/a", "/b/c"}));
}

TEST(ReleaseRoots, RefusesAnythingElse) {
  for (const char* text : {"", "13.0", "=/a", "13.0="}) {
    EXPECT_THROW(parse_release_roots(text), ExtractError) << text;
  }
}

TEST(NamesInType, SkipsTheWordsOfC) {
  EXPECT_EQ(names_in_type("const cudaDeviceProp *const *"),
            (std::vector<std::string>{"cudaDeviceProp"}));
  EXPECT_EQ(names_in_type("unsigned long long[64]"), std::vector<std::string>());
  EXPECT_EQ(names_in_type("void (*)(cudaStream_t, cudaError_t)"),
            (std::vector<std::string>{"cudaStream_t", "cudaError_t"}));
}

}  // namespace
}  // namespace torchada
