// Runs a made-up MUSA SDK through the whole extraction, as packaging/musa-facts.sh does.
#include "generator/extract/extract_musa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "generator/extract/extract.h"
#include "generator/tables/musa_tables.h"
#include "tests/generator/extract/temporary_folder.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

constexpr char kTable[] = R"(library: musart
symbols:
  musaMalloc:
    tier: doc
    sources: [somewhere]
    prototypes:
    - {tier: doc, returns: musaError_t, parameters: [[void **, pointer], [int, size]]}
  musaStreamQuery:
    tier: map
    prototypes:
    - {like: cudaStreamQuery@12, tier: map}
  musaExtentCheck: {tier: map}
  musaMangled: {tier: map, link_name: _Z11musaMangledi}
  musaMissing: {tier: cbid}
  musaOld: {tier: map, sdk: "<5.0"}
  musaRefuted: {tier: absent}
types:
  musaError_t:
  - {kind: enum, tier: map, complete: false, values: {musaSuccess: 0, musaErrorOdd: 8}}
  musaExtent:
  - {kind: struct, tier: map, complete: true, size: 16, align: 8, fields: [[width, size_t, 0], [high, size_t, 8]]}
  musaStream_t:
  - {kind: handle, tier: map, complete: true, underlying: MUstream_st *}
  musaGhost:
  - {kind: scalar, tier: map, underlying: int}
)";

std::vector<BackendInfo> backends() { return read_registry(MAPPINGS "/libraries.yaml").backends; }

class MusaExtraction : public testing::Test {
 protected:
  MusaExtraction() : root_(folder_.path("sdk")) {
    fs::create_directories(root_ + "/lib");
    fs::copy(SDK_FIXTURE "/include", root_ + "/include");
    fs::copy(MUSART_LIBRARY, root_ + "/lib/libmusart.so.5");
    folder_.write("mappings/musa/musart.yaml", kTable);
  }

  int run(ExtractMusaOptions options) {
    options.backends = backends();
    out_.str("");
    error_.str("");
    return run_extract_musa(options, out_, error_);
  }
  bool printed(const std::string& line) const {
    return ("\n" + out_.str()).find("\n" + line + "\n") != std::string::npos;
  }

  const TemporaryFolder folder_;
  const std::string root_;
  std::ostringstream out_;
  std::ostringstream error_;
};

TEST_F(MusaExtraction, WritesTablesThatReadBack) {
  ExtractMusaOptions options;
  options.roots = {root_};
  options.out = folder_.path("out");
  ASSERT_EQ(run(options), 0) << error_.str();
  EXPECT_TRUE(printed("MUSA SDK 5.1.0"));
  EXPECT_TRUE(printed("note: libmccl.so: not found in the given directories"));

  const MusaLibrary library = read_musa_library(folder_.path("out/musart.yaml"));
  EXPECT_EQ(library.name, "musart");
  std::vector<std::string> names;
  for (const auto& [name, symbol] : library.symbols) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"musaExtentCheck", "musaMalloc", "musaMangled",
                                             "musaStreamQuery", "musaUndeclared"}));
  const MusaSymbol& malloc = library.symbols.at("musaMalloc");
  EXPECT_EQ(malloc.tier, Tier::kSdk);
  EXPECT_TRUE(malloc.sdk.contains(50100));
  EXPECT_FALSE(malloc.sdk.contains(50101));
  EXPECT_EQ(malloc.prototypes.front().prototype.parameters[1].type, "size_t");
  EXPECT_TRUE(library.symbols.at("musaUndeclared").prototypes.empty());
  EXPECT_EQ(library.symbols.at("musaMangled").link_name, "_Z11musaMangledi");
  EXPECT_EQ(library.types.at("musaExtent").front().fact.structure.size, 16);
  EXPECT_EQ(library.types.at("musaError_t").front().values[1].value, 7);
}

TEST_F(MusaExtraction, NamesEachDifferenceAndCounts) {
  ExtractMusaOptions options;
  options.roots = {root_};
  options.mappings = folder_.path("mappings");
  EXPECT_EQ(run(options), 1) << error_.str();
  EXPECT_TRUE(printed("musart: musaMissing: in the table, but not exported: tier cbid"));
  EXPECT_TRUE(printed("musart: musaUndeclared: exported, but not in the table"));
  EXPECT_TRUE(
      printed("musart: musaMalloc: prototype differs: table musaError_t (void **, int), "
              "extracted musaError_t (void **, size_t)"));
  EXPECT_TRUE(
      printed("musart: musaError_t: enum value differs: value musaErrorOdd: table 8, "
              "extracted 7"));
  EXPECT_TRUE(
      printed("musart: musaExtent: layout differs: field high: in the table, but not "
              "extracted"));
  EXPECT_TRUE(printed("musart: musaGhost: type in the table, but not in the headers"));
  EXPECT_TRUE(printed("prototype differs: 1"));
  EXPECT_TRUE(printed("7 differences")) << out_.str();
  EXPECT_EQ(out_.str().find("musaOld"), std::string::npos);
  EXPECT_EQ(out_.str().find("musaRefuted"), std::string::npos);
}

TEST_F(MusaExtraction, ComparesLikePrototypesWhereTheyCanBeExpanded) {
  ExtractMusaOptions options;
  options.roots = {root_};
  options.mappings = folder_.path("mappings");
  options.expand = [](const MusaPrototype& prototype) -> std::optional<Prototype> {
    EXPECT_EQ(prototype.like_symbol, "cudaStreamQuery");
    return Prototype{"musaError_t", {{"int", ""}}};
  };
  EXPECT_EQ(run(options), 1);
  EXPECT_TRUE(
      printed("musart: musaStreamQuery: prototype differs: table musaError_t (int), "
              "extracted musaError_t (musaStream_t)"));
}

TEST_F(MusaExtraction, AgreesWithItsOwnTables) {
  ExtractMusaOptions options;
  options.roots = {root_};
  options.out = folder_.path("again/musa");
  ASSERT_EQ(run(options), 0);
  options.out.clear();
  options.mappings = folder_.path("again");
  EXPECT_EQ(run(options), 0) << out_.str();
  EXPECT_TRUE(printed("0 differences"));
}

TEST_F(MusaExtraction, WritesTheSameBytesTwice) {
  ExtractMusaOptions options;
  options.roots = {root_};
  options.out = folder_.path("one");
  ASSERT_EQ(run(options), 0);
  options.out = folder_.path("two");
  ASSERT_EQ(run(options), 0);
  EXPECT_EQ(text_of(folder_.path("one/musart.yaml")), text_of(folder_.path("two/musart.yaml")));
}

TEST_F(MusaExtraction, FindsTheVersion) {
  EXPECT_EQ(read_musa_facts({root_}, "", backends()).version, 50100);
  folder_.write("sdk/version.json", R"({"musa_sdk": {"version": "4.3.5"}})");
  EXPECT_EQ(read_musa_facts({root_}, "", backends()).version, 40305);
  EXPECT_EQ(read_musa_facts({root_}, "3.1", backends()).version, 30100);
}

TEST_F(MusaExtraction, DoesNotTakeARuntimeNumberForTheSdks) {
  std::string header = text_of(root_ + "/include/musa_runtime_api.h");
  header.replace(header.find("50100"), 5, "10504");
  folder_.write("sdk/include/musa_runtime_api.h", header);
  EXPECT_THROW(read_musa_facts({root_}, "", backends()), ExtractError);
  EXPECT_EQ(read_musa_facts({root_}, "4.0.1", backends()).version, 40001);
}

TEST_F(MusaExtraction, TakesExportsWhereAHeaderDoesNotParse) {
  folder_.write("sdk/include/musa_runtime_api.h", "#include <no_such_header_anywhere.h>\n");
  const MusaFacts facts = read_musa_facts({root_}, "5.1.0", backends());
  EXPECT_EQ(musa_tables_of(facts).front().symbols.count("musaMalloc"), 1u);
  const bool noted = std::any_of(
      facts.release.notes.begin(), facts.release.notes.end(),
      [](const std::string& note) { return note.find("no_such_header") != std::string::npos; });
  EXPECT_TRUE(noted);
}

TEST_F(MusaExtraction, AcceptsCopiesAndLinksOfOneLibrary) {
  fs::copy(MUSART_LIBRARY, root_ + "/lib/libmusart.so.5.1.0");
  fs::create_symlink("libmusart.so.5", root_ + "/lib/libmusart.so");
  EXPECT_EQ(read_musa_facts({root_}, "", backends()).release.libraries.size(), 1u);
}

TEST_F(MusaExtraction, RefusesTwoDifferentLibraries) {
  folder_.write("sdk/lib/libmusart.so.4", "something else");
  ExtractMusaOptions options;
  options.roots = {root_};
  EXPECT_EQ(run(options), 2);
  EXPECT_NE(error_.str().find("several different libmusart"), std::string::npos);
}

TEST_F(MusaExtraction, RefusesBadInput) {
  ExtractMusaOptions options;
  options.roots = {folder_.path("nowhere")};
  EXPECT_EQ(run(options), 2);
  EXPECT_EQ(error_.str(), folder_.path("nowhere") + ": not a directory\n");

  options.roots = {root_};
  options.sdk_version = "five";
  EXPECT_EQ(run(options), 2);
  EXPECT_EQ(error_.str(), "expected an SDK version, for example 5.1.0, found 'five'\n");

  options.sdk_version.clear();
  fs::remove_all(root_ + "/lib");
  EXPECT_EQ(run(options), 2);
  EXPECT_EQ(error_.str(), "no library found in the given directories\n");
}

TEST_F(MusaExtraction, RefusesADamagedLibrary) {
  const std::string bytes = text_of(MUSART_LIBRARY);
  folder_.write("sdk/lib/libmusart.so.5", bytes.substr(0, bytes.size() / 2));
  ExtractMusaOptions options;
  options.roots = {root_};
  EXPECT_EQ(run(options), 2);
  EXPECT_NE(error_.str().find("truncated"), std::string::npos) << error_.str();
}

TEST(SdkVersion, IsMajorMinorPatch) {
  EXPECT_EQ(parse_sdk_version("5"), 50000);
  EXPECT_EQ(parse_sdk_version("4.3.5"), 40305);
  EXPECT_EQ(sdk_version_text(40305), "4.3.5");
  for (const char* text : {"", "4.", "4.3.5.1", "4.100", "-4", "x"}) {
    EXPECT_THROW(parse_sdk_version(text), ExtractError) << text;
  }
}

}  // namespace
}  // namespace torchada
