// Which function a request for a name and a version means, from the headers of a made-up driver.
#include <gtest/gtest.h>

#include <functional>

#include "generator/extract/extract_entry_points.h"
#include "src/shared/yaml_source.h"
#include "tests/generator/extract/temporary_folder.h"

namespace torchada {
namespace {

using Facts = std::vector<std::pair<std::string, EntryPoints>>;

EntryPoints read(std::vector<std::string> defines = {}) {
  defines.emplace_back("INVENTA_EVERY_VERSION");
  return read_release_entry_points(find_sdk_folders({ENTRY_POINTS_FIXTURE}),
                                   {"inventa.h", "inventaTypedefs.h"}, defines);
}

// "2000 inventaGet, 3020 inventaGet_v2"
std::string text(const std::vector<EntryPoint>& entries) {
  std::string out;
  for (const EntryPoint& entry : entries) {
    out += (out.empty() ? "" : ", ") + std::to_string(entry.version) + " " + entry.symbol +
           (entry.per_thread ? " per thread" : "");
  }
  return out;
}

std::string why(const std::function<void()>& action) {
  try {
    action();
  } catch (const ExtractError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(EntryPointFacts, VersionsMeanFunctionsInTheOrderOfTheirNumbers) {
  const EntryPoints names = read();
  EXPECT_EQ(text(names.at("inventaGet")),
            "2000 inventaGet, 3020 inventaGet_v2, 12000 inventaGet_v3");
  EXPECT_EQ(names.size(), 4u);
}

TEST(EntryPointFacts, FunctionsPerThreadAreMatchedAmongThemselves) {
  EXPECT_EQ(text(read().at("inventaCopy")),
            "2000 inventaCopy, 3020 inventaCopy_v2, 7000 inventaCopy_v2_ptsz per thread");
}

TEST(EntryPointFacts, MacroOfTheTypeMayMeanAFunctionOfAnotherName) {
  EXPECT_EQ(text(read().at("inventaStart")), "10000 inventaStart, 11040 inventaStartWithFlags");
  EXPECT_EQ(text(read().at("inventaStartWithFlags")), "11040 inventaStartWithFlags");
}

TEST(EntryPointFacts, RefusesATypeThatIsNotItsFunctions) {
  EXPECT_EQ(why([] { read({"SWAPPED"}); }),
            "inventaTypedefs.h: PFN_inventaGet_v12000 is not a pointer to the type of "
            "inventaGet_v3, which comes at this place in the order of versions");
}

TEST(EntryPointFacts, RefusesAFunctionWithoutAType) {
  EXPECT_EQ(why([] { read({"EXTRA_FUNCTION"}); }),
            "inventa.h: inventaNew: the functions are inventaNew, but the types for "
            "requests are none");
}

TEST(EntryPointFacts, VersionMayComeFromAnotherRelease) {
  const EntryPoints old = read({"UNVERSIONED"});
  EXPECT_EQ(text(old.at("inventaStartWithFlags")), "0 inventaStartWithFlags");
  const EntryPoints joined = join_entry_points(Facts{{"12.9", old}, {"13.0", read()}}, {});
  const EntryPoint& entry = joined.at("inventaStartWithFlags").front();
  EXPECT_EQ(entry.version, 11040);
  EXPECT_EQ(entry.releases, (std::vector<std::string>{"12.9", "13.0"}));
  // The table tells it where only one release is read.
  EXPECT_EQ(text(join_entry_points(Facts{{"12.9", old}}, joined).at("inventaStartWithFlags")),
            "11040 inventaStartWithFlags");
  EXPECT_EQ(why([&] {
              join_entry_points(Facts{{"12.9", old}}, {});
            }),
            "release 12.9: PFN_inventaStartWithFlags has no version, and no other release tells "
            "it");
}

TEST(EntryPointFacts, RefusesReleasesThatContradictEachOther) {
  EntryPoints other = read();
  other.at("inventaGet")[1].symbol = "inventaGet_v4";
  EXPECT_EQ(why([&] {
              join_entry_points(Facts{{"12.9", read()}, {"13.0", other}}, {});
            }),
            "release 13.0: inventaGet 3020 means inventaGet_v4, but in 12.9 3020 means "
            "inventaGet_v2");
}

class EntryPointText : public testing::Test {
 protected:
  EntryPointTable reread(const std::string& text) {
    const std::string releases = folder_.write(
        "releases.yaml",
        "releases:\n  \"12.9\": {abi: 12, packages: []}\n  \"13.0\": {abi: 13, packages: []}\n");
    return read_entry_points(folder_.write("entry_points.yaml", text),
                             read_cuda_releases(releases));
  }

  const EntryPoints joined_ =
      join_entry_points(Facts{{"12.9", read({"UNVERSIONED"})}, {"13.0", read()}}, {});

 private:
  TemporaryFolder folder_;
};

TEST_F(EntryPointText, ReadingBackGivesTheSame) {
  const std::string text = entry_points_text("inventa", joined_);
  const EntryPointTable table = reread(text);
  EXPECT_EQ(table.library, "inventa");
  EXPECT_EQ(entry_points_text("inventa", table.names), text);
  EXPECT_EQ(compare_entry_points(table.names, joined_, {"12.9", "13.0"}),
            std::vector<std::string>());
}

TEST_F(EntryPointText, ComparisonNamesEachDifference) {
  EntryPoints table = joined_;
  table.at("inventaGet")[1].version = 3010;
  table.erase("inventaCopy");
  // 12.9 had no macro for this one, and only that release is compared.
  table.at("inventaStart").pop_back();
  EXPECT_EQ(compare_entry_points(table, joined_, {"12.9"}),
            (std::vector<std::string>{
                "entry points: inventaCopy: 12.9: table nothing, extracted inventaCopy from 2000, "
                "inventaCopy_v2 from 3020, inventaCopy_v2_ptsz per thread from 7000",
                "entry points: inventaGet: 12.9: table inventaGet from 2000, inventaGet_v2 from "
                "3010, inventaGet_v3 from 12000, extracted inventaGet from 2000, inventaGet_v2 "
                "from 3020, inventaGet_v3 from 12000"}));
}

TEST_F(EntryPointText, RefusesVersionsInAnotherOrder) {
  std::string text = entry_points_text("inventa", joined_);
  const std::size_t at = text.find("version: 3020, symbol: inventaGet_v2");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 13, "version: 1020");
  try {
    reread(text);
    FAIL() << "accepted";
  } catch (const TableError& error) {
    EXPECT_NE(std::string(error.what()).find("expected versions in ascending order"),
              std::string::npos);
  }
}

TEST(VersionedNames, AreSplit) {
  const VersionedName name = split_versions("cuMemcpyBatchAsync_v12080_ptsz");
  EXPECT_EQ(name.base, "cuMemcpyBatchAsync");
  EXPECT_EQ(name.number, 12080);
  EXPECT_EQ(name.per_thread, "_ptsz");
  EXPECT_EQ(split_versions("cuGraph_version").base, "cuGraph_version");
  EXPECT_EQ(split_versions("cuInit").number, 0);
}

}  // namespace
}  // namespace torchada
